import { HELD_MESSAGES_MAX } from '#domain/limits.ts';
import { byPosition, type MessageRow } from '#domain/project/rows.ts';

import type { SpaceState } from './space-state.ts';

/** The owner of held rows: a user's database, or its name and space. */
export interface Holder {
  readonly name: string;
  readonly space: SpaceState;
}

/**
 * Adds rows to those shown from memory; beyond the limit only the newest remain. They belong to the
 * user of this database; rows of another user are dropped.
 */
export const hold = ({ name, space }: Holder, rows: readonly MessageRow[]): void => {
  const known = space.owner === name ? space.view : { held: [], isCut: false };
  space.owner = name;
  const byKey = new Map([...known.held, ...rows].map((row) => [row.key, row]));
  const held = [...byKey.values()].toSorted(byPosition);
  const isCut = known.isCut || held.length > HELD_MESSAGES_MAX;
  space.show({ held: held.slice(-HELD_MESSAGES_MAX), isCut });
};

/** Removes rows that are stored now. */
export const release = (space: SpaceState, keys: ReadonlySet<string>): void => {
  const held = space.view.held.filter(({ key }) => !keys.has(key));
  space.show({ held, isCut: space.view.isCut && held.length > 0 });
};
