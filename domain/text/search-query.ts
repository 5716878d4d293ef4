import { fromEpochMs, type Timetoken, TIMETOKEN_MAX, TIMETOKEN_ZERO } from '../timetoken.ts';
import { type RoomId, ROOM_TITLES } from '../rooms.ts';
import { type Team, toFullName } from '../schemas/team.ts';
import { fold, hasWords } from './search.ts';

/** A parsed search. A message has to match all of it. */
export interface SearchQuery {
  /** Words and phrases of the text, folded. */
  readonly terms: readonly string[];
  /** Parts of the sender's name, folded; `me` is the reader. */
  readonly from: readonly string[];
  /** Parts of the client's or the room's name, folded. */
  readonly in: readonly string[];
  /** The range of positions, from `after` (included) to `before` (excluded). */
  readonly after: Timetoken;
  readonly before: Timetoken;
  /** Filters whose value is not a valid date, as written. */
  readonly ignored: readonly string[];
}

/**
 * A word, a phrase in quotes, or a filter with either; a quote that is not closed ends the text. A
 * phrase may contain quotes of another kind, but many keyboards close „ with a straight quote. The
 * value may follow after a space, as many people write after a colon.
 */
const TOKEN =
  /(?:(?<key>from|in|before|after):\s*(?!(?:from|in|before|after):))?(?:(?<phrase>"[^"]*"?|[“”„‟][^"“”„‟]*["“”„‟]?|[«»][^«»]*[«»]?|[「」][^「」]*[「」]?)|(?<word>\S+))/giu;
/** A filter whose value is still to be written. */
const UNFINISHED = /^(?:from|in|before|after):$/i;
const QUOTES = /^.|["“”„‟«»「」]$/gu;

const DAY = /^(?<year>\d{4})(?:-(?<month>\d{1,2})(?:-(?<day>\d{1,2}))?)?$/;
const WRITTEN_DAY = /^(?<day>\d{1,2})[/.](?<month>\d{1,2})[/.](?<year>\d{4})$/;

/** The start of a day in local time, ms since the epoch; undefined if there is no such day. */
const toDayStart = (year: number, month: number, day: number): number | undefined => {
  const date = new Date(year, month - 1, day);
  const isReal = date.getMonth() === month - 1 && date.getDate() === day;
  return isReal ? date.getTime() : undefined;
};

/**
 * The start of the period that a date names, ms since the epoch: `2026`, `2026-10`, `2026-10-03`,
 * `03/10/2026` (as dates are shown), `today`, `yesterday`.
 */
const parseDate = (text: string, nowMs: number): number | undefined => {
  const now = new Date(nowMs);
  const daysAgo = ['today', 'yesterday'].indexOf(text.toLowerCase());
  if (daysAgo !== -1) {
    return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).getTime();
  }
  const { year, month = '1', day = '1' } = (DAY.exec(text) ?? WRITTEN_DAY.exec(text))?.groups ?? {};
  return year === undefined ? undefined : toDayStart(Number(year), Number(month), Number(day));
};

/** Only letters that have no marks, and single spaces between words: most texts. */
const PLAIN = /^(?:[!-_a-~]+(?: [!-_a-~]+)*)?$/;

/** A text for comparison, with single spaces. */
export const foldSpaced = (text: string): string =>
  PLAIN.test(text) ? text.toLowerCase() : fold(text).replaceAll(/\s+/g, ' ').trim();

/** Parses the text of a search; `nowMs` determines today. Every text is a query. */
export const parseSearchQuery = (text: string, nowMs: number): SearchQuery => {
  const found = { terms: [] as string[], from: [] as string[], in: [] as string[] };
  const ignored: string[] = [];
  let after = TIMETOKEN_ZERO;
  let before = TIMETOKEN_MAX;
  for (const { 0: written, groups } of text.matchAll(TOKEN)) {
    const key = groups?.['key']?.toLowerCase();
    if (UNFINISHED.test(written)) continue;
    const value = groups?.['phrase']?.replaceAll(QUOTES, '') ?? groups?.['word'] ?? '';
    if (key === 'before' || key === 'after') {
      const start = parseDate(value, nowMs);
      if (start === undefined) ignored.push(written);
      else if (key === 'after') after = fromEpochMs(start);
      else before = fromEpochMs(start);
      continue;
    }
    const folded = foldSpaced(value);
    if (folded !== '') found[key === 'from' || key === 'in' ? key : 'terms'].push(folded);
  }
  return { ...found, after, before, ignored };
};

/** Whether there is nothing to search for. */
export const isEmptyQuery = ({ terms, from, in: rooms, after, before }: SearchQuery): boolean =>
  terms.length + from.length + rooms.length === 0 &&
  after === TIMETOKEN_ZERO &&
  before === TIMETOKEN_MAX;

/** Whether a room matches all parts of `in:`, by the client's name and the room's together. */
export const isPlace = (places: SearchQuery['in'], team: Team, roomId: RoomId): boolean =>
  hasWords(`${toFullName(team)} ${ROOM_TITLES[roomId]}`, places);
