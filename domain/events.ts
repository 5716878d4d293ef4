import * as z from 'zod/mini';

import { roomKeySchema } from './rooms.ts';
import { timetokenSchema } from './timetoken.ts';

/**
 * All facts. A fact is in the past tense, self-contained, and never edited once shipped: a new
 * shape is a new version (`v2.`) plus a step in upcast.ts.
 */

const messageId = z.string().check(z.minLength(1), z.maxLength(128));

/** A staff member wrote a message, and this device accepted it. `at` is ms since the epoch. */
const messageQueued = z.object({
  type: z.literal('v1.MessageQueued'),
  id: messageId,
  room: roomKeySchema,
  text: z.string(),
  uid: z.string(),
  at: z.number(),
});

/**
 * An outgoing message is about to be published on a non-idempotent engine. If the outcome is
 * unknown, the room's log after `after` shows whether it arrived.
 */
const publishAttempted = z.object({
  type: z.literal('v1.PublishAttempted'),
  id: messageId,
  room: roomKeySchema,
  uid: z.string(),
  after: timetokenSchema,
});

/** The engine acknowledged an outgoing message. */
const messagePublished = z.object({
  type: z.literal('v1.MessagePublished'),
  id: messageId,
  room: roomKeySchema,
  uid: z.string(),
  timetoken: timetokenSchema,
});

/** The engine refused an outgoing message permanently; `reason` is shown to its author. */
const publishFailed = z.object({
  type: z.literal('v1.PublishFailed'),
  id: messageId,
  room: roomKeySchema,
  reason: z.string(),
  at: z.number(),
});

/** The author retried a refused message. */
const messageRetried = z.object({
  type: z.literal('v1.MessageRetried'),
  id: messageId,
  at: z.number(),
});

/** The author deleted an unsent message. */
const messageDiscarded = z.object({
  type: z.literal('v1.MessageDiscarded'),
  id: messageId,
  at: z.number(),
});

const via = z.enum(['live', 'history']);

/** A message of the room's log reached this device. `publisher` is stated by the engine. */
const messageReceived = z.object({
  type: z.literal('v1.MessageReceived'),
  room: roomKeySchema,
  timetoken: timetokenSchema,
  publisher: z.string(),
  id: z.optional(messageId),
  text: z.string(),
  clientName: z.string(),
  clientAvatar: z.string(),
  via,
});

/** An entry of the room's log that is not a readable message; `raw` is its clipped JSON. */
const unreadableReceived = z.object({
  type: z.literal('v1.UnreadableReceived'),
  room: roomKeySchema,
  timetoken: timetokenSchema,
  publisher: z.string(),
  raw: z.string(),
  via,
});

/**
 * This device holds every entry of the room from `from` to `to` (both inclusive).
 * `reachedStart`: nothing older than `from` exists.
 */
const historyPageLoaded = z.object({
  type: z.literal('v1.HistoryPageLoaded'),
  room: roomKeySchema,
  from: timetokenSchema,
  to: timetokenSchema,
  reachedStart: z.boolean(),
});

/**
 * The stream delivers every entry of its rooms after `after`, and has not ended yet. Its position
 * is in the leader's heartbeat.
 */
const streamOpened = z.object({
  type: z.literal('v1.StreamOpened'),
  after: timetokenSchema,
});

/** This device holds every entry of the stream's rooms after `after`, up to and including `to`. */
const streamCovered = z.object({
  type: z.literal('v1.StreamCovered'),
  after: timetokenSchema,
  to: timetokenSchema,
});

/**
 * Streams cover this room only starting at `from`: it joined the subscription later, or its earlier
 * messages are not kept on this device.
 */
const roomFloored = z.object({
  type: z.literal('v1.RoomFloored'),
  room: roomKeySchema,
  from: timetokenSchema,
});

/** The user read everything in a room up to `timetoken`, or marked it as read. */
const roomRead = z.object({
  type: z.literal('v1.RoomRead'),
  room: roomKeySchema,
  timetoken: timetokenSchema,
});

/**
 * Reading began at `timetoken`: at the position of the user's first device, or else at the end of
 * the logs when this device started its first stream. Earlier messages count as read. Of several,
 * the earliest counts.
 */
const readingBegan = z.object({
  type: z.literal('v1.ReadingBegan'),
  timetoken: timetokenSchema,
});

const mark = { kind: z.string(), turn: z.number(), value: z.string() };

/**
 * The user marked a room, or a log of marks contained that mark (see domain/schemas/marks.ts). The
 * latest mark of a kind counts.
 */
const roomMarked = z.object({
  type: z.literal('v1.RoomMarked'),
  room: roomKeySchema,
  ...mark,
});

/**
 * The user muted a room or a client, pinned a client or chose a setting, or undid that, on this
 * device or another (see domain/schemas/marks.ts). The latest mark about a subject counts.
 */
const choiceMade = z.object({
  type: z.literal('v1.ChoiceMade'),
  subject: z.string(),
  ...mark,
});

export const factSchema = z.discriminatedUnion('type', [
  messageQueued,
  publishAttempted,
  messagePublished,
  publishFailed,
  messageRetried,
  messageDiscarded,
  messageReceived,
  unreadableReceived,
  historyPageLoaded,
  streamOpened,
  streamCovered,
  roomFloored,
  roomRead,
  readingBegan,
  roomMarked,
  choiceMade,
]);

export type Fact = z.infer<typeof factSchema>;
export type FactType = Fact['type'];
export type FactOf<T extends FactType> = Extract<Fact, { readonly type: T }>;
