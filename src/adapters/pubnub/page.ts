import type { AppError } from '#domain/errors.ts';
import type { Clock } from '#domain/ports/kit.ts';
import type { PageQuery } from '#domain/ports/network.ts';
import { ok, type Result } from '#domain/result.ts';
import {
  compareTimetokens,
  nextTimetoken,
  type Timetoken,
  TIMETOKEN_MAX,
  TIMETOKEN_ZERO,
} from '#domain/timetoken.ts';

import { HOSTED_PAGE_COUNTS, HOSTED_PAGE_GROWTH } from '../realtime/limits.ts';
import type { PubnubAccess } from './access.ts';

/** An entry of a history as the SDK returns it. */
export interface SdkEntry {
  readonly timetoken: string | number;
  readonly uuid?: unknown;
  readonly message?: unknown;
}

/** Sorts entries in ascending order, regardless of the order on the wire. */
export const sortEntries = <Entry extends { readonly timetoken: Timetoken }>(
  entries: readonly Entry[],
): readonly Entry[] =>
  entries.toSorted((one, other) => compareTimetokens(one.timetoken, other.timetoken));

/** Nothing lies strictly between; the engine ignores such bounds. */
const isEmptyRange = ({ before = TIMETOKEN_MAX, after }: PageQuery): boolean =>
  before === TIMETOKEN_ZERO ||
  after === TIMETOKEN_MAX ||
  (after !== undefined && before <= nextTimetoken(after));

/** A page as the engine returned it; `full` if it has as many entries as were requested of it. */
export interface SdkPage {
  readonly found: readonly SdkEntry[];
  readonly full: boolean;
}

export type ReadPage = (
  channel: string,
  query: PageQuery,
  cancel: AbortSignal,
) => Promise<Result<SdkPage, AppError>>;

export interface PageNeeds {
  readonly access: PubnubAccess;
  readonly clock: Clock;
  /** A call times out after this, ms. */
  readonly timeoutMs: number;
}

/** The largest smaller page. */
const findSmaller = (count: number): number =>
  HOSTED_PAGE_COUNTS.find((smaller) => smaller < count) ?? count;

/** The next larger page; undefined if there is none, which ends the limit. */
const findLarger = (count: number): number | undefined =>
  HOSTED_PAGE_COUNTS.findLast((larger) => larger > count);

/**
 * Reads pages of channels. The engine limits them by their count only: after a timeout, the next
 * page of the channel is smaller, until a full one arrives so quickly that a larger one would, too.
 */
export const createPageReader = ({ access, clock, timeoutMs }: PageNeeds): ReadPage => {
  /** The largest page by channel, of those that had to shrink. */
  const limits = new Map<string, number>();
  /**
   * The engine's `start` is the newer bound and exclusive, its `end` the older one and inclusive;
   * with `end` alone it returns the newest page.
   */
  const read = (channel: string, { count, before, after }: PageQuery, cancel: AbortSignal) =>
    access.call({ channel, cancel }, (client) =>
      client.fetchMessages({
        channels: [channel],
        count,
        ...(before === undefined ? {} : { start: before }),
        ...(after === undefined ? {} : { end: nextTimetoken(after) }),
      }),
    );
  return async (channel, query, cancel) => {
    if (isEmptyRange(query)) return ok({ found: [], full: false });
    const count = Math.min(query.count, limits.get(channel) ?? query.count);
    const from = clock.now();
    const answer = await read(channel, { ...query, count }, cancel);
    if (!answer.ok) {
      if (answer.error.kind === 'timeout') limits.set(channel, findSmaller(count));
      return answer;
    }
    const found = Object.values(answer.value.channels).flat();
    const full = found.length >= count;
    const isQuick = clock.now() - from < timeoutMs / HOSTED_PAGE_GROWTH;
    // A smaller page proves nothing of a larger one.
    if (full && isQuick && limits.get(channel) === count) {
      const larger = findLarger(count);
      if (larger === undefined) limits.delete(channel);
      else limits.set(channel, larger);
    }
    return ok({ found, full: full || 'more' in answer.value });
  };
};
