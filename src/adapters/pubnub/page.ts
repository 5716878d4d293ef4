import type { AppError } from '#domain/errors.ts';
import { ok, type Result } from '#domain/result.ts';
import { nextTimetoken, type Timetoken, TIMETOKEN_MAX, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import type { PubnubAccess } from './access.ts';

/** The newest `count` entries strictly between the bounds. */
interface PageQuery {
  readonly count: number;
  readonly before?: Timetoken | undefined;
  readonly after?: Timetoken | undefined;
}

/** An entry of a history as the SDK returns it. */
export interface SdkEntry {
  readonly timetoken: string | number;
  readonly uuid?: unknown;
  readonly message?: unknown;
}

/** Sorts entries in ascending order, regardless of the order on the wire. */
export const sortEntries = <Entry extends { readonly timetoken: Timetoken }>(
  entries: readonly Entry[],
): readonly Entry[] => entries.toSorted((one, other) => (one.timetoken < other.timetoken ? -1 : 1));

/** Nothing lies strictly between; the engine ignores such bounds. */
const isEmptyRange = ({ before = TIMETOKEN_MAX, after }: PageQuery): boolean =>
  before === TIMETOKEN_ZERO ||
  after === TIMETOKEN_MAX ||
  (after !== undefined && before <= nextTimetoken(after));

/**
 * One page of a channel. The engine's `start` is the newer bound and exclusive, its `end` the older
 * one and inclusive; with `end` alone it returns the newest page.
 */
export const readPage = async (
  access: PubnubAccess,
  channel: string,
  query: PageQuery,
  cancel: AbortSignal,
): Promise<Result<readonly SdkEntry[], AppError>> => {
  if (isEmptyRange(query)) return ok([]);
  const { count, before, after } = query;
  const answer = await access.call({ channel, cancel }, (client) =>
    client.fetchMessages({
      channels: [channel],
      count,
      ...(before === undefined ? {} : { start: before }),
      ...(after === undefined ? {} : { end: nextTimetoken(after) }),
    }),
  );
  return answer.ok ? ok(Object.values(answer.value.channels).flat()) : answer;
};
