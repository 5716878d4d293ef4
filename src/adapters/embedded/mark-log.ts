import { MESSAGE_BYTES_MAX } from '#domain/limits.ts';
import type { MarkLog } from '#domain/ports/network.ts';
import { fail, ok } from '#domain/result.ts';
import {
  type MarkEntry,
  markEntrySchema,
  type MarkLogName,
  markPageAnswerSchema,
} from '#domain/schemas/mark-log.ts';
import { publishAnswerSchema } from '#domain/schemas/realtime.ts';
import { toMessageBytes } from '#domain/text/message-size.ts';

import { HISTORY_BYTES } from '../realtime/limits.ts';
import { call, type Engine, PATH } from './call.ts';

/** See `MarkLog.publish`. */
export const publishMark =
  (engine: Engine, name: MarkLogName): MarkLog['publish'] =>
  async (id, payload, cancel) => {
    const bytes = toMessageBytes(payload);
    const limit = MESSAGE_BYTES_MAX;
    if (bytes > limit) return fail({ kind: 'too-large', bytes, limit });
    const answer = await call(engine, cancel, () => ({
      path: `${PATH}/${name}`,
      body: JSON.stringify({ id, payload }),
      parse: (value) => publishAnswerSchema.safeParse(value).data?.timetoken,
    }));
    const refused = !answer.ok && answer.error.kind === 'rejected' && answer.error.status === 413;
    return refused ? fail({ kind: 'too-large', bytes, limit }) : answer;
  };

/** Reads entries one by one: one of another shape does not affect the others. */
const readEntry = (engine: Engine, entry: unknown): readonly MarkEntry[] => {
  const parsed = markEntrySchema.safeParse(entry);
  if (parsed.success) return [parsed.data];
  engine.log.write('warn', 'REALTIME_ENTRY_MALFORMED', { issues: parsed.error.issues.length });
  return [];
};

/** See `MarkLog.read`. */
export const readMarks =
  (engine: Engine, name: MarkLogName): MarkLog['read'] =>
  async ({ count, before, after }, cancel) => {
    // Large entries must get through any network: the page then has fewer, and is full.
    const query = new URLSearchParams({ count: `${count}`, bytes: `${HISTORY_BYTES}` });
    if (before !== undefined) query.set('before', before);
    if (after !== undefined) query.set('after', after);
    const answer = await call(engine, cancel, () => ({
      path: `${PATH}/${name}?${query}`,
      parse: (value) => markPageAnswerSchema.safeParse(value).data,
    }));
    if (!answer.ok) return answer;
    const entries = answer.value.entries.flatMap((entry) => readEntry(engine, entry));
    const full = answer.value.more;
    // A full page without any readable entry gives no position to continue from.
    if (full && entries.length === 0)
      return fail({ kind: 'malformed', detail: `${name} log page` });
    return ok({ entries, full });
  };
