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
  const known = changed.get(room);
  if (known === undefined || position < known) changed.set(room, position);
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
 * A state of every room in memory, kept up to date until the store ends. A commit reads only the
 * rooms that it changed, and of a room only what came after what is known.
 */
export class RoomStates<S extends RoomState> {
  readonly #db: UserDatabase;
  readonly #read: (due: DueRooms<S> | undefined) => PromiseLike<ReadonlyMap<RoomKey, S>>;
  readonly #show: (states: ReadonlyMap<RoomKey, S>) => void;
  #states: ReadonlyMap<RoomKey, S> = new Map();
  /** Rooms to read; undefined for all of them. */
  #due: ChangedFrom | undefined;
  #reading: Promise<void> | undefined;
  /** Ends the pause after a failed read. */
  #goOn = (): void => undefined;

  /** `read` returns the states of the rooms that are due, or of all; those without one are left out. */
  constructor(
    db: UserDatabase,
    read: (due: DueRooms<S> | undefined) => PromiseLike<ReadonlyMap<RoomKey, S>>,
    show: (states: ReadonlyMap<RoomKey, S>) => void,
  ) {
    this.#db = db;
    this.#read = read;
    this.#show = show;
    db.onEnd(db.rows.watch((changes) => this.#apply(changes)));
    db.onEnd(() => this.#goOn());
  }

  /** Reads all rooms anew. */
  start(): void {
    this.#due = undefined;
    void this.settle();
  }

  /** Reads some rooms anew, whatever is known of them. */
  readAnew(rooms: readonly RoomKey[]): void {
    for (const room of rooms)
      if (this.#due !== undefined) noteChange(this.#due, room, TIMETOKEN_ZERO);
    void this.settle();
  }

  /** Resolves once everything that is due so far was read and shown, or the store ended. */
  async settle(): Promise<void> {
    this.#goOn();
    if (this.#isDue) this.#reading ??= this.#readDue();
    await this.#reading;
  }

  #apply(changes: RowChanges): void {
    const changed = findChanged(changes);
    if (changed === undefined) this.#due = undefined;
    for (const [room, position] of changed ?? []) {
      if (this.#due !== undefined) noteChange(this.#due, room, position);
    }
    void this.settle();
  }

  get #isDue(): boolean {
    return this.#due?.size !== 0 && !this.#db.isEnded;
  }

  async #readDue(): Promise<void> {
    let failures = 0;
    while (this.#isDue) {
      const due = this.#due && this.#toDue(this.#due);
      this.#due = new Map();
      try {
        const found = await withReopening(this.#db, () => this.#read(due));
        const kept = due === undefined ? [] : [...this.#states].filter(([room]) => !due.has(room));
        this.#states = new Map([...kept, ...found]);
        this.#show(this.#states);
        failures = 0;
      } catch (error) {
        this.#due = undefined;
        reportQueryFailed(this.#db, `rooms ${this.#db.uid}`, error);
        await this.#pause(failures);
        failures += 1;
      }
    }
    this.#reading = undefined;
  }

  /** Until the next change, or until it is time to try again after so many failures. */
  async #pause(failures: number): Promise<void> {
    if (this.#db.isEnded) return;
    const ended = Promise.withResolvers<void>();
    const ms = Math.min(READ_RETRY_MIN_MS * 2 ** failures, READ_RETRY_MAX_MS);
    const timer = setTimeout(ended.resolve, ms);
    this.#goOn = ended.resolve;
    await ended.promise;
    clearTimeout(timer);
  }

  /** A state is continued if all changes come after it; otherwise the room is read anew. */
  #toDue(changed: ChangedFrom): DueRooms<S> {
    const toKnown = (room: RoomKey, position: Timetoken): S | undefined => {
      const known = this.#states.get(room);
      return known !== undefined && known.newest < position ? known : undefined;
    };
    return new Map([...changed].map(([room, position]) => [room, toKnown(room, position)]));
  }
}
