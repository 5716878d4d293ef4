import { oncePer } from '#domain/once-per.ts';
import type { RoomKey } from '#domain/rooms.ts';

import type { UserDatabase } from '../schema/database.ts';
import { reportQueryFailed, withReopening } from '../schema/storage-errors.ts';
import { StreamCoverage } from './stream-coverage.ts';
import { ThreadModel } from './thread-model.ts';

/** The number of rooms whose threads stay in memory. */
const ROOMS_MAX = 30;

/** The threads of the most recently opened rooms, each kept up to date. */
class Threads {
  readonly #db: UserDatabase;
  /** The most recently opened one comes last. */
  readonly #models = new Map<RoomKey, ThreadModel>();
  readonly #stream: StreamCoverage;

  constructor(db: UserDatabase) {
    this.#db = db;
    this.#stream = new StreamCoverage(db);
    const forget = db.rows.watch((changes) => {
      const models = [...this.#models.values()];
      const isStreamChanged = this.#stream.apply(changes, () =>
        models.some(({ isBeyondStream }) => isBeyondStream),
      );
      for (const model of models) model.apply(changes);
      this.#dropOutdated();
      if (isStreamChanged) void this.#followStream();
    });
    db.onEnd(() => {
      forget();
      this.#models.clear();
    });
  }

  /** The thread of a room, which is read now unless it is in memory. */
  open(room: RoomKey): ThreadModel {
    const model = this.#models.get(room) ?? this.#create(room);
    this.#models.delete(room);
    this.#models.set(room, model);
    this.#dropOldest();
    return model;
  }

  #create(room: RoomKey): ThreadModel {
    return new ThreadModel(this.#db, room, this.#stream, (shown) => {
      if (this.#models.get(room) === shown) return;
      // It was dropped between its first render and its subscription.
      this.#models.set(room, shown);
      shown.refresh();
    });
  }

  /** Reads the coverage by the stream once for all threads. */
  async #followStream(): Promise<void> {
    try {
      await withReopening(this.#db, () => this.#stream.ready());
    } catch (error) {
      reportQueryFailed(this.#db, `stream coverage ${this.#db.uid}`, error);
      return;
    }
    for (const model of this.#models.values()) model.followStream();
  }

  /** A thread that no screen shows is read again when it is opened. */
  #dropOutdated(): void {
    for (const model of this.#models.values()) {
      if (model.isForgotten) this.#models.delete(model.room);
    }
  }

  #dropOldest(): void {
    for (const model of this.#models.values()) {
      if (this.#models.size <= ROOMS_MAX) return;
      if (!model.isShown) this.#models.delete(model.room);
    }
  }
}

/** The threads of a user's store, which end with the store. */
export const threadsOf = oncePer((db: UserDatabase) => new Threads(db));
