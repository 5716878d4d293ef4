import { ALL_ROOMS, isRoomKey, type RoomKey } from '#domain/rooms.ts';
import { type Timetoken, TIMETOKEN_MAX, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import { parsePlaceKey } from '../facts/entry-row.ts';
import type { UserDatabase } from '../schema/database.ts';
import type { RowChanges } from '../schema/row-changes.ts';
import { reportQueryFailed, withReopening } from '../schema/storage-errors.ts';
import { NONE } from './changed-values.ts';

/** Delay before a failed read is repeated, doubled each time; ms. */
export const READ_RETRY_MIN_MS = 500;
export const READ_RETRY_MAX_MS = 30_000;

/** What is known of a room up to its newest message. */
interface RoomState {
  readonly newest: Timetoken;
}

/** Rooms to read; what is known of a room goes on from there, without it begins anew. */
export type DueRooms<S> = ReadonlyMap<RoomKey, S | undefined>;

/** By room, the smallest position at which its messages changed: no change, the greatest one. */
type ChangedFrom = Map<RoomKey, Timetoken>;

const noteChange = (changed: ChangedFrom, room: string, position: Timetoken): void => {
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
  for (const room of activity.keys()) noteChange(changed, room, TIMETOKEN_MAX);
  // Keys of an earlier version do not name the position.
  for (const key of [...messages.keys(), ...old.keys()]) {
    const position = parsePlaceKey(key)?.timetoken ?? TIMETOKEN_ZERO;
    noteChange(changed, key.slice(0, key.indexOf('|')), position);
  }
  return changed;
};

/**
 * A state of every room in memory, read once the constructor has returned, and kept up to date until
 * the store ends. A commit reads only the rooms that it changed, and of a room only what came after
 * what is known.
 */
export class RoomStates<S extends RoomState> {
  readonly #db: UserDatabase;
  readonly #read: (due: DueRooms<S> | undefined) => PromiseLike<ReadonlyMap<RoomKey, S>>;
  readonly #show: (states: ReadonlyMap<RoomKey, S>) => void;
  #states: ReadonlyMap<RoomKey, S> = new Map();
  /** Rooms to read; undefined for all of them. */
  #due: ChangedFrom | undefined;
  #reading = Promise.resolve();
  /** Ends the pause after a failed read. */
  #goOn: (() => void) | undefined;

  /** `read` returns the states of the rooms that are due, or of all; those without one are left out. */
  constructor(
    db: UserDatabase,
    read: (due: DueRooms<S> | undefined) => PromiseLike<ReadonlyMap<RoomKey, S>>,
    show: (states: ReadonlyMap<RoomKey, S>) => void,
  ) {
    this.#db = db;
    this.#read = read;
    this.#show = show;
    db.onEnd(db.rows.watch((changes) => void this.#note(findChanged(changes))));
    void this.readAnew();
  }

  /**
   * Reads some rooms, or all of them, whatever is known of them. Resolves once everything that is due
   * so far was read and shown, or the store ended.
   */
  readAnew(rooms?: readonly RoomKey[]): Promise<void> {
    return this.#note(rooms && new Map(rooms.map((room) => [room, TIMETOKEN_ZERO])));
  }

  #note(changed: ChangedFrom | undefined): Promise<void> {
    this.#due = changed && this.#due;
    for (const [room, position] of changed ?? []) {
      if (this.#due !== undefined) noteChange(this.#due, room, position);
    }
    this.#goOn?.();
    this.#reading = this.#reading.then(() => this.#readDue());
    return this.#reading;
  }

  async #readDue(): Promise<void> {
    let pauseMs = READ_RETRY_MIN_MS;
    while (this.#due?.size !== 0 && !this.#db.isEnded) {
      // A state is continued if all changes come after it; otherwise the room is read anew.
      const toKnown = ([room, position]: readonly [RoomKey, Timetoken]) => {
        const known = this.#states.get(room);
        return [room, known !== undefined && known.newest < position ? known : undefined] as const;
      };
      const due = this.#due && new Map(Array.from(this.#due, toKnown));
      this.#due = new Map();
      try {
        const found = await withReopening(this.#db, () => this.#read(due));
        const kept = [...this.#states].filter(([room]) => due?.has(room) === false);
        this.#states = new Map([...kept, ...found]);
        this.#show(this.#states);
      } catch (error) {
        this.#due = undefined;
        reportQueryFailed(this.#db, `rooms ${this.#db.uid}`, error);
        // At most until the next change.
        await new Promise<void>((resolve) => {
          this.#goOn = resolve;
          setTimeout(resolve, pauseMs);
        });
        pauseMs = Math.min(2 * pauseMs, READ_RETRY_MAX_MS);
      }
    }
  }
}
