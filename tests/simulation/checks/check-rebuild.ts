import { WorkingSet } from '#domain/project/working-set.ts';

import type { Simulation } from '../simulation.ts';
import { readAllStored } from './stored.ts';

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

/** The projections match the log. */
export const checkRebuild = (simulation: Simulation): void => {
  for (const stored of readAllStored(simulation.devices)) {
    const { uid, device, messages, items, coverage, activity, log } = stored;
    const rebuilt = new WorkingSet();
    rebuilt.apply(log);
    const differs =
      !isSame(messages, [...rebuilt.messages.values()], 'key') ||
      !isSame(items, [...rebuilt.items.values()], 'id') ||
      !isSame(coverage, [...rebuilt.coverage.values()], 'room') ||
      !isSame(activity, [...rebuilt.activity.values()], 'room');
    if (differs) simulation.blame('rebuild gives the tables', `${uid} on ${device.name}`);
  }
};
