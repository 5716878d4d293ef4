import { toReceivedFact } from '#db/facts/store-received.ts';
import { type PlacedFact, WorkingSet } from '#domain/project/working-set.ts';

import type { Simulation } from '../simulation.ts';
import { readAllStored, type Stored } from './stored.ts';

const toComparable = (row: object): string =>
  JSON.stringify(
    Object.entries(row)
      .filter(([name]) => name !== 'v')
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

const isSame = <T extends object>(
  stored: readonly T[],
  rebuilt: readonly T[],
  key: keyof T,
): boolean => {
  const wanted = new Map(rebuilt.map((row) => [row[key], toComparable(row)]));
  return (
    stored.length === wanted.size &&
    stored.every((row) => wanted.get(row[key]) === toComparable(row))
  );
};

/** The facts of a store: received messages, and events of this device. */
const toFacts = ({ entries, log }: Stored): readonly PlacedFact[] => [
  ...entries.flatMap((entry) => {
    const fact = toReceivedFact(entry);
    return fact === undefined ? [] : [{ seq: 0, fact }];
  }),
  ...log,
];

/** The projections and the messages match the facts. */
export const checkRebuild = (simulation: Simulation): void => {
  for (const stored of readAllStored(simulation.devices)) {
    const { uid, device, entries, items, coverage, activity } = stored;
    const messages = entries.map(({ row }) => row);
    const rebuilt = new WorkingSet();
    rebuilt.apply(toFacts(stored));
    const differs =
      !isSame(messages, [...rebuilt.messages.values()], 'key') ||
      !isSame(items, [...rebuilt.items.values()], 'id') ||
      !isSame(coverage, [...rebuilt.coverage.values()], 'room') ||
      !isSame(activity, [...rebuilt.activity.values()], 'room');
    if (differs) simulation.reportViolation('rebuild gives the tables', `${uid} on ${device.name}`);
  }
};
