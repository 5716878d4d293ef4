import { type Streamed, toShownSegments } from '#domain/project/segments.ts';

import { findStreamed } from '../log/segments.ts';
import type { UserDatabase } from '../schema/database.ts';
import type { RowChanges } from '../schema/row-changes.ts';
import { TABLES } from '../schema/tables.ts';

/** What the stream covers, as threads show it. */
export const findShownStreamed = (db: UserDatabase): PromiseLike<Streamed> =>
  db.transaction('r', [db.log, db.meta], async () => {
    const streamed = await findStreamed(db);
    return { ...streamed, segments: toShownSegments(streamed.segments) };
  });

/**
 * What the stream covers, in memory, for all threads. Read again when a segment begins or ends. An
 * open one grows with every heartbeat, which matters only to a room with a page beyond the end
 * that was read last: after all that is covered, a thread shows no line.
 */
export class StreamCoverage {
  readonly #db: UserDatabase;
  #streamed: Streamed = { segments: [], floors: new Map() };
  #reading: Promise<void> | undefined;
  /** The number of reads so far, and that of the one last taken over. */
  #begun = 0;
  #taken = 0;

  constructor(db: UserDatabase) {
    this.#db = db;
  }

  /** As read last. */
  get(): Streamed {
    return this.#streamed;
  }

  /** Resolves once it is read; rejects if that fails, and the next call reads again. */
  ready(): Promise<void> {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  /** The same, with the newest heartbeat. */
  readAgain(): Promise<void> {
    this.#reading = undefined;
    return this.ready();
  }

  /**
   * Takes over a commit. False if it does not change what the stream covers. `isAwaited`: a room
   * has a page beyond the open segment.
   */
  apply(changes: RowChanges, isAwaited: () => boolean): boolean {
    // What the stream covers is cleared together with the coverage of all rooms.
    const isChanged =
      changes.has(TABLES.log) ||
      changes.get(TABLES.coverage) === 'all' ||
      (changes.has(TABLES.meta) && isAwaited());
    if (isChanged) this.#reading = undefined;
    return isChanged;
  }

  async #read(): Promise<void> {
    this.#begun += 1;
    const number = this.#begun;
    try {
      const streamed = await findShownStreamed(this.#db);
      // Reads may end in another order.
      if (number < this.#taken) return;
      this.#taken = number;
      this.#streamed = streamed;
    } catch (error) {
      if (number === this.#begun) this.#reading = undefined;
      throw error;
    }
  }
}
