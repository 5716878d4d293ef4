import { HISTORY_PAGE_SIZE } from '#domain/limits.ts';
import type { Unsubscribe } from '#domain/ports/kit.ts';
import type { Coverage, ThreadItem } from '#domain/project/rows.ts';
import { composeThread, replaceRows } from '#domain/project/thread.ts';
import { parseOutboxItem } from '#domain/project/row-schemas.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { coverRoom, isBeyondStream } from '#domain/project/segments.ts';
import { laterOf, type Timetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import type { UserDatabase } from '../schema/database.ts';
import type { RowChanges } from '../schema/row-changes.ts';
import { reportQueryFailed, withReopening } from '../schema/storage-errors.ts';
import {
  changesCoverage,
  changesOld,
  type Due,
  isAnyDue,
  type Listed,
  type LoadedThread,
  NONE,
  onlyOf,
  onlyOutboxOf,
  readChanges,
  readThread,
  replaceItems,
  toNothingDue,
  toReplacing,
  toValues,
} from './read-thread.ts';
import type { StreamCoverage } from './stream-coverage.ts';

/**
 * The thread of one room in memory. A commit of this page is applied without reading; of other
 * tabs' commits only the changed rows are read. Everything is read again only if the changes are
 * unknown. It equals `composeThread` of all stored rows, starting at its first position.
 */
export class ThreadModel {
  readonly room: RoomKey;
  readonly #db: UserDatabase;
  readonly #stream: StreamCoverage;
  readonly #onShown: (model: ThreadModel) => void;
  readonly #listeners = new Set<() => void>();
  #loaded: LoadedThread | undefined;
  /** The coverage of the room by its own pages and by the stream. */
  #ranges: Coverage['ranges'] | undefined;
  #items: readonly ThreadItem[] | undefined;
  #from: Timetoken | undefined;
  #due = toNothingDue();
  #isReading = false;
  readonly #first = Promise.withResolvers<void>();
  /** Resolves after the first read, even if that failed. */
  readonly ready = this.#first.promise;

  constructor(
    db: UserDatabase,
    room: RoomKey,
    stream: StreamCoverage,
    onShown: (model: ThreadModel) => void,
  ) {
    this.#db = db;
    this.room = room;
    this.#stream = stream;
    this.#onShown = onShown;
    this.refresh();
  }

  /** The thread; undefined until it was read. */
  readonly get = (): readonly ThreadItem[] | undefined => this.#items;

  /** Whether the first message of the room is stored; undefined until that was read. */
  readonly start = this.#toShared(() => this.#ranges && this.#ranges[0]?.from === TIMETOKEN_ZERO);

  /** The position from which the thread contains every stored message; undefined until read. */
  readonly floor = this.#toShared(() => this.#loaded?.floor);

  get isShown(): boolean {
    return this.#listeners.size > 0;
  }

  /** Whether no screen shows it, and changes were not read yet. */
  get isForgotten(): boolean {
    return !this.isShown && !this.#isReading && this.#isOutdated;
  }

  /** Whether a page of the room is beyond the coverage by the stream, as last read. */
  get isBeyondStream(): boolean {
    return isBeyondStream(this.#loaded?.pages, this.#stream.get());
  }

  /**
   * Calls `listener` when the thread changed. When no screen shows it, only the newest page stays.
   */
  readonly watch = (listener: () => void): Unsubscribe => {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) {
      this.#onShown(this);
      void this.#read();
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#keepNewestPage();
    };
  };

  /** Shows the messages starting at `from`; while that is undefined, the newest page. */
  show(from: Timetoken | undefined): void {
    if (from === this.#from || from === undefined) return;
    this.#from = from;
    if (this.#loaded !== undefined) this.#replace(this.#loaded);
    void this.#read();
  }

  refresh(): void {
    this.#due.isAll = true;
    void this.#read();
  }

  /** Applies the coverage by the stream after it was read again. */
  followStream(): void {
    if (this.isShown) {
      // A gap must not disappear before its messages appear, so they are read together.
      this.#due.isRest = true;
      void this.#read();
    } else if (this.#loaded !== undefined) this.#replace(this.#loaded);
  }

  apply(changes: RowChanges): void {
    const messages = changes.get('entries') ?? NONE;
    const outbox = changes.get('outbox') ?? NONE;
    const isCovered = changesCoverage(this.room, changes);
    if (messages === 'all' || changesOld(this.room, changes)) this.#due.isAll = true;
    // As in `followStream`.
    if (isCovered || outbox === 'all') this.#due.isRest = true;
    const rows = messages === 'all' ? NONE : onlyOf(this.room, messages);
    const items = outbox === 'all' ? NONE : onlyOutboxOf(this.room, outbox, this.#loaded?.items);
    if (!this.#takeOver(rows, items)) {
      for (const key of rows.keys()) this.#due.keys.add(key);
      if (items.size > 0) this.#due.isRest = true;
    }
    if (this.isShown) void this.#read();
  }

  /** Applies changes without reading; false if something has to be read. */
  #takeOver(changedRows: Listed, changedItems: Listed): boolean {
    if (changedRows.size === 0 && changedItems.size === 0) return true;
    const loaded = this.#loaded;
    const rows = loaded && toReplacing(this.#db.uid, loaded.rows, changedRows);
    const items = toValues(changedItems, parseOutboxItem);
    const isKnown = loaded !== undefined && rows !== undefined && items !== undefined;
    // A read in progress may be older than this commit.
    if (!isKnown || this.#isReading || this.#isOutdated) return false;
    this.#replace({
      ...loaded,
      rows: replaceRows(loaded.rows, rows),
      items: replaceItems(this.room, loaded.items, items),
    });
    // A room that no screen shows grows with every message received.
    if (!this.isShown && loaded.rows.length > 2 * HISTORY_PAGE_SIZE) this.#keepNewestPage();
    return true;
  }

  #toShared<T>(get: () => T) {
    return { get, watch: (listener: () => void): Unsubscribe => this.watch(listener) };
  }

  get #isOutdated(): boolean {
    return isAnyDue(this.#due);
  }

  get #older(): Timetoken | undefined {
    const floor = this.#loaded?.floor;
    return floor !== undefined && this.#from !== undefined && this.#from < floor
      ? this.#from
      : undefined;
  }

  /** Reads until nothing is due, one transaction after the other. */
  async #read(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    while ((this.#isOutdated || this.#older !== undefined) && !this.#db.isEnded) {
      const due = this.#due;
      this.#due = toNothingDue();
      try {
        this.#replace(await withReopening(this.#db, () => this.#find(due)));
      } catch (error) {
        this.#due.isAll = true;
        reportQueryFailed(this.#db, `thread ${this.room} ${this.#db.uid}`, error);
        break;
      } finally {
        this.#first.resolve();
      }
    }
    this.#isReading = false;
    if (!this.isShown) this.#keepNewestPage();
  }

  /** Reads the due parts together with the coverage by the stream. */
  async #find(due: Due): Promise<LoadedThread> {
    // A thread without messages may be one gap, until the start of its room is known.
    const isWhole = due.isAll || (!this.#loaded?.rows.length && !this.start.get());
    const loaded = isWhole ? undefined : this.#loaded;
    const readAll = () => readThread(this.#db, this.room, this.#from ?? this.#loaded?.floor);
    const [next] = await Promise.all([
      loaded === undefined
        ? readAll()
        : readChanges(this.#db, this.room, loaded, due.keys, this.#older),
      this.#stream.ready(),
    ]);
    if (isBeyondStream(next.pages, this.#stream.get())) await this.#stream.readAgain();
    // The messages of a filled gap may be in a commit that has not been reported yet.
    return loaded !== undefined && this.#closesGap(next) ? readAll() : next;
  }

  #findRanges({ pages }: LoadedThread): Coverage['ranges'] {
    return coverRoom(this.room, pages, this.#stream.get())?.ranges ?? [];
  }

  #closesGap(next: LoadedThread): boolean {
    const { rows, items } = next;
    const before = (this.#items ?? []).filter((item) => item.source === 'log' && item.gapAfter);
    if (before.length === 0) return false;
    const ranges = this.#findRanges(next);
    const after = composeThread(rows, items, this.#db.uid, ranges, this.#items);
    const gaps = new Set(
      after.filter((item) => item.source === 'log' && item.gapAfter).map(({ key }) => key),
    );
    return before.some(({ key }) => !gaps.has(key));
  }

  #replace(loaded: LoadedThread): void {
    const floor = this.#from === undefined ? loaded.floor : laterOf(loaded.floor, this.#from);
    const isBelow = loaded.rows.some(({ timetoken }) => timetoken < floor);
    const rows = isBelow ? loaded.rows.filter(({ timetoken }) => timetoken >= floor) : loaded.rows;
    const ranges = this.#findRanges(loaded);
    this.#ranges = ranges;
    this.#loaded = { ...loaded, rows, floor };
    this.#items = composeThread(rows, loaded.items, this.#db.uid, ranges, this.#items);
    // Each listener compares the value that it shows.
    for (const listener of this.#listeners) listener();
  }

  #keepNewestPage(): void {
    this.#from = undefined;
    const loaded = this.#loaded;
    const rows = loaded?.rows.slice(-HISTORY_PAGE_SIZE) ?? [];
    const oldest = rows.length < HISTORY_PAGE_SIZE ? undefined : rows[0]?.timetoken;
    if (loaded !== undefined) this.#replace({ ...loaded, rows, floor: oldest ?? loaded.floor });
  }
}
