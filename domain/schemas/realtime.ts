import * as z from 'zod/mini';

import { timetokenSchema } from '../timetoken.ts';

/**
 * The embedded engine's wire (see server/realtime/README.md). All requests carry
 * `Authorization: Bearer {token}`; errors are `{"error": "…"}` with a matching status.
 */

/**
 * `GET /api/realtime/token`; `expires` is ms since the epoch, `uid` the identity of the token.
 * For the hosted engine, `channels` lists the permitted subscriptions, and the token is empty
 * if the keyset requires none.
 */
export const tokenAnswerSchema = z.object({
  token: z.string(),
  expires: z.number(),
  uid: z.optional(z.string()),
  channels: z.optional(z.array(z.string())),
});
export type RealtimeToken = z.infer<typeof tokenAnswerSchema>;

export const wireEntrySchema = z.object({
  channel: z.string(),
  timetoken: timetokenSchema,
  publisher: z.string(),
  message: z.unknown(),
});

/** `POST /api/realtime/publish` with `{channel, message}`. */
export const publishAnswerSchema = z.object({ timetoken: timetokenSchema });

/**
 * `GET /api/realtime/history?channel=&count=&bytes=&before=&after=`: the newest `count` (1–100)
 * entries strictly between `after` and `before` (both optional), oldest first, fewer if they
 * exceed `bytes`. `more`: older ones may follow between the bounds; if absent, a full page
 * implies it. Entries are parsed one by one, so that an invalid one does not affect the others.
 */
export const historyAnswerSchema = z.object({
  entries: z.array(z.unknown()),
  more: z.optional(z.boolean()),
});

/**
 * `POST /api/realtime/history` with `{channels}`: the newest page of each. Rooms are omitted once
 * the answer exceeds 64 kB, and if their client does not exist.
 */
export const newestAnswerSchema = z.object({
  pages: z.record(z.string(), historyAnswerSchema),
});

/** `POST /api/realtime/counts` with `{since: {channel: timetoken}}`: entries after each. */
export const countsAnswerSchema = z.object({ counts: z.record(z.string(), z.number()) });

/**
 * `GET /api/realtime/stream?cursor=`: server-sent events. `event: entries`, data `{entries}` in
 * ascending order (at most 100); `event: beat`, data `{cursor}`, right after the backlog and then
 * every `STREAM_HEARTBEAT_MS`. Without a cursor the stream starts now. `event: own`, data
 * `{timetoken}`: the user log grew up to there; such an event may be lost, and none is repeated.
 * `event: staff` is the same for the staff log.
 */
export const streamEntriesSchema = z.object({ entries: z.array(z.unknown()) });
export const streamBeatSchema = z.object({ cursor: timetokenSchema });
export const streamMarkSchema = z.object({ timetoken: timetokenSchema });
