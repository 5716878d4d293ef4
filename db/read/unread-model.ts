import type { Unsubscribe } from '#domain/ports/kit.ts';
import { ALL_ROOMS, isRoomKey, type RoomKey } from '#domain/rooms.ts';
import { isSameUnread, type UnreadByRoom } from '#domain/rules/unread.ts';

import type { UserDatabase } from '../schema/database.ts';
import type { RowChanges } from '../schema/row-changes.ts';
import { reportQueryFailed, withReopening } from '../schema/storage-errors.ts';
import { NONE } from './changed-values.ts';
import { listUnread } from './unread.ts';

/** The rooms whose messages or activity changed; undefined if that is not known. */
const findChangedRooms = (changes: RowChanges): readonly RoomKey[] | undefined => {
  const messages = changes.get('messages') ?? NONE;
  const activity = changes.get('activity') ?? NONE;
  if (messages === 'all' || activity === 'all' || activity.has(ALL_ROOMS)) return undefined;
  const rooms = [...messages.keys()].map((key) => key.slice(0, key.indexOf('|')));
  return [...rooms, ...activity.keys()].filter(isRoomKey);
};

/** The unread messages of all rooms in memory. A commit reads only the rooms that it changed. */
export class UnreadModel {
  readonly #db: UserDatabase;
  readonly #listeners = new Set<() => void>();
  #unread: UnreadByRoom | undefined;
  /** Rooms to read; undefined for all of them. */
  #due: Set<RoomKey> | undefined;
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
    const rooms = findChangedRooms(changes);
    if (rooms === undefined) this.#due = undefined;
    for (const room of rooms ?? []) this.#due?.add(room);
    void this.#read();
  }

  async #read(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    while ((this.#due === undefined || this.#due.size > 0) && !this.#db.isEnded) {
      const rooms = this.#due && [...this.#due];
      this.#due = new Set();
      try {
        const found = await withReopening(this.#db, () =>
          listUnread(this.#db, this.#db.uid, rooms),
        );
        this.#show(rooms ?? [...(this.#unread?.keys() ?? [])], found);
      } catch (error) {
        this.#due = undefined;
        reportQueryFailed(this.#db, `unread ${this.#db.uid}`, error);
        break;
      }
    }
    this.#isReading = false;
  }

  #show(read: readonly RoomKey[], found: UnreadByRoom): void {
    const outdated = new Set(read);
    const kept = [...(this.#unread ?? [])].filter(([room]) => !outdated.has(room));
    const next = new Map([...kept, ...found]);
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
