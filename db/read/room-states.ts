import type { MessageRow, RoomActivity } from '#domain/project/rows.ts';
import { parseRoomActivity } from '#domain/project/row-schemas.ts';
import { ALL_ROOMS, isRoomKey, type RoomKey } from '#domain/rooms.ts';
import { type Timetoken, TIMETOKEN_MAX, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import { parseEntry, parsePositionKey } from '../facts/entry-row.ts';
import type { UserDatabase } from '../schema/database.ts';
import { READ_RETRY_MAX_MS, READ_RETRY_MIN_MS } from '../schema/limits.ts';
import type { RowChanges } from '../schema/row-changes.ts';
import { reportQueryFailed, withReopening } from '../schema/storage-errors.ts';
import { NONE, toValues } from './read-thread.ts';

/** The known state of a room up to its newest message. */
interface RoomState {
  readonly newest: Timetoken;
}

/** Rooms to read; a room is read after its known state, or from its start without one. */
export type DueRooms<S> = ReadonlyMap<RoomKey, S | undefined>;

/**
 * The smallest position at which messages changed, by room; the greatest position if none changed.
 */
type ChangedFrom = Map<RoomKey, Timetoken>;

const addChange = (changed: ChangedFrom, room: string, position: Timetoken): void => {
  if (!isRoomKey(room)) return;
  const known = changed.get(room) ?? position;
  changed.set(room, known < position ? known : position);
};

/** The rooms whose messages or activity changed; undefined if that is not known. */
const findChanged = (changes: RowChanges): ChangedFrom | undefined => {
  const messages = changes.get('entries') ?? NONE;
  const old = changes.get('messages') ?? NONE;
  const activity = changes.get('activity') ?? NONE;
  if (messages === 'all' || old === 'all' || activity === 'all' || activity.has(ALL_ROOMS)) {
    return undefined;
  }
  const changed: ChangedFrom = new Map();
  for (const room of activity.keys()) addChange(changed, room, TIMETOKEN_MAX);
  // Keys of an earlier version do not contain the position.
  for (const key of [...messages.keys(), ...old.keys()]) {
    const position = parsePositionKey(key)?.timetoken ?? TIMETOKEN_ZERO;
    addChange(changed, key.slice(0, key.indexOf('|')), position);
  }
  return changed;
};

/** The additions of a commit of this page to a room. */
export interface RoomAdditions {
  /** Messages in ascending order. */
  readonly rows: readonly MessageRow[];
  /** Absent if the commit did not change it. */
  readonly activity?: RoomActivity;
}

/**
 * The additions of a commit, by room; undefined if it did anything else, or if that is not known.
 */
const findAdditions = (changes: RowChanges): ReadonlyMap<RoomKey, RoomAdditions> | undefined => {
  const entries = changes.get('entries') ?? NONE;
  const active = changes.get('activity') ?? NONE;
  if (entries === 'all' || active === 'all' || changes.has('messages')) return undefined;
  // In the same order as a read.
  const inOrder = new Map([...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const [added, activities] = [toValues(inOrder, parseEntry), toValues(active, parseRoomActivity)];
  if (added === undefined || activities === undefined) return undefined;
  const rows = Map.groupBy(added.values(), (entry) => entry?.row.room);
  const additions = new Map<RoomKey, RoomAdditions>();
  for (const [room, found] of rows) {
    if (room === undefined) return undefined;
    additions.set(room, { rows: found.flatMap((entry) => entry?.row ?? []) });
  }
  for (const [room, activity] of activities) {
    if (activity === undefined || !isRoomKey(room)) return undefined;
    additions.set(room, { rows: additions.get(room)?.rows ?? [], activity });
  }
  return additions;
};

/** How the states of rooms are read and shown. */
export interface RoomStatesSource<S> {
  /** The states of the rooms that are due, or of all; rooms without one are omitted. */
  readonly read: (due: DueRooms<S> | undefined) => PromiseLike<ReadonlyMap<RoomKey, S>>;
  /** The known state, extended by later messages; undefined if the room has to be read. */
  readonly extend: (room: RoomKey, known: S, additions: RoomAdditions) => S | undefined;
  readonly show: (states: ReadonlyMap<RoomKey, S>) => void;
}

/**
 * The states of all rooms in memory, read once the constructor has returned, and kept up to date
 * until the store is closed. Additions of this page's commits are applied without reading. After
 * other commits, only the changed rooms are read, and of a room only the messages after its known
 * state.
 */
export class RoomStates<S extends RoomState> {
  readonly #db: UserDatabase;
  readonly #source: RoomStatesSource<S>;
  #states: ReadonlyMap<RoomKey, S> = new Map();
  /** Rooms to read; undefined for all of them. */
  #due: ChangedFrom | undefined;
  #reading = Promise.resolve();
  /** The number of unfinished reads. */
  #reads = 0;
  /** Ends the pause after a failed read. */
  #endPause: (() => void) | undefined;

  constructor(db: UserDatabase, source: RoomStatesSource<S>) {
    this.#db = db;
    this.#source = source;
    const follow = (changes: RowChanges): void => {
      if (!this.#takeOver(changes)) void this.#note(findChanged(changes));
    };
    db.onEnd(db.rows.watch(follow));
    void this.readAnew();
  }

  /**
   * Reads some rooms, or all of them, regardless of their known states. Resolves once everything
   * that is due so far was read and shown, or the store was closed.
   */
  readAnew(rooms?: readonly RoomKey[]): Promise<void> {
    return this.#note(rooms && new Map(rooms.map((room) => [room, TIMETOKEN_ZERO])));
  }

  /** The same, but of a room with a known state only what comes after it. */
  readAfter(rooms: readonly RoomKey[]): Promise<void> {
    return this.#note(new Map(rooms.map((room) => [room, TIMETOKEN_MAX])));
  }

  #note(changed: ChangedFrom | undefined): Promise<void> {
    this.#due = changed && this.#due;
    for (const [room, position] of changed ?? []) {
      if (this.#due !== undefined) addChange(this.#due, room, position);
    }
    this.#endPause?.();
    this.#reads += 1;
    this.#reading = this.#reading.then(() => this.#readDue());
    return this.#reading;
  }

  /** Applies a commit without reading; false if something has to be read. */
  #takeOver(changes: RowChanges): boolean {
    // A read in progress may be older than this commit.
    if (this.#reads > 0 || this.#db.hasOld) return false;
    const additions = findAdditions(changes);
    if (additions === undefined) return false;
    if (additions.size === 0) return true;
    const states = new Map(this.#states);
    let isChanged = false;
    for (const [room, added] of additions) {
      const known = states.get(room);
      const isLater =
        known !== undefined && (added.rows[0]?.timetoken ?? TIMETOKEN_MAX) > known.newest;
      const next = isLater ? this.#source.extend(room, known, added) : undefined;
      if (next === undefined) return false;
      states.set(room, next);
      isChanged ||= next !== known;
    }
    if (!isChanged) return true;
    this.#states = states;
    this.#source.show(states);
    return true;
  }

  async #readDue(): Promise<void> {
    let pauseMs = READ_RETRY_MIN_MS;
    while (this.#due?.size !== 0 && !this.#db.isEnded) {
      // A state is extended if all changes come after it; otherwise the whole room is read again.
      const toKnown = ([room, position]: readonly [RoomKey, Timetoken]) => {
        const known = this.#states.get(room);
        return [room, known !== undefined && known.newest < position ? known : undefined] as const;
      };
      const due = this.#due && new Map(Array.from(this.#due, toKnown));
      this.#due = new Map();
      try {
        const found = await withReopening(this.#db, () => this.#source.read(due));
        const kept = [...this.#states].filter(([room]) => due?.has(room) === false);
        this.#states = new Map([...kept, ...found]);
        this.#source.show(this.#states);
      } catch (error) {
        this.#due = undefined;
        reportQueryFailed(this.#db, `rooms ${this.#db.uid}`, error);
        // Pauses at most until the next change.
        await new Promise<void>((resolve) => {
          this.#endPause = resolve;
          setTimeout(resolve, pauseMs);
        });
        pauseMs = Math.min(2 * pauseMs, READ_RETRY_MAX_MS);
      }
    }
    this.#reads -= 1;
  }
}
