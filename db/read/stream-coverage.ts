import { type Streamed, toShownSegments } from '#domain/project/segments.ts';

import { findStreamed } from '../log/segments.ts';
import type { UserDatabase } from '../schema/database.ts';
import type { RowChanges } from '../schema/row-changes.ts';
import { TABLES } from '../schema/tables.ts';

/** The coverage by the stream, as threads show it. */
export const findShownStreamed = (db: UserDatabase): PromiseLike<Streamed> =>
  db.transaction('r', [db.log, db.meta], async () => {
    const streamed = await findStreamed(db);
    return { ...streamed, segments: toShownSegments(streamed.segments) };
  });

/**
 * The coverage by the stream, in memory, for all threads. It is read again when a segment begins or
 * ends. An open segment grows with every heartbeat, which matters only to a room with a page beyond
 * the end last read: a thread shows no gap after the end of its coverage.
 */
export class StreamCoverage {
  readonly #db: UserDatabase;
  #streamed: Streamed = { segments: [], floors: new Map() };
  #reading: Promise<void> | undefined;
  /** The number of reads so far, and the number of the read last applied. */
  #begun = 0;
  #taken = 0;

  constructor(db: UserDatabase) {
    this.#db = db;
  }

  /** The coverage as last read. */
  get(): Streamed {
    return this.#streamed;
  }

  /** Resolves once it is read; rejects if that fails, and the next call reads again. */
  ready(): Promise<void> {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  /** Like `ready`, with the newest heartbeat. */
  readAgain(): Promise<void> {
    this.#reading = undefined;
    return this.ready();
  }

  /**
   * Applies a commit; false if it does not change the coverage by the stream. `isAwaited`: a room
   * has a page beyond the open segment.
   */
  apply(changes: RowChanges, isAwaited: () => boolean): boolean {
    // The segments are cleared together with the coverage of all rooms.
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
      // Reads may finish in a different order.
      if (number < this.#taken) return;
      this.#taken = number;
      this.#streamed = streamed;
    } catch (error) {
      if (number === this.#begun) this.#reading = undefined;
      throw error;
    }
  }
}
