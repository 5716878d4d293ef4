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

const addChange = (changed: ChangedFrom | undefined, room: string, position: Timetoken): void => {
  if (!isRoomKey(room)) return;
  const known = changed?.get(room) ?? position;
  changed?.set(room, known < position ? known : position);
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

/** The position of the first added message; the greatest position if there is none. */
const toFrom = ({ rows }: RoomAdditions): Timetoken => rows[0]?.timetoken ?? TIMETOKEN_MAX;

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
  /**
   * The states of the rooms that are due, or of all; rooms without one are omitted. Calls
   * `onSnapshot` in a transaction once a request of it succeeded, for a room or for all that are
   * due: the result includes exactly the commits of this page that were reported before.
   */
  readonly read: (
    due: DueRooms<S> | undefined,
    onSnapshot: (room?: RoomKey) => void,
  ) => PromiseLike<ReadonlyMap<RoomKey, S>>;
  /** The known state, extended by later messages; undefined if the room has to be read. */
  readonly extend: (room: RoomKey, known: S, additions: RoomAdditions) => S | undefined;
  readonly show: (states: ReadonlyMap<RoomKey, S>) => void;
}

/**
 * The states of all rooms in memory, read once the constructor has returned, and kept up to date
 * until the store is closed. Additions of this page's commits are applied without reading, those
 * that a read in progress does not include after it. After other commits, only the changed rooms
 * are read, and of a room only the messages after its known state.
 */
export class RoomStates<S extends RoomState> {
  readonly #db: UserDatabase;
  readonly #source: RoomStatesSource<S>;
  #states: ReadonlyMap<RoomKey, S> = new Map();
  /** Rooms to read; undefined for all of them. */
  #due: ChangedFrom | undefined;
  /** Additions since the read in progress began, in the order of their commits. */
  #later: [room: RoomKey, added: RoomAdditions][] = [];
  #reading = Promise.resolve();
  /** The number of unfinished reads. */
  #reads = 0;
  /** Ends the pause after a failed read. */
  #endPause: (() => void) | undefined;

  constructor(db: UserDatabase, source: RoomStatesSource<S>) {
    this.#db = db;
    this.#source = source;
    db.onEnd(db.rows.watch((changes) => this.#follow(changes)));
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
    for (const [room, position] of changed ?? []) addChange(this.#due, room, position);
    this.#endPause?.();
    this.#reads += 1;
    this.#reading = this.#reading.then(() => this.#readDue());
    return this.#reading;
  }

  #follow(changes: RowChanges): void {
    const additions = this.#db.hasOld ? undefined : findAdditions(changes);
    if (additions === undefined) {
      void this.#note(findChanged(changes));
      return;
    }
    this.#later.push(...additions);
    this.#endPause?.();
    if (this.#reads > 0) return;
    const before = this.#states;
    this.#extend();
    if (this.#states !== before) this.#source.show(this.#states);
    if (this.#due?.size !== 0) void this.readAnew([]);
  }

  /** Applies the later additions; the rooms that have to be read instead are due then. */
  #extend(): void {
    const states = new Map(this.#states);
    for (const [room, added] of this.#later) {
      const known = states.get(room);
      const from = toFrom(added);
      const isLater = known !== undefined && from > known.newest && !this.#due?.has(room);
      const next = isLater ? this.#source.extend(room, known, added) : undefined;
      if (next === undefined) addChange(this.#due, room, from);
      else if (next !== known) this.#states = states.set(room, next);
    }
    this.#later = [];
  }

  async #readDue(): Promise<void> {
    let pauseMs = READ_RETRY_MIN_MS;
    while (this.#due?.size !== 0 && !this.#db.isEnded) {
      for (const [room, added] of this.#later) {
        if (this.#due?.has(room)) addChange(this.#due, room, toFrom(added));
      }
      // A state is extended if all changes come after it; otherwise the whole room is read again.
      const toKnown = ([room, position]: readonly [RoomKey, Timetoken]) => {
        const known = this.#states.get(room);
        return [room, known !== undefined && known.newest < position ? known : undefined] as const;
      };
      const due = this.#due && new Map(Array.from(this.#due, toKnown));
      this.#due = new Map();
      const onSnapshot = (only?: RoomKey): void => {
        // Of a known state, only later messages are read.
        this.#later = this.#later.filter(
          ([room, added]) =>
            (only ?? room) !== room ||
            due?.has(room) === false ||
            toFrom(added) <= (due?.get(room)?.newest ?? TIMETOKEN_ZERO),
        );
      };
      try {
        const found = await withReopening(this.#db, () => this.#source.read(due, onSnapshot));
        const kept = [...this.#states].filter(([room]) => due?.has(room) === false);
        this.#states = new Map([...kept, ...found]);
        this.#extend();
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
