import * as z from 'zod/mini';

import { ALL_ROOMS, type RoomKey, roomKeySchema } from '../rooms.ts';
import type { Coverage, LeaderRow, MessageRow, OutboxItem, RoomActivity } from './rows.ts';
import { fail, ok, type Result } from '../result.ts';
import { timetokenSchema } from '../timetoken.ts';

/**
 * Parsers of stored rows. Rows outlive the version that wrote them, so they are checked when read.
 * Unknown extra fields (from a newer version) are dropped. The error is the reason, as text.
 */
export type RowParser<T> = (stored: unknown) => Result<T, string>;

const toParser =
  <T>(schema: z.ZodMiniType<T>): RowParser<T> =>
  (stored) => {
    const parsed = schema.safeParse(stored);
    return parsed.success ? ok(parsed.data) : fail(z.prettifyError(parsed.error));
  };

export const parseMessageRow: RowParser<MessageRow> = toParser(
  z.object({
    key: z.string(),
    room: roomKeySchema,
    timetoken: timetokenSchema,
    publisher: z.string(),
    kind: z.enum(['message', 'unreadable']),
    text: z.string(),
    clientName: z.string(),
    clientAvatar: z.string(),
  }),
);

export const parseOutboxItem: RowParser<OutboxItem> = toParser(
  z.object({
    id: z.string(),
    room: roomKeySchema,
    seq: z.number(),
    text: z.string(),
    uid: z.string(),
    at: z.number(),
    state: z.enum(['queued', 'failed']),
    attemptedAfter: z.exactOptional(timetokenSchema),
    reason: z.exactOptional(z.string()),
  }),
);

/** Drafts of one tab, by room; `at` in ms since the epoch. */
export const parseDrafts: RowParser<{
  readonly tab: string;
  readonly texts: readonly (readonly [room: RoomKey, text: string])[];
  readonly at: number;
}> = toParser(
  z.object({
    tab: z.string(),
    texts: z.array(z.tuple([roomKeySchema, z.string()])),
    at: z.number(),
  }),
);

export const parseCoverage: RowParser<Coverage> = toParser(
  z.object({
    room: roomKeySchema,
    ranges: z.array(z.object({ from: timetokenSchema, to: timetokenSchema })),
    reachedStart: z.boolean(),
  }),
);

export const parseRoomActivity: RowParser<RoomActivity> = toParser(
  z.object({
    room: z.union([roomKeySchema, z.literal(ALL_ROOMS)]),
    newest: timetokenSchema,
    readUpTo: timetokenSchema,
    pending: z.literal([0, 1]),
  }),
);

const linkCauseSchema = z.exactOptional(z.literal('upstream'));

const linkStatusSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('online'),
    blocked: z.exactOptional(z.literal(true)),
    catchingUp: z.exactOptional(z.literal(true)),
    incomplete: z.exactOptional(z.literal(true)),
  }),
  z.object({ kind: z.literal('offline') }),
  z.object({ kind: z.literal('connecting'), cause: linkCauseSchema }),
  z.object({ kind: z.literal('waiting'), retryAt: z.number(), cause: linkCauseSchema }),
]);

export const parseLeaderRow: RowParser<LeaderRow> = toParser(
  z.object({
    fence: z.number(),
    tabId: z.string(),
    at: z.number(),
    link: linkStatusSchema,
    cursor: z.exactOptional(timetokenSchema),
    since: z.exactOptional(timetokenSchema),
    until: z.exactOptional(timetokenSchema),
  }),
);
