import type { OutboxItem } from '#domain/project/rows.ts';
import { ROOM_IDS, ROOM_TITLES, type RoomKey, splitRoomKey, toRoomKey } from '#domain/rooms.ts';
import type { Filter } from '#domain/rules/inbox.ts';
import { isMuted } from '#domain/rules/notification.ts';
import type { UnreadByRoom } from '#domain/rules/unread.ts';
import { findMostUrgent, groupUnsent, listQueued } from '#domain/rules/unsent.ts';
import type { RoomSummary } from '#domain/rules/waiting.ts';
import {
  findAssignedClients,
  findNewest,
  findWaiting,
  findWaitingRooms,
  listNewest,
  listWaiting,
} from '#domain/rules/waiting-clients.ts';
import type { NotificationChoice } from '#domain/schemas/notification.ts';
import type { Team } from '#domain/schemas/team.ts';
import { toShortLabel, toWaitLabel } from '#domain/text/short-label.ts';
import {
  type Preview,
  toDraftPreview,
  toMessagePreview,
  toUnsentPreview,
} from '#domain/text/preview.ts';
import { compareTimetokens, type Timetoken, toEpochMs } from '#domain/timetoken.ts';

import { MUTED_MARK } from './muted-mark.tsx';
import type { InboxData } from './use-inbox-data.ts';
import type { Line, Lines } from './use-lines.ts';

const roomsOf = ({ client_id }: Team): readonly RoomKey[] =>
  ROOM_IDS.map((id) => toRoomKey(client_id, id));

/** The line of a room that is known to be empty. */
const EMPTY: Line = {
  lead: '',
  text: 'No messages yet',
  kind: 'message',
  time: '',
  wait: '',
  said: 'No messages yet',
  note: '',
};

/** A draft in one of a client's rooms. The list is ordered by the newest message. */
const toClientDraft = (text: string, room: RoomKey, newest: RoomSummary | undefined): Preview => ({
  ...toDraftPreview(text),
  lead: `Draft in ${ROOM_TITLES[splitRoomKey(room).roomId]}`,
  at: newest && toEpochMs(newest.newest),
});

/** The room with the oldest unread message. */
const findFirstUnread = (rooms: readonly RoomKey[], unread: UnreadByRoom): RoomKey | undefined => {
  const found = rooms.flatMap((room) => {
    const first = unread.get(room)?.first;
    return first === undefined ? [] : [{ room, first }];
  });
  return found.toSorted((a, b) => compareTimetokens(a.first, b.first))[0]?.room;
};

/** The same, but the open room comes first while it has some: its user is reading there. */
const findUnread = (
  rooms: readonly RoomKey[],
  unread: UnreadByRoom,
  open: RoomKey | undefined,
): RoomKey | undefined =>
  rooms.find((room) => room === open && unread.has(room)) ?? findFirstUnread(rooms, unread);

type Mute = Pick<Line, 'mute' | 'quiet'>;

/** What the lists show of mutes: nothing where notifications are off, and with them their menu. */
const toMutes = (choice: NotificationChoice | undefined) => {
  const on = choice?.isOn === true ? choice : undefined;
  const isSilent = (room: RoomKey): boolean => on !== undefined && isMuted(on, room);
  return {
    ofClient: (rooms: readonly RoomKey[], unread: UnreadByRoom): Mute => {
      const counted = rooms.filter((room) => unread.has(room));
      return {
        mute: rooms.every(isSilent) ? MUTED_MARK : undefined,
        quiet: (counted.length > 0 && counted.every(isSilent)) || undefined,
      };
    },
    ofRoom: ({ client_id }: Team, room: RoomKey): Mute => ({
      mute: isSilent(room) && !on?.mutedClients.includes(client_id) ? MUTED_MARK : undefined,
      quiet: isSilent(room) || undefined,
    }),
  };
};

const toLine = (
  preview: Preview | undefined,
  since: Timetoken | undefined,
  now: number,
): Line | undefined => {
  if (preview === undefined) return undefined;
  const { at, ...shown } = preview;
  const time = at === undefined ? '' : toShortLabel(at, now);
  const wait = since === undefined ? '' : toWaitLabel(toEpochMs(since), now);
  const said = `${shown.lead}: ${shown.text}`;
  const note = [time, wait && `waiting ${wait}`].filter(Boolean).join(', ');
  return { ...shown, time, wait, said, note };
};

/**
 * The lines of one moment. Unsent messages come first, then drafts: they are what the user still
 * has to finish. A draft does not hide unread messages in other rooms of its client. `known`: the
 * rooms whose messages this device has read.
 */
export const toLines = (
  data: InboxData,
  known: ReadonlySet<RoomKey> | undefined,
  choice: NotificationChoice | undefined,
  open: RoomKey | undefined,
): Lines => {
  const mutes = toMutes(choice);
  const { items, isOnline, summaries, drafts, user, staff, now } = data;
  const unsent = groupUnsent(items, isOnline);
  const moment = { queued: listQueued(items), now };
  const waiting = summaries && findWaiting(summaries, moment);
  const waits = summaries && findWaitingRooms(summaries, moment);
  const mine = summaries && user && findAssignedClients(summaries, user.uid);
  const findUnsent = (rooms: readonly RoomKey[]): OutboxItem | undefined =>
    findMostUrgent(rooms.flatMap((room) => unsent.get(room) ?? []));
  const toUnsent = (item: OutboxItem | undefined): Preview | undefined =>
    item && toUnsentPreview(item);
  const toLast = (team: Team, summary: RoomSummary | undefined): Preview | undefined =>
    summary && user && toMessagePreview(summary.last, { user, team, staff });
  const findNewestOf = (rooms: readonly RoomKey[]): RoomSummary | undefined =>
    summaries && findNewest(rooms, summaries);
  const toPreview = (
    team: Team,
    rooms: readonly RoomKey[],
    unread: UnreadByRoom,
  ): Preview | undefined => {
    const newest = findNewestOf(rooms);
    const drafted = rooms.find((room) => drafts.has(room));
    if (drafted === undefined) return toLast(team, newest);
    const elsewhere = rooms.filter((room) => unread.has(room) && room !== drafted);
    const draft = toClientDraft(drafts.get(drafted) ?? '', drafted, newest);
    return toLast(team, findNewestOf(elsewhere)) ?? draft;
  };
  return {
    newest: summaries && listNewest(summaries),
    ofClient: (team, filter, unread) => {
      const since = waiting?.get(team.client_id);
      const all = roomsOf(team);
      const isAssigned = (room: RoomKey): boolean =>
        user !== undefined && summaries?.get(room)?.assignee === user.uid;
      const meant: Readonly<Record<Filter, () => RoomKey | undefined>> = {
        all: () => undefined,
        waiting: () => all.find((each) => since !== undefined && waits?.get(each) === since),
        unread: () => findFirstUnread(all, unread),
        mine: () => all.find(isAssigned),
      };
      const room = meant[filter]();
      const rooms = room ? [room] : all;
      const item = findUnsent(rooms);
      const preview = toUnsent(item) ?? toPreview(team, rooms, unread);
      return {
        ...toLine(preview, since, now),
        ...mutes.ofClient(all, unread),
        room: room ?? item?.room ?? findUnread(all, unread, open),
      };
    },
    ofRoom: (team, room) => {
      const draft = drafts.get(room);
      const own = draft === undefined ? undefined : toDraftPreview(draft);
      const preview = toUnsent(findUnsent([room])) ?? own ?? toLast(team, summaries?.get(room));
      const empty = summaries && known?.has(room) ? EMPTY : undefined;
      return { ...(toLine(preview, undefined, now) ?? empty), ...mutes.ofRoom(team, room) };
    },
    list: (filter, teams) =>
      filter === 'waiting'
        ? waiting && listWaiting(teams, waiting)
        : mine && teams.filter(({ client_id }) => mine.has(client_id)),
  };
};
