import type { Unsubscribe } from '#domain/ports/kit.ts';
import { parseMessageRow } from '#domain/project/row-schemas.ts';
import { ALL_ROOMS, isRoomKey, type RoomKey } from '#domain/rooms.ts';
import { isSameUnread, type UnreadByRoom } from '#domain/rules/unread.ts';
import { type Timetoken, TIMETOKEN_MAX, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import type { UserDatabase } from '../schema/database.ts';
import type { RowChanges, Written } from '../schema/row-changes.ts';
import { reportQueryFailed, withReopening } from '../schema/storage-errors.ts';
import { NONE } from './changed-values.ts';
import { type Counted, countUnread, type DueRooms, toUnread } from './unread.ts';

/** By room, the smallest position at which its messages changed: no change, the greatest one. */
type ChangedFrom = Map<RoomKey, Timetoken>;

/** The position of a written message; zero where it is not known, as of a deleted one. */
const toPosition = (written: Written | undefined): Timetoken => {
  const row = written?.row === undefined ? undefined : parseMessageRow(written.row);
  return row?.ok ? row.value.timetoken : TIMETOKEN_ZERO;
};

/** The rooms whose messages or activity changed; undefined if that is not known. */
const findChanged = (changes: RowChanges): ChangedFrom | undefined => {
  const messages = changes.get('messages') ?? NONE;
  const activity = changes.get('activity') ?? NONE;
  if (messages === 'all' || activity === 'all' || activity.has(ALL_ROOMS)) return undefined;
  const changed: ChangedFrom = new Map();
  for (const room of activity.keys()) noteChange(changed, room, TIMETOKEN_MAX);
  for (const [key, written] of messages) {
    noteChange(changed, key.slice(0, key.indexOf('|')), toPosition(written));
  }
  return changed;
};

const noteChange = (changed: ChangedFrom, room: string, position: Timetoken): void => {
  if (!isRoomKey(room)) return;
  const known = changed.get(room);
  if (known === undefined || position < known) changed.set(room, position);
};

/**
 * The unread messages of all rooms in memory. A commit reads only the rooms that it changed, and
 * of a room only what came after the messages counted before.
 */
export class UnreadModel {
  readonly #db: UserDatabase;
  readonly #listeners = new Set<() => void>();
  #counted: ReadonlyMap<RoomKey, Counted> = new Map();
  #unread: UnreadByRoom | undefined;
  /** Rooms to count; undefined for all of them. */
  #due: ChangedFrom | undefined;
  #isReading = false;

  constructor(db: UserDatabase) {
    this.#db = db;
    db.onEnd(db.rows.watch((changes) => this.#apply(changes)));
    void this.#read();
  }

  /** Undefined until they were read. */
  readonly get = (): UnreadByRoom | undefined => this.#unread;

  readonly watch = (listener: () => void): Unsubscribe => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #apply(changes: RowChanges): void {
    const changed = findChanged(changes);
    if (changed === undefined) this.#due = undefined;
    for (const [room, position] of changed ?? []) {
      if (this.#due !== undefined) noteChange(this.#due, room, position);
    }
    void this.#read();
  }

  async #read(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    while ((this.#due === undefined || this.#due.size > 0) && !this.#db.isEnded) {
      const due = this.#due && this.#toDue(this.#due);
      this.#due = new Map();
      try {
        const found = await withReopening(this.#db, () => countUnread(this.#db, due));
        this.#show(due, found);
      } catch (error) {
        this.#due = undefined;
        reportQueryFailed(this.#db, `unread ${this.#db.uid}`, error);
        break;
      }
    }
    this.#isReading = false;
  }

  /** A count goes on if all changes come after it; otherwise the room is counted anew. */
  #toDue(changed: ChangedFrom): DueRooms {
    const toKnown = (room: RoomKey, position: Timetoken): Counted | undefined => {
      const known = this.#counted.get(room);
      return known !== undefined && known.newest < position ? known : undefined;
    };
    return new Map([...changed].map(([room, position]) => [room, toKnown(room, position)]));
  }

  #show(due: DueRooms | undefined, found: ReadonlyMap<RoomKey, Counted>): void {
    const kept = due === undefined ? [] : [...this.#counted].filter(([room]) => !due.has(room));
    this.#counted = new Map([...kept, ...found]);
    const next = toUnread(this.#counted);
    if (this.#unread !== undefined && isSameUnread(this.#unread, next)) return;
    this.#unread = next;
    for (const listener of this.#listeners) listener();
  }
}

const models = new WeakMap<UserDatabase, UnreadModel>();

/** The unread messages of a store's user. They end with it. */
export const unreadOf = (db: UserDatabase): UnreadModel => {
  const model = models.get(db) ?? new UnreadModel(db);
  models.set(db, model);
  return model;
};
