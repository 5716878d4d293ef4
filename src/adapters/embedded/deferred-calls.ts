import type { AppError } from '#domain/errors.ts';
import type { HistoryPage, MarkLog, Realtime } from '#domain/ports/network.ts';
import { HISTORY_PAGE_SIZE } from '#domain/limits.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { parseChannel, type RoomKey, toChannel } from '#domain/rooms.ts';
import {
  type MarkEntry,
  markEntrySchema,
  type MarkLogName,
  markPageAnswerSchema,
} from '#domain/schemas/mark-log.ts';
import { countsAnswerSchema, newestAnswerSchema } from '#domain/schemas/realtime.ts';
import type { Timetoken } from '#domain/timetoken.ts';

import { COUNTS_ROOMS_MAX, HISTORY_BYTES } from '../realtime/limits.ts';
import { call, type Engine, PATH, publishTo } from './calls.ts';

const countChunk = (
  engine: Engine,
  chunk: readonly (readonly [RoomKey, Timetoken])[],
  cancel: AbortSignal,
): Promise<Result<ReadonlyMap<RoomKey, number>, AppError>> =>
  call(engine, cancel, (template) => ({
    path: `${PATH}/counts`,
    body: JSON.stringify({
      since: Object.fromEntries(chunk.map(([room, since]) => [toChannel(template, room), since])),
    }),
    parse: (value) => {
      const counts = countsAnswerSchema.safeParse(value).data?.counts;
      return (
        counts &&
        new Map(
          Object.entries(counts).flatMap(([channel, count]) => {
            const room = parseChannel(template, channel);
            return room ? [[room, count]] : [];
          }),
        )
      );
    },
  }));

/** See `Realtime.countSince`. */
export const countSince =
  (engine: Engine): Realtime['countSince'] =>
  async (since, cancel) => {
    const rooms = [...since];
    const counts = new Map<RoomKey, number>();
    for (let start = 0; start < rooms.length; start += COUNTS_ROOMS_MAX) {
      const chunk = rooms.slice(start, start + COUNTS_ROOMS_MAX);
      const answer = await countChunk(engine, chunk, cancel);
      if (!answer.ok) return answer;
      for (const [room, count] of answer.value) counts.set(room, count);
    }
    return ok(counts);
  };

/** See `Realtime.readNewest`. */
export const readNewest =
  (engine: Engine): Realtime['readNewest'] =>
  (rooms, cancel) =>
    call(engine, cancel, (template) => ({
      path: `${PATH}/history`,
      body: JSON.stringify({ channels: rooms.map((room) => toChannel(template, room)) }),
      parse: (value) => {
        const pages = newestAnswerSchema.safeParse(value).data?.pages;
        if (pages === undefined) return undefined;
        const read = new Map<RoomKey, HistoryPage>();
        for (const room of rooms) {
          const page = pages[toChannel(template, room)];
          if (page === undefined) continue;
          const entries = engine.readEntries(template, page.entries);
          const own = entries.filter((entry) => entry.room === room);
          const full = page.more ?? page.entries.length >= HISTORY_PAGE_SIZE;
          // A full page without any readable entry gives no position to continue from.
          if (!full || own.length > 0) read.set(room, { entries: own, full });
        }
        return read;
      },
    }));

/** See `MarkLog.publish`. */
export const publishMark =
  (engine: Engine, name: MarkLogName): MarkLog['publish'] =>
  (id, payload, cancel) =>
    publishTo(engine, payload, cancel, () => ({
      path: `${PATH}/${name}`,
      body: JSON.stringify({ id, payload }),
    }));

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
    // Large entries must load on any network: the page then has fewer, and is full.
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
