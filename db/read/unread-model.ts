import type { Unsubscribe } from '#domain/ports/kit.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { isSameUnread, type UnreadByRoom } from '#domain/rules/unread.ts';

import type { UserDatabase } from '../schema/database.ts';
import { RoomStates } from './room-states.ts';
import { type Counted, countUnread, toUnread } from './unread.ts';

/** The unread messages of all rooms in memory. */
export class UnreadModel {
  readonly #listeners = new Set<() => void>();
  #unread: UnreadByRoom | undefined;

  constructor(db: UserDatabase) {
    const states = new RoomStates<Counted>(
      db,
      (due) => countUnread(db, due),
      (counted) => this.#show(counted),
    );
    states.start();
  }

  /** Undefined until they were read. */
  readonly get = (): UnreadByRoom | undefined => this.#unread;

  readonly watch = (listener: () => void): Unsubscribe => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #show(counted: ReadonlyMap<RoomKey, Counted>): void {
    const next = toUnread(counted);
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
