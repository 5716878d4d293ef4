import { parseMessageKey, type ThreadItem } from '#domain/project/rows.ts';
import { toDateLabel, toDayLabel, toIso, toTimeLabel } from '#domain/text/date-label.ts';
import { startsDay, startsGroup, toItemTime } from '#domain/rules/grouping.ts';
import { type People, toSender } from '#domain/rules/sender.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { UNREADABLE_TEXT } from '#domain/visible-text.ts';

import { hasSameFields, type MessageState, type ThreadRow } from './thread-row.ts';

/** The context for rendering a thread, besides its items. */
export interface ThreadContext {
  readonly people: People;
  /** The id of the message that is being sent. */
  readonly sending: string | undefined;
  /** Whether the server is reachable, so that gaps are being filled. */
  readonly reached: boolean;
  /** The position at which the messages that are new to the reader begin. */
  readonly newFrom: Timetoken | undefined;
  /** A moment of today, ms since the epoch. */
  readonly today: number;
}

/** The content of an item: from the log, or from the outbox if it is unsent. */
const toStated = (item: ThreadItem) =>
  item.source === 'log'
    ? item.row
    : ({
        ...item.item,
        kind: 'message',
        publisher: item.item.uid,
        clientName: '',
        timetoken: '',
      } as const);

/** The message's own id: its payload id, or its position in the log if it has none. */
export const toMessageId = (item: ThreadItem): string => {
  if (item.source === 'outbox') return item.item.id;
  const parts = parseMessageKey(item.row.key);
  return parts !== undefined && 'id' in parts ? parts.id : item.row.timetoken;
};

/** Queued until any tab sends it; sent once the engine has it. */
const toMessageState = (item: ThreadItem, sending: string | undefined): MessageState => {
  if (item.source === 'log') return 'sent';
  if (item.item.state === 'failed') return 'failed';
  return sending === item.item.id ? 'sending' : 'queued';
};

/** An item between its neighbours, on which its header and the lines below it depend. */
interface Place {
  readonly before: ThreadItem | undefined;
  readonly item: ThreadItem;
  readonly after: ThreadItem | undefined;
  /** The latest time of the items up to this one, ms since the epoch. */
  readonly latest: number;
}

const isAt = (item: ThreadItem | undefined, place: Timetoken | undefined): boolean =>
  item?.source === 'log' && item.row.timetoken === place;

/** Whether the line of the new messages stands below an item. */
const isNewAfter = (
  item: ThreadItem,
  after: ThreadItem | undefined,
  newFrom: Timetoken | undefined,
): boolean => isAt(after, newFrom) && !isAt(item, newFrom);

const toRow = (
  { before, item, after, latest }: Place,
  { people, sending, reached, newFrom, today }: ThreadContext,
): ThreadRow => {
  const at = toItemTime(item);
  const time = toTimeLabel(at);
  const isFirst = startsGroup(before, item);
  const stated = toStated(item);
  const readable = stated.kind === 'message';
  return {
    key: item.key,
    id: toMessageId(item),
    own: item.own,
    state: toMessageState(item, sending),
    readable,
    text: readable ? stated.text : UNREADABLE_TEXT,
    reason: item.source === 'outbox' ? (item.item.reason ?? '') : '',
    ...toSender(stated, people),
    startsGroup: isFirst,
    at: stated.timetoken,
    label: toDateLabel(at, today),
    time,
    repeatsTime: !isFirst && before !== undefined && toTimeLabel(toItemTime(before)) === time,
    iso: toIso(at),
    gap: item.source === 'log' && item.gapAfter ? (reached ? 'filling' : 'waiting') : '',
    newAfter: isNewAfter(item, after, newFrom),
    // The next day's label is below this row, so that rows added above do not change it.
    nextDay:
      after !== undefined && startsDay(latest, toItemTime(after))
        ? toDayLabel(toItemTime(after), today)
        : '',
  };
};

/** A thread with its rows. */
interface Shown {
  readonly items: readonly ThreadItem[];
  readonly context: ThreadContext;
  readonly rows: readonly ThreadRow[];
}

/**
 * Whether rows of sent messages stay valid: only unsent ones depend on what is being sent, and only
 * one has the line of the new messages below it.
 */
const isSameContext = (a: ThreadContext, b: ThreadContext): boolean =>
  a.people === b.people && a.reached === b.reached && a.today === b.today;

/**
 * The number of items that two threads share at their start and, apart from these, at their end.
 */
const countShared = (a: readonly ThreadItem[], b: readonly ThreadItem[]) => {
  const max = Math.min(a.length, b.length);
  let first = 0;
  while (first < max && a[first] === b[first]) first += 1;
  let last = 0;
  while (last < max - first && a[a.length - 1 - last] === b[b.length - 1 - last]) last += 1;
  return { first, last };
};

const NOTHING_SHARED = { first: 0, last: 0 };

/**
 * The rows of a thread: grouped (spec §4), with names and with date labels as seen today. Rows
 * whose item and neighbours are unchanged are reused, and so is every row that looks the same.
 */
const composeRows = (
  items: readonly ThreadItem[],
  context: ThreadContext,
  shown: Shown | undefined,
): readonly ThreadRow[] => {
  const isKept = shown !== undefined && isSameContext(shown.context, context);
  const shared = isKept ? countShared(shown.items, items) : NOTHING_SHARED;
  const shift = (shown?.items.length ?? 0) - items.length;
  const isSame = shared.first === items.length && shift === 0;
  // A shared item beside an added one has another neighbour.
  const isUnchanged = (i: number): boolean =>
    isSame || i < shared.first - 1 || i > items.length - shared.last;
  const changed = new Map(
    shown?.rows
      .slice(Math.max(shared.first - 1, 0), shown.rows.length - Math.max(shared.last - 1, 0))
      .map((row) => [row.key, row]),
  );
  let latest = 0;
  return items.map((item, i) => {
    latest = Math.max(latest, toItemTime(item));
    const known = shown?.rows[i < shared.first ? i : i + shift];
    const after = items[i + 1];
    const isValid =
      isUnchanged(i) &&
      item.source === 'log' &&
      known?.newAfter === isNewAfter(item, after, context.newFrom);
    if (isValid) return known;
    const row = toRow({ before: items[i - 1], item, after, latest }, context);
    const old = changed.get(row.key) ?? known;
    return old !== undefined && hasSameFields(old, row) ? old : row;
  });
};

/** Returns a function that makes the rows of one thread and reuses those of its previous call. */
export const createThreadRows = () => {
  let shown: Shown | undefined;
  return (items: readonly ThreadItem[], context: ThreadContext): readonly ThreadRow[] => {
    const rows = composeRows(items, context, shown);
    shown = { items, context, rows };
    return rows;
  };
};
