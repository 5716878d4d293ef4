import type { Envelope } from '../envelope.ts';
import type { Fact } from '../events.ts';
import {
  type Coverage,
  type MessageRow,
  type OutboxItem,
  type RoomActivity,
  toMessageKey,
} from './rows.ts';
import { ALL_ROOMS, type RoomKey } from '../rooms.ts';
import { earlierOf, laterOf, TIMETOKEN_MAX, TIMETOKEN_ZERO } from '../timetoken.ts';
import type { Change, Rows } from './change.ts';
import { coverPage, isSameCoverage, toEmptyCoverage } from './coverage.ts';
import {
  projectAttempted,
  projectDiscarded,
  projectFailed,
  projectPublished,
  projectQueued,
  projectRetried,
} from './outbox.ts';
import { foldReceived, projectEcho, type Received } from './received.ts';

/** Keys of rows of the projected tables. */
export interface RowKeys {
  readonly messages: ReadonlySet<string>;
  readonly items: ReadonlySet<string>;
  readonly rooms: ReadonlySet<RoomKey>;
  readonly activity: ReadonlySet<RoomActivity['room']>;
}

/** A fact, and its position in this device's log; only that of a queued message matters. */
export type PlacedFact = Pick<Envelope, 'seq' | 'fact'>;

/** The room whose activity a fact changes: its newest entry, or its read position. */
const toActivityRoom = (fact: Fact): RoomActivity['room'] | undefined => {
  if (fact.type === 'v1.ReadingBegan') return ALL_ROOMS;
  return 'publisher' in fact || fact.type === 'v1.RoomRead' ? fact.room : undefined;
};

/**
 * The rows that must be loaded before `facts` can be projected. Messages of received entries are
 * stored outside the projection.
 */
export const toNeededRows = (facts: readonly Fact[]): RowKeys => {
  const needed = {
    messages: new Set<string>(),
    items: new Set<string>(),
    rooms: new Set<RoomKey>(),
    activity: new Set<RoomActivity['room']>(),
  };
  for (const fact of facts) {
    const isQueued = fact.type === 'v1.MessageQueued';
    // A queued message creates its item; an attempt changes only the item.
    if (!isQueued && 'id' in fact && fact.id !== undefined) needed.items.add(fact.id);
    if (isQueued || fact.type === 'v1.MessagePublished') {
      needed.messages.add(toMessageKey(fact.room, fact.uid, fact.id, TIMETOKEN_MAX));
    }
    if (fact.type === 'v1.HistoryPageLoaded') needed.rooms.add(fact.room);
    const active = toActivityRoom(fact);
    if (active !== undefined) needed.activity.add(active);
  }
  return needed;
};

const NOTHING: readonly Change[] = [];

/**
 * Positions only increase, except that the earliest beginning of reading counts: facts may arrive
 * in any order and repeatedly.
 */
const projectActivity = (fact: Fact, rows: Rows): readonly Change[] => {
  const room = toActivityRoom(fact);
  if (room === undefined || !('timetoken' in fact)) return NOTHING;
  const known = rows.activity.get(room);
  const before = { newest: TIMETOKEN_ZERO, readUpTo: TIMETOKEN_ZERO, ...known };
  const isBeginning = fact.type === 'v1.ReadingBegan';
  const field = isBeginning || fact.type === 'v1.RoomRead' ? 'readUpTo' : 'newest';
  const combine = isBeginning && known !== undefined ? earlierOf : laterOf;
  const position = combine(before[field], fact.timetoken);
  if (known !== undefined && position === before[field]) return NOTHING;
  const after = { ...before, room, [field]: position };
  const pending = after.newest > after.readUpTo && room !== ALL_ROOMS ? 1 : 0;
  return [{ kind: 'activity.put', activity: { ...after, pending } }];
};

const projectRoom = (
  { fact, seq }: PlacedFact,
  rows: Rows,
  isStored: boolean,
): readonly Change[] => {
  switch (fact.type) {
    case 'v1.MessageQueued':
      return projectQueued(fact, seq, rows);
    case 'v1.PublishAttempted':
      return projectAttempted(fact, rows);
    case 'v1.MessagePublished':
      return projectPublished(fact, rows);
    case 'v1.PublishFailed':
      return projectFailed(fact, rows);
    case 'v1.MessageRetried':
      return projectRetried(fact, rows);
    case 'v1.MessageDiscarded':
      return projectDiscarded(fact, rows);
    case 'v1.MessageReceived':
    case 'v1.UnreadableReceived':
      return isStored ? projectEcho(fact, rows) : foldReceived(fact, rows);
    case 'v1.HistoryPageLoaded': {
      const known = rows.coverage.get(fact.room) ?? toEmptyCoverage(fact.room);
      const coverage = coverPage(known, fact);
      return isSameCoverage(known, coverage) ? NOTHING : [{ kind: 'coverage.put', coverage }];
    }
    // Segments, floors and marks are few and read from the log itself.
    case 'v1.StreamOpened':
    case 'v1.StreamCovered':
    case 'v1.RoomFloored':
    case 'v1.RoomRead':
    case 'v1.RoomMarked':
    case 'v1.ChoiceMade':
    case 'v1.ReadingBegan':
      return NOTHING;
    default:
      return fact satisfies never;
  }
};

/**
 * The changes that one fact makes to the tables of the screens. Pure; facts of the room's log
 * (received, published, page loaded) may arrive in any order and repeatedly.
 */
const project = (placed: PlacedFact, rows: Rows, isStored: boolean): readonly Change[] => [
  ...projectRoom(placed, rows, isStored),
  ...projectActivity(placed.fact, rows),
];

/**
 * The rows that a batch of facts changes, in memory: load what `toNeededRows` names, project the
 * facts in order, write back the changes. With all rows loaded, it is a complete set of tables.
 */
export class WorkingSet implements Rows {
  readonly messages = new Map<string, MessageRow>();
  readonly items = new Map<string, OutboxItem>();
  readonly coverage = new Map<RoomKey, Coverage>();
  readonly activity = new Map<RoomActivity['room'], RoomActivity>();
  readonly #changed = {
    messages: new Set<string>(),
    items: new Set<string>(),
    rooms: new Set<RoomKey>(),
    activity: new Set<RoomActivity['room']>(),
  };

  /** Keys of the rows that changed since the set was loaded; a key without a row was removed. */
  get changed(): RowKeys {
    return this.#changed;
  }

  /** Projects facts in the order of the log. */
  apply(facts: readonly PlacedFact[]): void {
    this.#project(facts, false);
  }

  /** The same for received entries whose messages are stored already. */
  applyStored(facts: readonly Received[]): void {
    this.#project(
      facts.map((fact) => ({ seq: 0, fact })),
      true,
    );
  }

  #project(facts: readonly PlacedFact[], isStored: boolean): void {
    for (const placed of facts) {
      for (const change of project(placed, this, isStored)) this.#applyChange(change);
    }
  }

  #applyChange(change: Change): void {
    switch (change.kind) {
      case 'message.put':
        this.messages.set(change.row.key, change.row);
        this.#changed.messages.add(change.row.key);
        return;
      case 'item.put':
        this.items.set(change.item.id, change.item);
        this.#changed.items.add(change.item.id);
        return;
      case 'item.removed':
        this.items.delete(change.id);
        this.#changed.items.add(change.id);
        return;
      case 'coverage.put':
        this.coverage.set(change.coverage.room, change.coverage);
        this.#changed.rooms.add(change.coverage.room);
        return;
      case 'activity.put':
        this.activity.set(change.activity.room, change.activity);
        this.#changed.activity.add(change.activity.room);
        return;
      default:
        change satisfies never;
    }
  }
}
