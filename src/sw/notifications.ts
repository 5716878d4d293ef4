import {
  NOTIFICATION_LOCK,
  notificationDataSchema,
  type NotificationRequest,
  notificationRequestSchema,
  type NotificationSubject,
  type OpenPath,
  type ShowNotification,
} from '#domain/schemas/notification.ts';

declare const self: ServiceWorkerGlobalScope;

const REMINDER = 'reminder ';
/** A notification takes the place of the one with the same tag. */
const toTag = (subject: NotificationSubject, room: string): string =>
  subject === 'reminder' ? REMINDER + room : room;
const isAbout = (tag: string, subject: NotificationSubject): boolean =>
  tag.startsWith(REMINDER) === (subject === 'reminder');

/** By tag, the position up to which a notification was requested: every open tab requests it. */
const requested = new Map<string, string>();

const isFocused = async (): Promise<boolean> => {
  const pages = await self.clients.matchAll({ type: 'window' });
  return pages.some(({ focused }) => focused);
};

/** Runs one task at a time. */
const inTurn = (run: () => Promise<void>): Promise<void> =>
  navigator.locks.request(NOTIFICATION_LOCK, run);

/**
 * Shows at most one notification per subject and room, and none to a user who is looking at
 * Replay Desk.
 */
const show = async (request: ShowNotification): Promise<void> => {
  const { subject = 'messages', room, at, title, body, path, silent } = request;
  const tag = toTag(subject, room);
  if ((requested.get(tag) ?? '') >= at) return;
  requested.set(tag, at);
  if (Notification.permission !== 'granted' || (await isFocused())) return;
  const [older] = await self.registration.getNotifications({ tag });
  const known = notificationDataSchema.safeParse(older?.data);
  if (known.success && known.data.at >= at) return;
  const options = {
    tag,
    body,
    silent,
    // A newer message is announced again, although it takes the place of the older one.
    renotify: true,
    icon: '/icon-192.png',
    data: { at, path },
  };
  await self.registration.showNotification(title, options);
};

const keepOnly = async (subject: NotificationSubject, rooms: readonly string[]): Promise<void> => {
  const kept = new Set(rooms.map((room) => toTag(subject, room)));
  for (const notification of await self.registration.getNotifications()) {
    const { tag } = notification;
    if (isAbout(tag, subject) && !kept.has(tag)) notification.close();
  }
};

const serve = (request: NotificationRequest): Promise<void> =>
  request.type === 'SHOW_NOTIFICATION'
    ? show(request)
    : keepOnly(request.subject ?? 'messages', request.rooms);

/** A page that is still loading, or is no page of the product, does not answer, ms. */
const ANSWER_MS_MAX = 2000;

/** Tells a page to open a path; resolves when it answers. */
const requestPath = (page: WindowClient, path: string): Promise<boolean> => {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.addEventListener('message', () => resolve(true));
    port1.start();
    page.postMessage({ type: 'OPEN_PATH', path } satisfies OpenPath, [port2]);
  });
};

/** Shows an open page, or opens one. */
const openPath = async (path: string): Promise<void> => {
  const pages = await self.clients.matchAll({ type: 'window' });
  const page = pages.find(({ visibilityState }) => visibilityState === 'visible') ?? pages[0];
  if (page === undefined) {
    await self.clients.openWindow(path);
    return;
  }
  const answered = requestPath(page, path);
  // Refused without a click of the user, as some systems report it late.
  await page.focus().catch(() => undefined);
  // A frozen page answers once it has the focus.
  const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), ANSWER_MS_MAX));
  // Drafts are stored, so that loading the page again keeps them.
  if (!(await Promise.race([answered, late]))) await page.navigate(path).catch(() => undefined);
};

/** Shows and closes notifications for the pages, one request at a time; opens what is clicked. */
export const serveNotifications = (): void => {
  self.addEventListener('message', (event) => {
    const request = notificationRequestSchema.safeParse(event.data);
    if (!request.success) return;
    event.waitUntil(inTurn(() => serve(request.data)));
  });
  self.addEventListener('notificationclick', (event) => {
    const { notification } = event;
    const data = notificationDataSchema.safeParse(notification.data);
    // The click's permission to open a window is short: opening waits for no lock.
    event.waitUntil(openPath(data.success ? data.data.path : '/'));
    event.waitUntil(inTurn(async () => notification.close()));
  });
};
