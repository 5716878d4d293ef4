import { toMessagePath } from '../queries.ts';
import { toRoomPath } from '../routes.ts';
import { type RoomKey, splitRoomKey } from '../rooms.ts';
import type { Team } from '../schemas/team.ts';
import {
  compareTimetokens,
  earlierOf,
  fromEpochMs,
  laterOf,
  type Timetoken,
  TIMETOKEN_ZERO,
} from '../timetoken.ts';
import type { NewestByClient } from './inbox.ts';
import type { Reminder } from '../schemas/marks.ts';
import type { RoomSummary } from './waiting.ts';

/** The moment at which a view is computed. */
export interface Moment {
  /** Rooms with a queued reply: it will be sent. A refused reply does not count. */
  readonly queued: ReadonlySet<RoomKey>;
  /** ms since the epoch */
  readonly now: number;
}

/** Whether the user has a reminder for later, and nobody wrote in the room since it was set. */
const isSnoozed = ({ reminder, newest }: RoomSummary, now: Timetoken): boolean =>
  reminder !== undefined && reminder.due > now && newest <= reminder.upTo;

/** The start of each room's wait for the user. */
export const findWaitingRooms = (
  summaries: ReadonlyMap<RoomKey, RoomSummary>,
  { queued, now }: Moment,
): ReadonlyMap<RoomKey, Timetoken> => {
  const waiting = new Map<RoomKey, Timetoken>();
  const moment = fromEpochMs(now);
  for (const [room, summary] of summaries) {
    const { waitingSince } = summary;
    if (waitingSince === undefined || queued.has(room) || isSnoozed(summary, moment)) continue;
    waiting.set(room, waitingSince);
  }
  return waiting;
};

/** The user's reminders, by room: those that are due, and those for later. */
export const findReminders = (
  summaries: ReadonlyMap<RoomKey, RoomSummary>,
  now: number,
): Readonly<Record<'due' | 'later', ReadonlyMap<RoomKey, Reminder>>> => {
  const [due, later] = [new Map<RoomKey, Reminder>(), new Map<RoomKey, Reminder>()];
  const moment = fromEpochMs(now);
  for (const [room, { reminder }] of summaries) {
    if (reminder !== undefined) (reminder.due <= moment ? due : later).set(room, reminder);
  }
  return { due, later };
};

/** Where a reminder leads: to its message, or to the end of its room. */
export const toReminderPath = (room: RoomKey, { about }: Pick<Reminder, 'about'>): string =>
  about === undefined ? toRoomPath(room) : toMessagePath(room, about);

/** The start of the longest wait among each client's rooms, by client id. */
export const findWaiting = (
  summaries: ReadonlyMap<RoomKey, RoomSummary>,
  moment: Moment,
): ReadonlyMap<string, Timetoken> => {
  const waiting = new Map<string, Timetoken>();
  for (const [room, since] of findWaitingRooms(summaries, moment)) {
    const { clientId } = splitRoomKey(room);
    waiting.set(clientId, earlierOf(waiting.get(clientId) ?? since, since));
  }
  return waiting;
};

/** The ids of the clients with a room that is assigned to `uid`. */
export const findAssignedClients = (
  summaries: ReadonlyMap<RoomKey, RoomSummary>,
  uid: string,
): ReadonlySet<string> =>
  new Set(
    [...summaries].flatMap(([room, { assignee }]) =>
      assignee === uid ? [splitRoomKey(room).clientId] : [],
    ),
  );

/** The clients who wait, the longest waiting first. */
export const listWaiting = (
  teams: readonly Team[],
  waiting: ReadonlyMap<string, Timetoken>,
): readonly Team[] => {
  const since = ({ client_id }: Team): Timetoken => waiting.get(client_id) ?? TIMETOKEN_ZERO;
  return teams
    .filter(({ client_id }) => waiting.has(client_id))
    .toSorted((a, b) => compareTimetokens(since(a), since(b)));
};

/** The room with the newest entry of several. */
export const findNewest = (
  rooms: readonly RoomKey[],
  summaries: ReadonlyMap<RoomKey, RoomSummary>,
): RoomSummary | undefined =>
  rooms
    .map((room) => summaries.get(room))
    .filter((summary) => summary !== undefined)
    .reduce<RoomSummary | undefined>(
      (known, next) => (known !== undefined && known.newest >= next.newest ? known : next),
      undefined,
    );

/** The position of the newest entry in each client's rooms. */
export const listNewest = (summaries: ReadonlyMap<RoomKey, RoomSummary>): NewestByClient => {
  const positions = new Map<string, Timetoken>();
  for (const [room, { newest }] of summaries) {
    const { clientId } = splitRoomKey(room);
    positions.set(clientId, laterOf(positions.get(clientId) ?? newest, newest));
  }
  return positions;
};
