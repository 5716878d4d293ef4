import type { Unsubscribe } from '#domain/ports/kit.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { isSameUnread, type UnreadByRoom } from '#domain/rules/unread.ts';

import { toPlaceKey } from '../facts/entry-row.ts';
import { listMarkings, type Markings } from '../facts/list-unread-marks.ts';
import type { UserDatabase } from '../schema/database.ts';
import { attempt } from '../schema/storage-errors.ts';
import { type DueRooms, RoomStates } from './room-states.ts';
import { shareQuery } from './shared-query.ts';
import { type Counted, countUnread, toUnread } from './unread.ts';

const openMarkings = shareQuery(listMarkings);

/** The unread messages of all rooms in memory. */
export class UnreadModel {
  readonly #db: UserDatabase;
  readonly #states: RoomStates<Counted>;
  /** Undefined until they were read. */
  #markings: Markings | undefined;
  readonly #listeners = new Set<() => void>();
  #unread: UnreadByRoom | undefined;
  /** Keys of the messages that were stored before the first count. */
  readonly #stored = new Set<string>();
  /**
   * What was unread before this page stored anything, with a count of 0 where a message arrived
   * before it was counted; undefined until then.
   */
  atStart: UnreadByRoom | undefined;

  constructor(db: UserDatabase) {
    this.#db = db;
    const end = db.rows.watch((changes) => {
      const entries = changes.get('entries') ?? 'all';
      if (this.atStart !== undefined) end();
      else if (entries !== 'all') for (const key of entries.keys()) this.#stored.add(key);
    });
    db.onEnd(end);
    this.#states = new RoomStates<Counted>(
      db,
      (due) => this.#count(db, due),
      (counted) => this.#show(counted),
    );
    this.#states.start();
    const markings = openMarkings(db);
    db.onEnd(markings.watch(() => this.#follow(markings.get())));
  }

  /** Undefined until they were read. */
  readonly get = (): UnreadByRoom | undefined => this.#unread;

  readonly watch = (listener: () => void): Unsubscribe => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /**
   * Resolves once the counts include every marking that was stored before the call, whether or not
   * anything is unread by it.
   */
  async catchUp(): Promise<void> {
    let before: Markings | undefined;
    let listed: Markings | undefined;
    do {
      before = this.#markings;
      const found = await attempt(this.#db, () => listMarkings(this.#db));
      listed = found.ok ? found.value : undefined;
    } while (this.#markings !== before);
    this.#follow(listed);
    await this.#states.settle();
  }

  async #count(
    db: UserDatabase,
    due: DueRooms<Counted> | undefined,
  ): Promise<ReadonlyMap<RoomKey, Counted>> {
    const listed = this.#markings ?? (await listMarkings(db));
    // What is noted meanwhile is followed.
    this.#markings ??= listed;
    return countUnread(db, this.#markings, due);
  }

  #follow(next: Markings | undefined): void {
    if (next === undefined) return;
    const before = this.#markings;
    this.#markings = next;
    const rooms = new Set([...next.keys(), ...(before?.keys() ?? [])]);
    const isSame = (room: RoomKey): boolean => {
      const [one, other] = [before?.get(room), next.get(room)];
      return one?.name === other?.name && one?.from === other?.from;
    };
    this.#states.readAnew([...rooms].filter((room) => !isSame(room)));
  }

  #show(counted: ReadonlyMap<RoomKey, Counted>): void {
    const next = toUnread(counted);
    this.atStart ??= new Map(
      Array.from(next, ([room, unread]) => {
        const key = toPlaceKey(room, counted.get(room)?.newest ?? unread.first);
        return [room, this.#stored.has(key) ? { ...unread, count: 0 } : unread];
      }),
    );
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
