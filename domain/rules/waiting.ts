import type { MessageRow } from '../project/rows.ts';
import type { Producer } from '../schemas/producer.ts';
import type { Reminder } from '../schemas/marks.ts';
import type { Timetoken } from '../timetoken.ts';
import { CLIENT_PUBLISHER_PREFIX } from './sender.ts';

/** The members of the staff, as far as known to this device. */
export interface Staff {
  /** The signed-in user. */
  readonly uid: string;
  /** The publishers of the staff list; undefined until one was fetched, and if it is empty. */
  readonly listed: ReadonlySet<string> | undefined;
}

/** The staff, from the signed-in user and the staff list. */
export const toStaff = (uid: string, list: readonly Producer[] | undefined): Staff => ({
  uid,
  listed:
    list === undefined || list.length === 0
      ? undefined
      : new Set(list.map((producer) => producer.uid)),
});

/**
 * Whether a publisher is staff. With a staff list, by the same rule as `toSender`: the signed-in
 * user and those on the list are, and no other, because a client's app may publish under any name.
 * A publisher with the prefix of the clients never is, even if the list contains it. Without a list,
 * which `toSender` reports as `unchecked`, every other publisher counts as staff, so that a first
 * start does not show every colleague as a client who waits.
 */
export const isStaff = (publisher: string, { uid, listed }: Staff): boolean => {
  if (publisher === uid) return true;
  if (publisher.startsWith(CLIENT_PUBLISHER_PREFIX)) return false;
  return listed === undefined || listed.has(publisher);
};

/** The summary of a room's log for the client list. */
export interface RoomSummary {
  readonly last: MessageRow;
  /** The position of the newest entry. */
  readonly newest: Timetoken;
  /**
   * A room waits for a reply if its last entry is not by staff, unless somebody marked that it
   * needs none. It has waited since the first entry after the last one by staff, or after that
   * mark: writing again does not restart a client's wait.
   */
  readonly waitingSince: Timetoken | undefined;
  /**
   * It does not wait although its last entry is not by staff: somebody marked that it needs no
   * reply.
   */
  readonly isDone: boolean;
  /** The signed-in user's reminder, due or not. */
  readonly reminder: Reminder | undefined;
  /** The uid of the staff member to whom the room is assigned. */
  readonly assignee: string | undefined;
}

/** The name of a colleague, as far as known to this device. */
export const toAssigneeName = (
  uid: string,
  staff: readonly Producer[] | undefined,
  unknown = 'A colleague',
): string => staff?.find((producer) => producer.uid === uid)?.name || unknown;

/** The marks of a room: up to `done` it needs no reply. */
export interface RoomMarks extends Pick<RoomSummary, 'reminder' | 'assignee'> {
  readonly done: Timetoken;
}

/** A summary after further entries of the same room, oldest first; undefined if there is none. */
export const summarize = (
  before: RoomSummary | undefined,
  rows: readonly MessageRow[],
  staff: Staff,
  { done, reminder, assignee }: RoomMarks,
): RoomSummary | undefined =>
  rows.reduce<RoomSummary | undefined>((known, row) => {
    const since = known?.waitingSince ?? row.timetoken;
    const isDone = !isStaff(row.publisher, staff) && row.timetoken <= done;
    const waitingSince = isDone || isStaff(row.publisher, staff) ? undefined : since;
    return { last: row, newest: row.timetoken, waitingSince, isDone, reminder, assignee };
  }, before);
