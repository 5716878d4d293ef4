import { toKindPrefix } from '#domain/envelope.ts';
import { type Mark, type Marks, parseMark } from '#domain/schemas/marks.ts';
import { TIMETOKEN_MAX } from '#domain/timetoken.ts';

import type { UserDatabase } from '../schema/database.ts';

/**
 * What was noted about rooms on this device, but for what was read. Their facts in the log are few,
 * and the keys say everything: the log is their table, and a rebuild does not concern them.
 */
export const listMarks = async ({ log }: UserDatabase): Promise<Marks> => {
  const keys: readonly unknown[] = await log.where('key').startsWith(toKindPrefix('mark')).keys();
  const marks = new Map<string, Mark>();
  for (const stored of keys) {
    const [, key = '', turn, value] = String(stored).split('|');
    const mark = parseMark(key, [Number(turn), value], TIMETOKEN_MAX);
    // In index order, the latest mark of a key comes last.
    if (mark !== undefined) marks.set(key, mark);
  }
  return marks;
};
