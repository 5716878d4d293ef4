import * as z from 'zod/mini';

import { isRoomKey } from '../rooms.ts';
import { type Choices, CHOSEN, parseMarkKey, toMarkKey, toSwitchValue } from './marks.ts';

/** Minutes of a day. */
const DAY_MINUTES = 1440;
const isMinute = (value: number): boolean =>
  Number.isInteger(value) && value >= 0 && value < DAY_MINUTES;
export const minuteSchema = z.number().check(z.refine(isMinute));

/** Minutes since midnight, local time; a range may span midnight. */
const quietSchema = z.object({ from: minuteSchema, to: minuteSchema });
export type QuietHours = z.infer<typeof quietSchema>;

/**
 * The user's notification settings. `isOn` and `showsText` apply to one device; the rest is shared
 * by all of the user's devices (`toSharedChoices`).
 */
export const notificationChoiceSchema = z.object({
  isOn: z.boolean(),
  hasSound: z.boolean(),
  /** Names and texts are shown, also to other people who see the screen. */
  showsText: z.boolean(),
  quiet: z.optional(quietSchema),
  mutedRooms: z.array(z.string()),
  /** Clients all of whose rooms are muted. */
  mutedClients: z.array(z.string()),
});
export type NotificationChoice = z.infer<typeof notificationChoiceSchema>;

export const DEFAULT_NOTIFICATIONS: NotificationChoice = {
  isOn: false,
  hasSound: false,
  showsText: true,
  mutedRooms: [],
  mutedClients: [],
};

const SOUND = toMarkKey('setting', 'sound');
const QUIET = toMarkKey('setting', 'quiet');

/** The part of a choice that all devices of the user share. */
export const toSharedChoices = (choice: NotificationChoice): Choices => {
  const { hasSound, quiet, mutedRooms, mutedClients } = choice;
  return new Map([
    [SOUND, toSwitchValue(hasSound)],
    [QUIET, quiet === undefined ? '' : `${quiet.from}.${quiet.to}`],
    ...[...mutedRooms, ...mutedClients].map((one) => [toMarkKey('muted', one), CHOSEN] as const),
  ]);
};

/** Undefined for none, and for unreadable hours. */
const parseQuiet = (value = ''): QuietHours | undefined => {
  const [from, to] = value.split('.').map(Number);
  return quietSchema.safeParse({ from, to }).data;
};

/** The inverse of `toSharedChoices`. */
export const parseSharedChoices = (
  choices: Choices,
): Pick<NotificationChoice, 'hasSound' | 'quiet' | 'mutedRooms' | 'mutedClients'> => {
  const muted = [...choices].flatMap(([key, value]) => {
    const about = value === CHOSEN ? parseMarkKey(key) : undefined;
    return about?.kind === 'muted' ? [about.subject] : [];
  });
  return {
    hasSound: choices.get(SOUND) === CHOSEN,
    quiet: parseQuiet(choices.get(QUIET)),
    mutedRooms: muted.filter(isRoomKey),
    mutedClients: muted.filter((one) => !isRoomKey(one)),
  };
};

/**
 * The Web Lock under which notifications are listed, shown and closed. Chromium forgets one that is
 * being shown while they are listed: it is in no later list, so nothing can close it
 * (PlatformNotificationContextImpl drops what is stored and not displayed yet).
 */
export const NOTIFICATION_LOCK = 'replay-desk-notifications';

/** The subject of a notification: new messages in a room, or a reminder. */
export type NotificationSubject = 'messages' | 'reminder';
/** Pages of earlier versions send requests about messages alone, without a subject. */
const subjectSchema = z.optional(z.enum(['messages', 'reminder']));

/**
 * From a page to the service worker: show one, in place of an older one about the same subject and
 * room.
 */
const showSchema = z.object({
  type: z.literal('SHOW_NOTIFICATION'),
  subject: subjectSchema,
  room: z.string(),
  /** Timetoken of the message or the reminder; a later request about it changes nothing. */
  at: z.string(),
  title: z.string(),
  body: z.string(),
  /** Opened by a click. */
  path: z.string(),
  silent: z.boolean(),
});

/** From a page to the service worker: close all others about the subject. */
const keepSchema = z.object({
  type: z.literal('KEEP_NOTIFICATIONS'),
  subject: subjectSchema,
  rooms: z.array(z.string()),
});

export const notificationRequestSchema = z.union([showSchema, keepSchema]);
export type NotificationRequest = z.infer<typeof notificationRequestSchema>;
export type ShowNotification = z.infer<typeof showSchema>;

/** The data of a notification: its position, and the path that a click opens. */
export const notificationDataSchema = z.object({ at: z.string(), path: z.string() });

/** From the service worker to a page, with a port for an answer: a notification was clicked. */
export const openPathSchema = z.object({ type: z.literal('OPEN_PATH'), path: z.string() });
export type OpenPath = z.infer<typeof openPathSchema>;
