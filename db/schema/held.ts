import { HELD_MESSAGES_MAX } from '#domain/limits.ts';
import type { MessageRow } from '#domain/project/rows.ts';

import type { SpaceState } from './space-state.ts';

const byPlace = (a: MessageRow, b: MessageRow): number => (a.timetoken < b.timetoken ? -1 : 1);

/** Adds rows to those shown from memory; beyond the limit only the newest remain. */
export const hold = (space: SpaceState, rows: readonly MessageRow[]): void => {
  const byKey = new Map([...space.view.held, ...rows].map((row) => [row.key, row]));
  const held = [...byKey.values()].toSorted(byPlace);
  const isCut = space.view.isCut || held.length > HELD_MESSAGES_MAX;
  space.show({ held: held.slice(-HELD_MESSAGES_MAX), isCut });
};

/** Removes rows that are stored now. */
export const release = (space: SpaceState, keys: ReadonlySet<string>): void => {
  const held = space.view.held.filter(({ key }) => !keys.has(key));
  space.show({ held, isCut: space.view.isCut && held.length > 0 });
};
