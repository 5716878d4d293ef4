import { toKindPrefix } from '#domain/envelope.ts';
import { createListeners } from '#domain/listeners.ts';
import { oncePer } from '#domain/once-per.ts';
import type { MessageRow } from '#domain/project/rows.ts';
import { isRoomKey, type RoomKey } from '#domain/rooms.ts';
import {
  isStaff,
  type RoomMarks,
  type RoomSummary,
  type Staff,
  summarize,
  toStaff,
} from '#domain/rules/waiting.ts';
import {
  findDone,
  findNewMarks,
  findReminder,
  findAssignee,
  type Marks,
  parseMarkKey,
} from '#domain/schemas/marks.ts';
import { nextTimetoken } from '#domain/timetoken.ts';

import { loadMessages, loadNewest, type ReadMessages } from '../facts/load-messages.ts';
import type { UserDatabase } from '../schema/database.ts';
import { takeReadable } from '../log/readable-tables.ts';
import { TABLES } from '../schema/tables.ts';
import { listMarks } from '../facts/list-marks.ts';
import { openProducers } from './fetched-lists.ts';
import { type DueRooms, RoomStates } from './room-states.ts';
import { shareQuery } from './watch.ts';

/** The marks of `listMarks`, kept up to date. */
export const openMarks = shareQuery<Marks>({ log: [toKindPrefix('mark')] }, listMarks);

export type Summaries = ReadonlyMap<RoomKey, RoomSummary>;

/** Rooms read in one transaction, so that no task takes long. */
const ROOMS_AT_ONCE = 25;
/** Messages that are read of a room first, and at most at once, so that no task takes long. */
const FEW_MESSAGES = 4;
const MANY_MESSAGES = 500;

const toRoomMarks = (marks: Marks, room: RoomKey): RoomMarks => ({
  done: findDone(marks, room),
  reminder: findReminder(marks, room),
  assignee: findAssignee(marks, room),
});

/**
 * The messages of a room in ascending order, starting at the newest one that is `last`. Most rooms
 * have it among the first few, and each read is one request, unlike the steps of a cursor.
 */
const loadBackTo = async (
  db: UserDatabase,
  room: RoomKey,
  isLast: (row: MessageRow) => boolean,
): Promise<ReadMessages> => {
  const rows: MessageRow[] = [];
  let reason: string | undefined;
  for (let count = FEW_MESSAGES; ; count = Math.min(count * 8, MANY_MESSAGES)) {
    const read = await loadNewest(db, room, count, rows[0]?.timetoken);
    reason ??= read.reason;
    const last = read.rows.findLastIndex(isLast);
    rows.unshift(...read.rows.slice(Math.max(0, last)));
    const isUnreadable = read.rows.length === 0 && count === MANY_MESSAGES;
    if (last !== -1 || read.count < count || isUnreadable) {
      return { rows, reason, count: rows.length };
    }
  }
};

/**
 * The messages of a room after its known summary; without one, starting at the last message that
 * needs no reply.
 */
const findRows = async (
  db: UserDatabase,
  room: RoomKey,
  known: RoomSummary | undefined,
  needsNoReply: (row: MessageRow) => boolean,
): Promise<readonly MessageRow[]> => {
  const read = await (known === undefined
    ? loadBackTo(db, room, needsNoReply)
    : loadMessages(db, room, { from: nextTimetoken(known.newest) }));
  return takeReadable(db, TABLES.entries, read);
};

/** The rooms with an activity row. */
const listActive = async (db: UserDatabase): Promise<DueRooms<RoomSummary>> => {
  const keys: readonly string[] = await db.activity.toCollection().primaryKeys();
  return new Map(keys.filter(isRoomKey).map((room) => [room, undefined]));
};

/** The summaries of all rooms, or of those that are due; an empty room has none. */
export const listSummaries = async (
  db: UserDatabase,
  staff: Staff,
  marks: Marks,
  due?: DueRooms<RoomSummary>,
  onSnapshot?: (room: RoomKey) => void,
): Promise<Summaries> => {
  const rooms = [...(due ?? (await listActive(db)))];
  const found = new Map<RoomKey, RoomSummary>();
  for (let at = 0; at < rooms.length; at += ROOMS_AT_ONCE) {
    const some = rooms.slice(at, at + ROOMS_AT_ONCE);
    await db.transaction('r', db.messageTables, async () =>
      Promise.all(
        some.map(async ([room, known]) => {
          const marked = toRoomMarks(marks, room);
          const needsNoReply = ({ publisher, timetoken }: MessageRow): boolean =>
            isStaff(publisher, staff) || timetoken <= marked.done;
          const rows = await findRows(db, room, known, needsNoReply);
          onSnapshot?.(room);
          const summary = summarize(known, rows, staff, marked);
          if (summary !== undefined) found.set(room, summary);
        }),
      ),
    );
  }
  return found;
};

/** The last message of every room and the start of its wait for a reply, in memory. */
class SummaryModel {
  readonly #db: UserDatabase;
  readonly #states: RoomStates<RoomSummary>;
  readonly #listeners = createListeners();
  #staff: Staff;
  #summaries: Summaries | undefined;
  /** The marks with which all rooms were read. */
  #marks: Marks | undefined;

  constructor(db: UserDatabase) {
    this.#db = db;
    this.#staff = this.#toStaff();
    this.#states = new RoomStates<RoomSummary>(db, {
      read: (due, onSnapshot) => this.#read(due, onSnapshot),
      extend: (room, known, { rows }) =>
        this.#marks && summarize(known, rows, this.#staff, toRoomMarks(this.#marks, room)),
      show: (summaries) => this.#show(summaries),
    });
    db.onEnd(openProducers(db).watch(() => this.#followStaff()));
    const marks = openMarks(db);
    db.onEnd(marks.watch(() => this.#followMarks(marks.get())));
  }

  /** Undefined until they were read. */
  readonly get = (): Summaries | undefined => this.#summaries;

  readonly watch = this.#listeners.add;

  #toStaff(): Staff {
    return toStaff(this.#db.uid, openProducers(this.#db).get());
  }

  /** A changed staff list may change in every room whether it waits. */
  #followStaff(): void {
    const next = this.#toStaff();
    const [before, after] = [[...(this.#staff.listed ?? [])], [...(next.listed ?? [])]];
    if (before.join('\n') === after.join('\n')) return;
    this.#staff = next;
    void this.#states.readAnew();
  }

  async #read(
    due: DueRooms<RoomSummary> | undefined,
    onSnapshot: (room: RoomKey) => void,
  ): Promise<Summaries> {
    // `#followMarks` handles marks that change meanwhile.
    if (due === undefined || this.#marks === undefined) this.#marks = await listMarks(this.#db);
    return listSummaries(this.#db, this.#staff, this.#marks, due, onSnapshot);
  }

  /** Changed marks may change the start of a room's wait. */
  #followMarks(next: Marks | undefined): void {
    if (next === undefined || this.#marks === undefined) return;
    const changed = [...findNewMarks(next, this.#marks).keys()];
    this.#marks = next;
    void this.#states.readAnew(changed.flatMap((key) => parseMarkKey(key)?.room ?? []));
  }

  #show(summaries: Summaries): void {
    this.#summaries = summaries;
    this.#listeners.emit();
  }
}

/** The summaries of a store's rooms, which end with the store. */
export const summariesOf = oncePer((db: UserDatabase) => new SummaryModel(db));
