import type { ThreadItem } from '#domain/project/rows.ts';
import { toDateLabel, toDayLabel, toIso, toTimeLabel } from '#domain/text/date-label.ts';
import { groupThread, type MessageGroup, toItemTime } from '#domain/rules/grouping.ts';
import { type People, toSender } from '#domain/rules/sender.ts';
import type { Timetoken } from '#domain/timetoken.ts';

import { type ThreadRow, toMessageId, toMessageState } from './thread-row.ts';

/** The context for rendering a thread, besides its items. */
export interface ThreadContext {
  readonly people: People;
  /** Ids of messages that are being sent. */
  readonly sending: ReadonlySet<string>;
  /** Whether the server is reachable, so that gaps are being filled. */
  readonly reached: boolean;
  /** Where the messages that are new to the reader begin. */
  readonly newFrom: Timetoken | undefined;
  /** A moment of today, ms since the epoch. */
  readonly today: number;
}

/** The author of an item, as the engine or the outbox states it. */
const toOrigin = (item: ThreadItem) =>
  item.source === 'log'
    ? { publisher: item.row.publisher, clientName: item.row.clientName }
    : { publisher: item.item.uid, clientName: '' };

interface RowPlace {
  readonly group: MessageGroup;
  /** The item above it in the group. */
  readonly above: ThreadItem | undefined;
  readonly nextDay: string;
  /** The last item before the new messages. */
  readonly lastRead: ThreadItem | undefined;
}

const toRow = (
  item: ThreadItem,
  { group, above, nextDay, lastRead }: RowPlace,
  { people, sending, reached, today }: Omit<ThreadContext, 'newFrom'>,
): ThreadRow => {
  const at = toItemTime(item);
  const time = toTimeLabel(at);
  return {
    key: item.key,
    id: toMessageId(item),
    own: item.own,
    state: toMessageState(item, sending),
    readable: item.source === 'outbox' || item.row.kind === 'message',
    text: item.source === 'log' ? item.row.text : item.item.text,
    reason: item.source === 'outbox' ? (item.item.reason ?? '') : '',
    ...toSender(toOrigin(item), people),
    startsGroup: item === group.items[0],
    label: toDateLabel(at, today),
    time,
    repeatsTime: above !== undefined && toTimeLabel(toItemTime(above)) === time,
    iso: toIso(at),
    gap: item.source === 'log' && item.gapAfter ? (reached ? 'filling' : 'waiting') : '',
    newAfter: item === lastRead,
    nextDay: item === group.items.at(-1) ? nextDay : '',
  };
};

const findLastRead = (
  items: readonly ThreadItem[],
  newFrom: Timetoken | undefined,
): ThreadItem | undefined => {
  if (newFrom === undefined) return undefined;
  const first = items.findIndex((item) => item.source === 'log' && item.row.timetoken === newFrom);
  return first > 0 ? items[first - 1] : undefined;
};

/** The day of the next group, if it is another one. */
const toNextDay = (group: MessageGroup, next: MessageGroup | undefined, today: number): string =>
  next === undefined || next.day === group.day ? '' : toDayLabel(next.at, today);

/**
 * The rows of a thread: grouped (spec §4), with names and with date labels as seen today. The last
 * row of a day has the label of the next one, so that older rows added above do not change the
 * visible rows.
 */
export const toThreadRows = (
  items: readonly ThreadItem[],
  { newFrom, ...context }: ThreadContext,
): readonly ThreadRow[] => {
  const lastRead = findLastRead(items, newFrom);
  return groupThread(items).flatMap((group, index, groups) => {
    const nextDay = toNextDay(group, groups[index + 1], context.today);
    return group.items.map((item, place) =>
      toRow(item, { group, above: group.items[place - 1], nextDay, lastRead }, context),
    );
  });
};
