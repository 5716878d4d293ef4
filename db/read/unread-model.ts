import { createListeners } from '#domain/listeners.ts';
import { oncePer } from '#domain/once-per.ts';
import type { Unsubscribe } from '#domain/ports/kit.ts';
import type { UnreadGap } from '#domain/ports/storage.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { UNREAD_COUNTED_MAX } from '#domain/rules/unread-label.ts';
import type { UnreadByRoom } from '#domain/rules/unread.ts';
import { TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import { toPositionKey } from '../facts/entry-row.ts';
import { listUnreadMarks, type UnreadMarks, UNREAD_MARKS } from '../facts/list-unread-marks.ts';
import type { UserDatabase } from '../schema/database.ts';
import type { RowChanges } from '../schema/row-changes.ts';
import { toCoverageKey } from '../schema/tables.ts';
import { type DueRooms, RoomStates } from './room-states.ts';
import { shareQuery } from './watch.ts';
import { type Counted, countUnread, extendCount, toUnread } from './unread.ts';

/** True when two results look the same, so that nothing is rendered again. */
export const isSameUnread = (a: UnreadByRoom, b: UnreadByRoom): boolean =>
  a.size === b.size &&
  [...a].every(([room, { count, first, newest, markId, gapAfter }]) => {
    const other = b.get(room);
    return (
      other?.count === count &&
      other.first === first &&
      other.newest === newest &&
      other.markId === markId &&
      other.gapAfter === gapAfter
    );
  });

/** The rooms that are marked as unread, kept up to date. */
export const openUnreadMarks = shareQuery({ log: [UNREAD_MARKS] }, listUnreadMarks);

/** The unread messages of all rooms in memory. */
export class UnreadModel {
  readonly #states: RoomStates<Counted>;
  /** Undefined until they were read. */
  #unreadMarks: UnreadMarks | undefined;
  readonly #listeners = createListeners();
  /** Notified of every count, also of one with the same unread messages. */
  readonly #shows = createListeners();
  /** It is known where the user's reading began. */
  #hasBegun = false;
  #counted: ReadonlyMap<RoomKey, Counted> = new Map();
  #unread: UnreadByRoom | undefined;
  /** Keys of the messages that were stored before the first count. */
  readonly #stored = new Set<string>();
  /**
   * The unread messages before this page stored anything, without a newest one in rooms where a
   * message arrived before the first count; undefined until then.
   */
  atStart: UnreadByRoom | undefined;

  constructor(db: UserDatabase) {
    const end = db.rows.watch((changes) => {
      const entries = changes.get('entries') ?? 'all';
      if (this.atStart !== undefined) end();
      else if (entries !== 'all') for (const key of entries.keys()) this.#stored.add(key);
    });
    db.onEnd(end);
    db.onEnd(db.rows.watch((changes) => this.#followCoverage(changes)));
    this.#states = new RoomStates<Counted>(db, {
      read: (due, onSnapshot) => this.#count(db, due, onSnapshot),
      extend: (room, known, additions) =>
        this.#unreadMarks && extendCount(db.uid, known, additions, this.#unreadMarks.get(room)),
      show: (counted) => this.#show(counted),
    });
    const unreadMarks = openUnreadMarks(db);
    db.onEnd(unreadMarks.watch(() => void this.follow(unreadMarks.get())));
  }

  /** Undefined until they were read. */
  readonly get = (): UnreadByRoom | undefined => this.#unread;

  readonly watch = this.#listeners.add;

  async #count(
    db: UserDatabase,
    due: DueRooms<Counted> | undefined,
    onSnapshot: () => void,
  ): Promise<ReadonlyMap<RoomKey, Counted>> {
    const listed = this.#unreadMarks ?? (await listUnreadMarks(db));
    // `follow` handles marks that change meanwhile.
    this.#unreadMarks ??= listed;
    const counted = await countUnread(db, this.#unreadMarks, due, onSnapshot);
    this.#hasBegun = counted !== undefined;
    return counted ?? new Map();
  }

  /**
   * Looks for gaps again where the coverage changed: a page may have filled one without a message,
   * and a segment that begins later leaves one in every room.
   */
  #followCoverage(changes: RowChanges): void {
    const coverage = changes.get('coverage');
    const isAny = coverage === 'all' || changes.has('log');
    const isChanged = (room: RoomKey): boolean =>
      isAny || (coverage?.has(toCoverageKey(room)) ?? false);
    const changed = [...this.#counted.keys()].filter(isChanged);
    if (changed.length > 0) void this.#states.readAfter(changed);
  }

  /** See `Store.watchUnreadGaps`. */
  watchGaps(listener: (gaps: ReadonlyMap<RoomKey, UnreadGap>) => void): Unsubscribe {
    const report = (): void => {
      const gaps = [...this.#counted].flatMap(([room, { gap, unread }]) =>
        gap?.isLowest && (unread?.count ?? 0) < UNREAD_COUNTED_MAX ? ([[room, gap]] as const) : [],
      );
      listener(new Map(gaps));
    };
    report();
    return this.#shows.add(report);
  }

  /** Counts with these unread marks; resolves once that is shown. */
  async follow(next: UnreadMarks | undefined): Promise<void> {
    if (next === undefined) return;
    // Without earlier marks, these are the first to count with.
    const before = this.#unreadMarks ?? next;
    this.#unreadMarks = next;
    const isChanged = (room: RoomKey): boolean => {
      const [one, other] = [before.get(room), next.get(room)];
      return one?.name !== other?.name || one?.from !== other?.from;
    };
    await this.#states.readAnew([...next.keys(), ...before.keys()].filter(isChanged));
  }

  #show(counted: ReadonlyMap<RoomKey, Counted>): void {
    if (!this.#hasBegun) return;
    this.#counted = counted;
    this.#shows.emit();
    const next = toUnread(counted);
    this.atStart ??= new Map(
      Array.from(next, ([room, unread]) => {
        const isLater = this.#stored.has(toPositionKey(room, unread.newest));
        return [room, isLater ? { ...unread, newest: TIMETOKEN_ZERO } : unread];
      }),
    );
    if (this.#unread !== undefined && isSameUnread(this.#unread, next)) return;
    this.#unread = next;
    this.#listeners.emit();
  }
}

/** The unread messages of a store's user, which end with the store. */
export const unreadOf = oncePer((db: UserDatabase) => new UnreadModel(db));
