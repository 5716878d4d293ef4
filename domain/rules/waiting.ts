import type { MessageRow } from '../project/rows.ts';
import type { Producer } from '../schemas/producer.ts';
import type { Reminder } from '../schemas/marks.ts';
import type { Timetoken } from '../timetoken.ts';
import { CLIENT_PUBLISHER_PREFIX } from './sender.ts';

/** Who belongs to the staff, as far as this device knows. */
export interface Staff {
  /** The signed-in user. */
  readonly uid: string;
  /** The publishers of the staff list; undefined until one was fetched, or if it names no one. */
  readonly listed: ReadonlySet<string> | undefined;
}

/** The staff as the signed-in user's device knows it. */
export const toStaff = (uid: string, list: readonly Producer[] | undefined): Staff => ({
  uid,
  listed:
    list === undefined || list.length === 0
      ? undefined
      : new Set(list.map((producer) => producer.uid)),
});

/**
 * Whether a publisher is staff, by the same rule as `toSender`: the signed-in user and those on the
 * staff list are. A publisher with the prefix of the clients never is, whatever the list says. Any
 * other publisher is not either, because a client's app may publish under any name. Without a list
 * nobody can tell a colleague from them: then such a publisher counts as staff, so that a first
 * start does not show every colleague as a client who waits.
 */
export const isStaff = (publisher: string, { uid, listed }: Staff): boolean => {
  if (publisher === uid) return true;
  if (publisher.startsWith(CLIENT_PUBLISHER_PREFIX)) return false;
  return listed === undefined || listed.has(publisher);
};

/** What the list of clients shows of a room's log. */
export interface RoomSummary {
  readonly last: MessageRow;
  /** The position of the newest entry. */
  readonly newest: Timetoken;
  /**
   * A room waits for a reply if its last entry is not by staff, unless somebody marked that it needs
   * none. It has waited since the first entry after the last one by staff, or after that note:
   * writing again does not make a client wait anew.
   */
  readonly waitingSince: Timetoken | undefined;
  /** It does not wait although its last entry is not by staff: somebody marked that. */
  readonly isDone: boolean;
  /** The signed-in user's reminder, due or not. */
  readonly reminder: Reminder | undefined;
  /** The uid of who takes care of the room. */
  readonly assignee: string | undefined;
}

/** The name of a colleague, as far as this device knows it. */
export const toAssigneeName = (uid: string, staff: readonly Producer[] | undefined): string =>
  staff?.find((producer) => producer.uid === uid)?.name || 'A colleague';

/** What was marked about a room: up to `done` it needs no reply. */
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
