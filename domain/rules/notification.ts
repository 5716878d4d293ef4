import { type RoomKey, splitRoomKey } from '../rooms.ts';
import { toRoomName } from '../room-name.ts';
import { toRoomPath } from '../routes.ts';
import type { NotificationChoice, ShowNotification } from '../schemas/notification.ts';
import { type Timetoken, TIMETOKEN_ZERO } from '../timetoken.ts';
import type { UnreadByRoom } from './unread.ts';
import { toUnreadLabel } from './unread-label.ts';

export const isMuted = ({ mutedRooms, mutedClients }: NotificationChoice, room: RoomKey): boolean =>
  mutedRooms.includes(room) || mutedClients.includes(splitRoomKey(room).clientId);

const HOUR_MINUTES = 60;

/** Whether quiet hours include the local time of `now`. They end before the minute `to`. */
export const isQuietAt = ({ quiet }: NotificationChoice, now: Date): boolean => {
  if (quiet === undefined) return false;
  const minute = now.getHours() * HOUR_MINUTES + now.getMinutes();
  const isAfter = quiet.from <= minute;
  const isBefore = minute < quiet.to;
  return quiet.from <= quiet.to ? isAfter && isBefore : isAfter || isBefore;
};

const HOURS_MAX = 23;
const MINUTES_MAX = 59;

const PATTERN = /^(?<hours>\d{2}):(?<minutes>\d{2})/;

/** Minutes since midnight of "07:30", the value of a time field; undefined for anything else. */
export const parseTime = (text: string): number | undefined => {
  const { hours, minutes } = PATTERN.exec(text)?.groups ?? {};
  const [h, m] = [Number(hours), Number(minutes)];
  return h <= HOURS_MAX && m <= MINUTES_MAX ? h * HOUR_MINUTES + m : undefined;
};

const toTwoDigits = (value: number): string => String(value).padStart(2, '0');

/** "07:30" for the minute of a day. */
export const toTimeText = (minute: number): string =>
  `${toTwoDigits(Math.floor(minute / HOUR_MINUTES))}:${toTwoDigits(minute % HOUR_MINUTES)}`;

/**
 * The rooms with new unread messages, except those marked as unread. A missed message that is
 * found after later ones does not count as new, nor do messages that remain unread after others
 * were read.
 */
export const findChangedRooms = (before: UnreadByRoom, after: UnreadByRoom): readonly RoomKey[] =>
  [...after].flatMap(([room, { newest, markId }]) => {
    const known = before.get(room);
    const isMarked = markId !== undefined && markId !== known?.markId;
    return isMarked || newest <= (known?.newest ?? TIMETOKEN_ZERO) ? [] : [room];
  });

/** A room with unread messages, the newest of which is by someone else. */
export interface UnreadSummary {
  readonly room: RoomKey;
  readonly clientName: string;
  readonly count: number;
  readonly at: Timetoken;
  /** As `toSenderLabel` names it. */
  readonly sender: string;
  readonly text: string;
}

/** Notifications are cut to this length, characters; systems show less. */
const BODY_LENGTH_MAX = 240;

const toBody = ({ count, sender, text }: UnreadSummary): string => {
  const line = `${sender}: ${text.replaceAll(/\s+/gu, ' ')}`;
  const body = count === 1 ? line : `${toUnreadLabel(count)} new messages. ${line}`;
  const letters = Array.from(body);
  return letters.length > BODY_LENGTH_MAX ? `${letters.slice(0, BODY_LENGTH_MAX).join('')}…` : body;
};

const PRODUCT = 'Replay Desk';

/**
 * The content of a notification. Without names and texts, it contains only the number of messages.
 */
export const toNotification = (
  summary: UnreadSummary,
  { hasSound, showsText }: NotificationChoice,
): ShowNotification => {
  const { room, at, count, clientName } = summary;
  const common = {
    type: 'SHOW_NOTIFICATION',
    subject: 'messages',
    room,
    at,
    path: toRoomPath(room),
    silent: !hasSound,
  } as const;
  if (showsText) {
    return { ...common, title: toRoomName(room, clientName), body: toBody(summary) };
  }
  const body = count === 1 ? '1 new message' : `${toUnreadLabel(count)} new messages`;
  return { ...common, title: PRODUCT, body };
};

/** The notification of a reminder that was due `at`; without names, it contains nothing else. */
export const toReminderNotification = (
  {
    room,
    at,
    path,
    clientName,
  }: Pick<UnreadSummary, 'room' | 'at' | 'clientName'> & {
    readonly path: string;
  },
  { hasSound, showsText }: NotificationChoice,
): ShowNotification => ({
  type: 'SHOW_NOTIFICATION',
  subject: 'reminder',
  room,
  at,
  path,
  silent: !hasSound,
  title: showsText ? toRoomName(room, clientName) : PRODUCT,
  body: 'A reminder is due.',
});
