import type { AppError } from '#domain/errors.ts';
import { HISTORY_PAGE_SIZE } from '#domain/limits.ts';
import type { Clock } from '#domain/ports/kit.ts';
import type { HistoryPage, HistoryQuery } from '#domain/ports/network.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { parseChannel, type RoomKey, toChannel } from '#domain/rooms.ts';
import { isSubscribed } from '#domain/rules/subscription.ts';
import {
  fromEpochMs,
  nextTimetoken,
  parseTimetoken,
  type Timetoken,
  TIMETOKEN_MAX,
} from '#domain/timetoken.ts';

import { HOSTED_COUNTS_AGE_MS, HOSTED_COUNTS_MAX } from '../realtime/limits.ts';
import type { PubnubAccess } from './access.ts';
import { type ReadPage, type SdkEntry, sortEntries } from './page.ts';
import type { ReadEntries } from '../realtime/entries.ts';

type Since = readonly [RoomKey, Timetoken];
type Counts = Map<RoomKey, number>;

export interface PubnubHistoryNeeds {
  readonly access: PubnubAccess;
  readonly readPage: ReadPage;
  readonly template: string;
  readonly clock: Clock;
  readonly readEntries: ReadEntries;
}

/** An entry of the SDK's history in the wire shape that both engines share. */
const toWire =
  (channel: string) =>
  ({ timetoken, uuid, message }: SdkEntry) => ({
    channel,
    timetoken,
    publisher: typeof uuid === 'string' ? uuid : '',
    message,
  });

interface Answer {
  readonly channels: Readonly<Record<string, readonly SdkEntry[]>>;
}

/**
 * The entries by channel: the engine percent-encodes names, some characters of them or none. `isCut`:
 * channels may be missing. An unknown name may be that of one which would otherwise seem to be empty.
 */
const groupByChannel = (answer: Answer, asked: readonly string[]) => {
  const byChannel = new Map(
    Object.entries(answer.channels).map(([name, entries]) => {
      try {
        return [decodeURIComponent(name), entries] as const;
      } catch {
        return [name, entries] as const;
      }
    }),
  );
  const names = new Set(asked);
  const isCut = 'more' in answer || [...byChannel.keys()].some((name) => !names.has(name));
  return { byChannel, isCut };
};

/** The history of the rooms on the hosted engine. */
export class PubnubHistory {
  readonly #needs: PubnubHistoryNeeds;
  /**
   * Rooms verified to have no new messages beyond the counting period, with the position counted
   * after.
   */
  readonly #verified = new Map<RoomKey, Timetoken>();

  constructor(needs: PubnubHistoryNeeds) {
    this.#needs = needs;
  }

  /** The newest entries strictly between the bounds. */
  async read(query: HistoryQuery, cancel: AbortSignal): Promise<Result<HistoryPage, AppError>> {
    const { readPage, template, readEntries } = this.#needs;
    const channel = toChannel(template, query.room);
    const answer = await readPage(channel, query, cancel);
    if (!answer.ok) return answer;
    const { found, full } = answer.value;
    const entries = readEntries(template, found.map(toWire(channel)));
    if (full && entries.length === 0) return fail({ kind: 'malformed', detail: 'history page' });
    return ok({ entries: sortEntries(entries), full });
  }

  /**
   * The newest page of each room. Short pages are omitted if the engine has cut its answer, or
   * named a channel that was not requested. It returns up to 25 entries of each.
   */
  async readNewest(
    rooms: readonly RoomKey[],
    cancel: AbortSignal,
  ): Promise<Result<ReadonlyMap<RoomKey, HistoryPage>, AppError>> {
    const { access, template, readEntries } = this.#needs;
    const covered = await this.#findCovered(rooms);
    if (!covered.ok || covered.value.length === 0) return covered.ok ? ok(new Map()) : covered;
    const channels = covered.value.map((room) => toChannel(template, room));
    const answer = await access.call({ cancel }, (client) =>
      client.fetchMessages({ channels, count: HISTORY_PAGE_SIZE }),
    );
    if (!answer.ok) return answer;
    const { byChannel, isCut } = groupByChannel(answer.value, channels);
    const pages = new Map<RoomKey, HistoryPage>();
    for (const room of covered.value) {
      const channel = toChannel(template, room);
      const found = byChannel.get(channel) ?? [];
      const entries = sortEntries(readEntries(template, found.map(toWire(channel))));
      const full = found.length >= HISTORY_PAGE_SIZE;
      if (full ? entries.length > 0 : !isCut) pages.set(room, { entries, full });
    }
    return ok(pages);
  }

  /**
   * The rooms that the token covers: in a request for many rooms, a single other one would fail
   * all.
   */
  async #findCovered(rooms: readonly RoomKey[]): Promise<Result<readonly RoomKey[], AppError>> {
    const { access, template } = this.#needs;
    const grant = await access.getGrant();
    if (!grant.ok) return grant;
    const { channels } = grant.value;
    return ok(
      rooms.filter(
        (room) => channels === undefined || isSubscribed(channels, toChannel(template, room)),
      ),
    );
  }

  /** Number of entries in each room after its timetoken, of the rooms that the token covers. */
  async count(
    since: ReadonlyMap<RoomKey, Timetoken>,
    cancel: AbortSignal,
  ): Promise<Result<ReadonlyMap<RoomKey, number>, AppError>> {
    const counts: Counts = new Map();
    if (since.size === 0) return ok(counts);
    const covered = await this.#findCovered([...since.keys()]);
    if (!covered.ok) return covered;
    for (const room of covered.value) counts.set(room, 0);
    const asked = [...since].filter(([room, at]) => counts.has(room) && at < TIMETOKEN_MAX);
    for (let start = 0; start < asked.length; start += HOSTED_COUNTS_MAX) {
      const chunk = asked.slice(start, start + HOSTED_COUNTS_MAX);
      const failed = await this.#countChunk(chunk, counts, cancel);
      if (failed !== undefined) return fail(failed);
    }
    return ok(counts);
  }

  async #countChunk(
    chunk: readonly Since[],
    counts: Counts,
    cancel: AbortSignal,
  ): Promise<AppError | undefined> {
    const { access, template, clock } = this.#needs;
    const answer = await access.call({ cancel }, (client) =>
      client.messageCounts({
        channels: chunk.map(([room]) => toChannel(template, room)),
        // The engine also counts the entry at the timetoken.
        channelTimetokens: chunk.map(([, at]) => nextTimetoken(at)),
      }),
    );
    if (!answer.ok) return answer.error;
    const counted = new Set<RoomKey>();
    for (const [channel, count] of Object.entries(answer.value.channels)) {
      const room = parseChannel(template, channel);
      if (room === undefined || !counts.has(room)) continue;
      counts.set(room, count);
      counted.add(room);
    }
    const oldest = fromEpochMs(clock.now() - HOSTED_COUNTS_AGE_MS);
    const isUncertain = ([room, at]: Since): boolean =>
      !counted.has(room) ||
      (counts.get(room) === 0 && at < oldest && this.#verified.get(room) !== at);
    return this.#checkUncertain(chunk.filter(isUncertain), counts, cancel);
  }

  /**
   * The engine counts at most 30 days back: a room with a count of zero, although its newest
   * message is newer than the timetoken, contains at least one. A room whose newest message remains
   * unknown is not counted.
   */
  async #checkUncertain(
    uncertain: readonly Since[],
    counts: Counts,
    cancel: AbortSignal,
  ): Promise<AppError | undefined> {
    if (uncertain.length === 0) return undefined;
    const { access, template } = this.#needs;
    const channels = uncertain.map(([room]) => toChannel(template, room));
    const answer = await access.call({ cancel }, (client) =>
      client.fetchMessages({ channels, count: 1 }),
    );
    if (!answer.ok) return answer.error;
    const { byChannel, isCut } = groupByChannel(answer.value, channels);
    for (const [room, at] of uncertain) {
      const newest = byChannel.get(toChannel(template, room))?.at(-1);
      const timetoken = parseTimetoken(newest?.timetoken);
      if (timetoken !== undefined && timetoken > at) counts.set(room, 1);
      else if (timetoken === undefined && (isCut || newest !== undefined)) counts.delete(room);
      else this.#verified.set(room, at);
    }
    return undefined;
  }
}
