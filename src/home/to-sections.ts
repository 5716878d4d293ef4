import { TEXTS } from '#domain/errors.ts';
import type { OutboxItem } from '#domain/project/rows.ts';
import { type RoomKey, splitRoomKey } from '#domain/rooms.ts';
import { findAnswered, type UnreadByRoom } from '#domain/rules/unread.ts';
import { findMostUrgent, groupUnsent, listQueued } from '#domain/rules/unsent.ts';
import { type RoomSummary, toAssigneeName } from '#domain/rules/waiting.ts';
import { findReminders, findWaitingRooms, toReminderPath } from '#domain/rules/waiting-clients.ts';
import type { Reminder } from '#domain/schemas/marks.ts';
import type { Team } from '#domain/schemas/team.ts';
import { toRemindLabel } from '#domain/text/remind-times.ts';
import { toFullWaitLabel, toShortLabel } from '#domain/text/short-label.ts';
import {
  type Preview,
  toDraftPreview,
  toMessagePreview,
  toUnsentPreview,
} from '#domain/text/preview.ts';
import { compareTimetokens, type Timetoken, TIMETOKEN_ZERO, toEpochMs } from '#domain/timetoken.ts';
import type { InboxData } from '#src/chat/inbox/use-inbox-data.ts';

import {
  type Entry,
  inOrder,
  type OwnText,
  type Section,
  SECTION_NAMES,
  type SectionName,
  SHOWN_MAX,
} from './sections.ts';

const RECENT_MAX = 6;

/** Rooms answered or put aside here, with their summaries at that time. */
export type HandledRooms = ReadonlyMap<RoomKey, RoomSummary & { readonly isAnswered?: boolean }>;

/** The data from which Home is composed. */
export interface HomeData extends Omit<InboxData, 'summaries'> {
  readonly summaries: ReadonlyMap<RoomKey, RoomSummary>;
  readonly teams: ReadonlyMap<string, Team>;
  readonly unread: UnreadByRoom;
  /** Newest first. */
  readonly visited: readonly RoomKey[];
  readonly handled: HandledRooms;
  /** Sections whose entries are all shown. */
  readonly expanded: ReadonlySet<SectionName>;
}

/** Sections of messages from others. */
const COUNTED: ReadonlySet<SectionName> = new Set(['reminders', 'waiting', 'unread']);
/** Sections that a room leaves once it needs no reply. */
const UNTIL_HANDLED: ReadonlySet<SectionName> = new Set(['reminders', 'waiting']);

const EMPTY: Preview = { lead: '', text: 'No messages yet', kind: 'message', at: undefined };
/** A reminder leads to a message that is not the one shown otherwise. */
const EARLIER: Preview = { ...EMPTY, text: 'About an earlier message' };

const toRemoved = (id: string): Team => ({
  client_id: id,
  client: { first_name: 'Removed client', last_name: '' },
});

/** The assignee of a room. */
const toAssignee = ({ user, staff }: HomeData, summary: RoomSummary | undefined): string => {
  const uid = summary?.assignee;
  if (uid === undefined) return '';
  return uid === user?.uid ? 'You' : toAssigneeName(uid, staff);
};

const toEntry = (
  known: HomeData,
  name: SectionName,
  room: RoomKey,
  special?: {
    readonly preview?: Preview;
    readonly since?: Timetoken | undefined;
    readonly reminder?: Reminder | undefined;
    /** The reminder is not due yet. */
    readonly isLater?: boolean;
    readonly failed?: readonly string[];
    /** The user's texts, which stay after the client was removed. */
    readonly texts?: readonly OwnText[];
  },
): readonly Entry[] => {
  const { summaries, teams, user, staff, unread, now } = known;
  const { preview, since, reminder, isLater = false, failed = [], texts = [] } = special ?? {};
  const { clientId } = splitRoomKey(room);
  const team = teams.get(clientId) ?? (texts.length > 0 ? toRemoved(clientId) : undefined);
  if (team === undefined || user === undefined) return [];
  const summary = summaries.get(room);
  const last = summary && toMessagePreview(summary.last, { user, team, staff });
  const isEarlier = reminder?.about !== undefined && reminder.about !== summary?.last.timetoken;
  const { at, ...shown } = preview ?? (isEarlier ? EARLIER : (last ?? EMPTY));
  const newest = at ? toShortLabel(at, now) : '';
  const toDue = (time: number): string =>
    isLater ? toRemindLabel(time, now) : `Due ${toShortLabel(time, now)}`;
  return [
    {
      ...shown,
      id: `${name}:${room}`,
      room,
      team,
      path: toReminderPath(room, reminder ?? {}),
      time: reminder === undefined ? newest : toDue(toEpochMs(reminder.due)),
      isLater,
      wait: since === undefined ? '' : toFullWaitLabel(toEpochMs(since), now),
      unread: COUNTED.has(name) ? (unread.get(room)?.count ?? 0) : 0,
      summary: UNTIL_HANDLED.has(name) ? summary : undefined,
      assignee: UNTIL_HANDLED.has(name) ? toAssignee(known, summary) : '',
      failed,
      toCopy: teams.has(clientId) ? [] : texts,
    },
  ];
};

const byPosition =
  (positions: (room: RoomKey) => Timetoken | undefined) =>
  (a: RoomKey, b: RoomKey): number =>
    compareTimetokens(positions(a) ?? TIMETOKEN_ZERO, positions(b) ?? TIMETOKEN_ZERO);

const isFailed = ({ state }: OutboxItem): boolean => state === 'failed';

/** The state of a room's unsent messages: "1 failed, 2 queued", with the reason or the text. */
const toUnsentEntry = (
  known: HomeData,
  room: RoomKey,
  items: readonly OutboxItem[],
): readonly Entry[] => {
  const failed = items.filter(isFailed);
  const queued = items.length - failed.length;
  const lead = [failed.length > 0 && `${failed.length} failed`, queued > 0 && `${queued} queued`]
    .filter(Boolean)
    .join(', ');
  const first = findMostUrgent(items);
  if (first === undefined) return [];
  const preview = toUnsentPreview(first);
  const reason = first.state === 'failed' ? `${first.reason || TEXTS.publishFailed} ` : '';
  return toEntry(known, 'unsent', room, {
    preview: { ...preview, lead, text: `${reason}“${preview.text}”` },
    failed: failed.map(({ id }) => id),
    // The refused ones come first: the engine may not have answered the others yet.
    texts: (failed.length > 0 ? failed : items).map(({ id, text }) => ({ id, text })),
  });
};

/** The rooms without those of clients who were removed from the list. */
const listed = ({ teams }: HomeData, rooms: Iterable<RoomKey>): readonly RoomKey[] =>
  [...rooms].filter((room) => teams.has(splitRoomKey(room).clientId));

/**
 * Counts and summaries follow a commit one after the other. Between them, a room would be listed
 * under Unread for a moment: before it is known that its new message waits for a reply, or after
 * the user's answer, which marks the room as read unless the user marked it as unread since.
 */
const isUnread = ({ summaries, unread, user }: HomeData, room: RoomKey): boolean => {
  const [found, summary] = [unread.get(room), summaries.get(room)];
  if (found === undefined || summary === undefined) return false;
  const { last, newest } = summary;
  const isAnswered = last.publisher === user?.uid && found.first <= findAnswered(last);
  return found.first <= newest && (!isAnswered || found.markId !== undefined);
};

/**
 * The sections of Home that have entries. A room is listed once for messages from others, under
 * Reminders before Needs reply before Unread, and also for a reminder for later, a draft or unsent
 * messages. A room whose answer is on its way is under neither Needs reply nor Unread.
 */
export const toSections = (known: HomeData): readonly Section[] => {
  const { summaries, unread, items, isOnline, drafts, visited, handled, expanded, now } = known;
  const queued = listQueued(items);
  const unsent = groupUnsent(items, isOnline);
  const isAnswered = (room: RoomKey): boolean => queued.has(room) || handled.has(room);
  const { due, later } = findReminders(summaries, now);
  const since = findWaitingRooms(summaries, { queued, now });
  const hasFailed = (room: RoomKey): boolean => unsent.get(room)?.some(isFailed) === true;
  const newest = (room: RoomKey): Timetoken | undefined => summaries.get(room)?.newest;
  const toReminders = (times: typeof due): readonly RoomKey[] =>
    listed(known, times.keys()).toSorted(byPosition((room) => times.get(room)?.due));
  const reminders = toReminders(due).filter((room) => !handled.has(room));
  // An answer does not end them.
  const laterReminders = toReminders(later).filter(
    (room) => !handled.has(room) || handled.get(room)?.isAnswered === true,
  );
  const isDue = new Set(reminders);
  const waiting = listed(known, since.keys()).filter(
    (room) => !isAnswered(room) && !isDue.has(room),
  );
  const waits = new Set([...waiting, ...reminders]);
  const others = listed(known, unread.keys()).filter(
    (room) => isUnread(known, room) && !isAnswered(room) && !waits.has(room),
  );
  const rooms: Readonly<Record<SectionName, readonly RoomKey[]>> = {
    reminders: [...reminders, ...laterReminders],
    waiting: waiting.toSorted(byPosition((room) => since.get(room))),
    unread: others.toSorted(byPosition(newest)).toReversed(),
    drafts: [...drafts.keys()].toSorted(byPosition(newest)).toReversed(),
    unsent: [...unsent.keys()].toSorted((a, b) => Number(hasFailed(b)) - Number(hasFailed(a))),
    recent: [],
  };
  const above = new Set(Object.values(rooms).flat());
  const recent = listed(known, visited).filter((room) => !above.has(room));
  const show = (name: SectionName, room: RoomKey): readonly Entry[] => {
    if (name === 'unsent') return toUnsentEntry(known, room, unsent.get(room) ?? []);
    const draft = name === 'drafts' ? drafts.get(room) : undefined;
    if (draft !== undefined)
      return toEntry(known, name, room, {
        preview: toDraftPreview(draft),
        texts: [{ text: draft }],
      });
    const isLater = name === 'reminders' && later.has(room);
    const reminder = name === 'reminders' ? (due.get(room) ?? later.get(room)) : undefined;
    const isWait = UNTIL_HANDLED.has(name) && !isLater;
    const waitsSince = isWait ? since.get(room) : undefined;
    return toEntry(known, name, room, { reminder, isLater, since: waitsSince });
  };
  const sections = SECTION_NAMES.flatMap((name): readonly Section[] => {
    const all = name === 'recent' ? recent.slice(0, RECENT_MAX) : rooms[name];
    const shown = expanded.has(name) ? all : all.slice(0, SHOWN_MAX);
    const entries = shown.flatMap((room) => show(name, room));
    return entries.length === 0 ? [] : [{ name, entries, rooms: all }];
  });
  return inOrder(sections);
};
