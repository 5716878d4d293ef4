import type { AppError } from '#domain/errors.ts';
import type { Fact, FactOf } from '#domain/events.ts';
import { RETENTION_KEPT_MAX } from '#domain/limits.ts';
import type { HistoryPage, HistoryQuery } from '#domain/ports/network.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Store } from '#domain/ports/storage.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { toFact } from '#domain/schemas/message.ts';
import {
  compareTimetokens,
  laterOf,
  nextTimetoken,
  previousTimetoken,
  type Timetoken,
  TIMETOKEN_MAX,
  TIMETOKEN_ZERO,
} from '#domain/timetoken.ts';

/** Entries outside the requested bounds would extend the coverage wrongly. */
const clampToQuery = (
  { before, after }: HistoryQuery,
  { entries, full }: HistoryPage,
): HistoryPage => ({
  full,
  entries: entries
    .filter(
      ({ timetoken }) =>
        (before === undefined || timetoken < before) && (after === undefined || timetoken > after),
    )
    .toSorted((one, other) => compareTimetokens(one.timetoken, other.timetoken)),
});

/**
 * The coverage of a page. A page that is not full reaches down to `after`, or to the start of the
 * room. The query bounds are exclusive: messages at these positions may have been pruned since.
 * The newest page reaches up to `known`, a position that the log had passed before.
 */
const toCoverage = (
  { room, before, after }: HistoryQuery,
  { entries, full }: HistoryPage,
  known: Timetoken,
): FactOf<'v1.HistoryPageLoaded'> => {
  const oldest = entries[0]?.timetoken ?? before ?? TIMETOKEN_ZERO;
  const newest = entries.at(-1)?.timetoken ?? after ?? TIMETOKEN_ZERO;
  const start = after === undefined ? oldest : nextTimetoken(after);
  return {
    type: 'v1.HistoryPageLoaded',
    room,
    from: full ? oldest : start,
    to: before === undefined ? laterOf(newest, known) : previousTimetoken(before),
    reachedStart: !full && after === undefined,
  };
};

/** The facts of a page. */
interface PageFacts {
  readonly messages: readonly Fact[];
  readonly coverage: FactOf<'v1.HistoryPageLoaded'>;
}

/**
 * Undefined for a full page without entries, which gives no position to continue from. `known` is a
 * position that the log had passed before.
 */
export const toPageFacts = (
  query: HistoryQuery,
  answer: HistoryPage,
  known: Timetoken,
): PageFacts | undefined => {
  const page = clampToQuery(query, answer);
  if (page.full && page.entries.length === 0) return undefined;
  const messages = page.entries.map((entry) => toFact(entry, 'history'));
  return { messages, coverage: toCoverage(query, page, known) };
};

/**
 * Reads one page from the engine and stores it, messages and coverage in one transaction; with
 * `fence` only while this tab leads.
 */
export const loadPage = async (
  { realtime }: Pick<Ports, 'realtime'>,
  { store, fence }: { readonly store: Store; readonly fence?: number },
  query: HistoryQuery,
  cancel: AbortSignal,
): Promise<Result<FactOf<'v1.HistoryPageLoaded'>, AppError>> => {
  const known = query.before === undefined ? await store.findCoverage(query.room) : ok(undefined);
  if (!known.ok) return known;
  const answer = await realtime.readHistory(query, cancel);
  if (!answer.ok) return answer;
  if (cancel.aborted) return fail({ kind: 'unreachable' });
  const facts = toPageFacts(query, answer.value, known.value?.since ?? TIMETOKEN_ZERO);
  if (facts === undefined) return fail({ kind: 'malformed', detail: 'page without entries' });
  const { messages, coverage } = facts;
  const stored = await store.append([...messages, coverage], fence);
  return stored.ok ? ok(coverage) : stored;
};

/** Whether a device already keeps as much of a room as it may, all of it after `since`. */
export const isOverfull = async (
  store: Store,
  room: RoomKey,
  since: Timetoken,
): Promise<Result<boolean, AppError>> => {
  const kept = await store.findOlder(room, RETENTION_KEPT_MAX, TIMETOKEN_MAX);
  if (!kept.ok) return kept;
  const oldest = kept.value;
  return ok(oldest !== undefined && oldest.count >= RETENTION_KEPT_MAX && oldest.from > since);
};
