import { oncePer } from '#domain/once-per.ts';
import type { Unsubscribe } from '#domain/ports/kit.ts';
import type { MessageRow } from '#domain/project/rows.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { nextTimetoken, type Timetoken } from '#domain/timetoken.ts';

import { toPositionKey } from '../facts/entry-row.ts';
import { loadMessages } from '../facts/load-messages.ts';
import { takeReadable } from '../log/readable-tables.ts';
import type { UserDatabase } from '../schema/database.ts';
import type { RowChanges } from '../schema/row-changes.ts';
import { reportQueryFailed, withReopening } from '../schema/storage-errors.ts';
import { TABLES } from '../schema/tables.ts';
import { changesOld, NONE } from './read-thread.ts';

/** Messages above this number leave memory unless a screen shows them. */
const KEPT_MAX = 200;

/** The message at a position of a room, kept up to date while a screen shows it. */
export class StoredMessage {
  readonly #db: UserDatabase;
  readonly #room: RoomKey;
  readonly #at: Timetoken;
  readonly #listeners = new Set<() => void>();
  #row: MessageRow | undefined;
  #forget: Unsubscribe = () => undefined;
  #isDue = false;
  #isReading = false;

  constructor(db: UserDatabase, room: RoomKey, at: Timetoken) {
    this.#db = db;
    this.#room = room;
    this.#at = at;
  }

  get isShown(): boolean {
    return this.#listeners.size > 0;
  }

  /** The message as last read; undefined while it is not on this device, and until it was read. */
  readonly get = (): MessageRow | undefined => this.#row;

  readonly watch = (listener: () => void): Unsubscribe => {
    if (!this.isShown) this.#follow();
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (!this.isShown) this.#forget();
    };
  };

  #follow(): void {
    const key = toPositionKey(this.#room, this.#at);
    const isChanged = (changes: RowChanges): boolean => {
      const entries = changes.get('entries') ?? NONE;
      if (entries === 'all' || changesOld(this.#room, changes)) return true;
      return [...entries.keys()].some((k) => k.startsWith(key));
    };
    this.#forget = this.#db.rows.watch((changes) => {
      if (isChanged(changes)) void this.#read();
    });
    void this.#read();
  }

  async #read(): Promise<void> {
    this.#isDue = true;
    if (this.#isReading) return;
    this.#isReading = true;
    while (this.#isDue && !this.#db.isEnded) {
      this.#isDue = false;
      try {
        this.#row = await withReopening(this.#db, () => this.#find());
        for (const listener of this.#listeners) listener();
      } catch (error) {
        reportQueryFailed(this.#db, `message ${this.#room}`, error);
      }
    }
    this.#isReading = false;
  }

  async #find(): Promise<MessageRow | undefined> {
    const range = { from: this.#at, before: nextTimetoken(this.#at) };
    const read = await this.#db.transaction('r', this.#db.messageTables, async () =>
      loadMessages(this.#db, this.#room, range),
    );
    return takeReadable(this.#db, TABLES.entries, read).at(-1);
  }
}

const messagesOf = oncePer<UserDatabase, Map<string, StoredMessage>>(() => new Map());

/** The message requested longest ago comes first. */
const dropOldest = (messages: Map<string, StoredMessage>): void => {
  for (const [key, message] of messages) {
    if (messages.size <= KEPT_MAX) return;
    if (!message.isShown) messages.delete(key);
  }
};

/**
 * The message at a position of a room. It stays in memory for a while, so that a row that is
 * rendered again has its height at once.
 */
export const storedMessageOf = (db: UserDatabase, room: RoomKey, at: Timetoken): StoredMessage => {
  const messages = messagesOf(db);
  const key = toPositionKey(room, at);
  const message = messages.get(key) ?? new StoredMessage(db, room, at);
  messages.delete(key);
  messages.set(key, message);
  dropOldest(messages);
  return message;
};
