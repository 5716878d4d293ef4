import type { AppError } from '#domain/errors.ts';
import type { Clock, HistoryPage, Realtime } from '#domain/ports.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { parseChannel, type RoomKey, toChannel } from '#domain/rooms.ts';
import type { LogEntry } from '#domain/schemas/message.ts';
import {
  fromEpochMs,
  nextTimetoken,
  parseTimetoken,
  type Timetoken,
  TIMETOKEN_MAX,
  TIMETOKEN_ZERO,
} from '#domain/timetoken.ts';

import { HOSTED_COUNTS_AGE_MS, HOSTED_COUNTS_MAX } from './limits.ts';
import type { ReadEntries } from './realtime-entries.ts';
import type { SdkClient } from './pubnub-sdk.ts';

type Query = Parameters<Realtime['readHistory']>[0];
type Chunk = readonly (readonly [RoomKey, Timetoken])[];

interface SdkEntry {
  readonly timetoken: string | number;
  readonly uuid?: unknown;
  readonly message?: unknown;
}

/** One call of the SDK with its client of the moment, as a value. */
export type CallSdk = <T>(work: (client: SdkClient) => Promise<T>) => Promise<Result<T, AppError>>;

export interface SdkHistoryNeeds {
  readonly call: CallSdk;
  readonly template: string;
  readonly clock: Clock;
  readonly readEntries: ReadEntries;
  /**
   * Rooms that were found to hold nothing newer than this, older than the engine counts: what
   * came since is counted.
   */
  readonly verified: Map<RoomKey, Timetoken>;
}

/** An entry of the SDK's history in the shape of the wire that both engines are read from. */
const toWire =
  (channel: string) =>
  ({ timetoken, uuid, message }: SdkEntry) => ({
    channel,
    timetoken,
    publisher: typeof uuid === 'string' ? uuid : '',
    message,
  });

/** Nothing can lie strictly between; the engine takes such bounds for absent ones. */
const isEmptyRange = ({ before = TIMETOKEN_MAX, after }: Query): boolean =>
  before === TIMETOKEN_ZERO ||
  after === TIMETOKEN_MAX ||
  (after !== undefined && before <= nextTimetoken(after));

/**
 * The newest entries strictly between the bounds. The engine's `start` is the newer bound and
 * exclusive, its `end` the older one and inclusive; with `end` alone it gives the newest page.
 */
export const readSdkHistory = async (
  { call, template, readEntries }: SdkHistoryNeeds,
  query: Query,
): Promise<Result<HistoryPage, AppError>> => {
  if (isEmptyRange(query)) return ok({ entries: [], full: false });
  const { room, count, before, after } = query;
  const channel = toChannel(template, room);
  const answer = await call((client) =>
    client.fetchMessages({
      channels: [channel],
      count,
      ...(before === undefined ? {} : { start: before }),
      ...(after === undefined ? {} : { end: nextTimetoken(after) }),
    }),
  );
  if (!answer.ok) return answer;
  const found = Object.values(answer.value.channels).flat().map(toWire(channel));
  const entries = readEntries(template, found).filter((entry) => entry.room === room);
  const full = found.length >= count;
  if (full && entries.length === 0) return fail({ kind: 'malformed', detail: 'history page' });
  return ok({ entries: sortEntries(entries), full });
};

/** In rising order, whatever the order on the wire. */
export const sortEntries = (entries: readonly LogEntry[]): readonly LogEntry[] =>
  entries.toSorted((one, other) => (one.timetoken < other.timetoken ? -1 : 1));

const countChunk = async (
  { call, template }: SdkHistoryNeeds,
  chunk: Chunk,
): Promise<Result<Map<RoomKey, number>, AppError>> => {
  const answer = await call((client) =>
    client.messageCounts({
      channels: chunk.map(([room]) => toChannel(template, room)),
      // The engine counts what is at the timetoken, too.
      channelTimetokens: chunk.map(([, since]) => nextTimetoken(since)),
    }),
  );
  if (!answer.ok) return answer;
  const counts = new Map<RoomKey, number>();
  for (const [channel, count] of Object.entries(answer.value.channels)) {
    const room = parseChannel(template, channel);
    if (room !== undefined && Number.isSafeInteger(count) && count >= 0) counts.set(room, count);
  }
  return ok(counts);
};

/**
 * Rooms of which the engine counts nothing, since it counts no further back than 30 days,
 * although their newest message is newer than asked: one at least.
 */
const findUncounted = async (
  { call, template, verified }: SdkHistoryNeeds,
  chunk: Chunk,
): Promise<Result<readonly RoomKey[], AppError>> => {
  if (chunk.length === 0) return ok([]);
  const channels = chunk.map(([room]) => toChannel(template, room));
  const answer = await call((client) => client.fetchMessages({ channels, count: 1 }));
  if (!answer.ok) return answer;
  const newest = answer.value.channels;
  const isBehind = ([room, since]: Chunk[number]): boolean => {
    const channel = toChannel(template, room);
    const entries = newest[channel] ?? newest[encodeURIComponent(channel)];
    const timetoken = parseTimetoken(entries?.at(-1)?.timetoken);
    return timetoken !== undefined && timetoken > since;
  };
  for (const [room, since] of chunk.filter((asked) => !isBehind(asked))) verified.set(room, since);
  return ok(chunk.filter(isBehind).map(([room]) => room));
};

/** How many entries each room holds after its timetoken. */
export const countSdkSince = async (
  needs: SdkHistoryNeeds,
  since: ReadonlyMap<RoomKey, Timetoken>,
): Promise<Result<ReadonlyMap<RoomKey, number>, AppError>> => {
  const { verified } = needs;
  const rooms = [...since].filter(([, at]) => at < TIMETOKEN_MAX);
  const counts = new Map(Array.from(since.keys(), (room) => [room, 0]));
  const counted = fromEpochMs(needs.clock.now() - HOSTED_COUNTS_AGE_MS);
  for (let start = 0; start < rooms.length; start += HOSTED_COUNTS_MAX) {
    const chunk = rooms.slice(start, start + HOSTED_COUNTS_MAX);
    const answer = await countChunk(needs, chunk);
    if (!answer.ok) return answer;
    for (const [room, count] of answer.value) counts.set(room, count);
    const doubtful = chunk.filter(([room, at]) => {
      const count = answer.value.get(room);
      return count === undefined || (count === 0 && at < counted && verified.get(room) !== at);
    });
    const uncounted = await findUncounted(needs, doubtful);
    if (!uncounted.ok) return uncounted;
    for (const room of uncounted.value) counts.set(room, 1);
  }
  return ok(counts);
};
