import { parseMarkFactKey, toKindPrefix } from '#domain/envelope.ts';
import {
  type Mark,
  type MarkKind,
  type Marks,
  parseMark,
  toMarkKey,
} from '#domain/schemas/marks.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { TIMETOKEN_MAX } from '#domain/timetoken.ts';

import type { UserDatabase } from '../schema/database.ts';

/** The latest marks of stored facts in key order. The keys contain all data of the marks. */
export const toMarks = (stored: readonly { readonly key: string }[]): Marks => {
  const marks = new Map<string, Mark>();
  for (const row of stored) {
    const [key, , turn, value] = parseMarkFactKey(row.key);
    const mark = parseMark(key, [turn, value], TIMETOKEN_MAX);
    if (mark !== undefined) marks.set(key, mark);
  }
  return marks;
};

/**
 * The marks stored on this device, except read positions. Their facts are few, so the log itself is
 * their table, and a rebuild does not affect them. Whole rows are read, because Dexie reads the
 * keys of an index one by one.
 */
export const listMarks = async ({ log }: UserDatabase): Promise<Marks> =>
  toMarks(await log.where('key').startsWith(toKindPrefix('mark')).toArray());

/** The latest mark of a kind for a room. */
export const findMark = async (
  { log }: UserDatabase,
  kind: MarkKind,
  room: RoomKey,
): Promise<Mark | undefined> => {
  const key = toMarkKey(kind, room);
  const facts = log.where('key').startsWith(`${toKindPrefix('mark')}${key}|`);
  return toMarks(await facts.toArray()).get(key);
};
