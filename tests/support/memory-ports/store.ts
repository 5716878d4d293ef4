import { toFactKey } from '#domain/envelope.ts';
import type { StoreMark } from '#domain/ports/device.ts';
import type { AppError } from '#domain/errors.ts';
import type { Fact } from '#domain/events.ts';
import type { Coverage, LeaderRow, OutboxItem } from '#domain/project/rows.ts';
import type { Store } from '#domain/ports/storage.ts';
import { coverPage } from '#domain/project/coverage.ts';
import { fail, ok } from '#domain/result.ts';
import { ROOM_IDS, type RoomKey, toRoomKey } from '#domain/rooms.ts';
import type { Team } from '#domain/schemas/team.ts';
import type { Timetoken } from '#domain/timetoken.ts';

/** The content of one user's database, shared by all tabs of a device. */
export class MemoryDatabase {
  readonly facts: Fact[] = [];
  readonly #keys = new Set<string>();
  items: readonly OutboxItem[] = [];
  /** Tabs with a draft. */
  readonly drafting = new Set<string>();
  hasKeys = false;
  /** The state of the mark when the keys arrived. */
  mark: StoreMark | undefined;
  readonly coverage = new Map<RoomKey, Coverage>();
  readonly positions = new Map<RoomKey, Set<Timetoken>>();
  leader: LeaderRow | undefined;
  teamsFetchedAt: number | undefined;
  teams: readonly Team[] = [];
  producers: readonly unknown[] = [];
  /** Every write fails while set. */
  failure: AppError | undefined;
  /** The queue cannot be read either, as on a completely full disk. */
  isClosed = false;
  open = 0;
  /** Called when the data is deleted. */
  readonly lost = new Set<() => void>();
  readonly #listeners = new Set<() => void>();

  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    queueMicrotask(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  changed(): void {
    for (const listener of this.#listeners) queueMicrotask(listener);
  }

  append(facts: readonly Fact[]): number {
    const fresh = facts.filter((fact) => !this.#keys.has(toFactKey(fact)));
    for (const fact of fresh) {
      this.#keys.add(toFactKey(fact));
      this.facts.push(fact);
      this.#project(fact);
    }
    if (fresh.length > 0) this.changed();
    return fresh.length;
  }

  forgetCoverage(): void {
    for (const key of this.#keys) if (key.startsWith('page|')) this.#keys.delete(key);
    this.coverage.clear();
    this.changed();
  }

  #project(fact: Fact): void {
    const replace = (id: string, over: Partial<OutboxItem>) => {
      this.items = this.items.map((item) => (item.id === id ? { ...item, ...over } : item));
    };
    const remove = (id: string) => {
      this.items = this.items.filter((item) => item.id !== id);
    };
    switch (fact.type) {
      case 'v1.MessageQueued': {
        const { id, room, text, uid, at } = fact;
        const item = { id, room, text, uid, at, seq: this.facts.length, state: 'queued' } as const;
        this.items = [...this.items, item];
        break;
      }
      case 'v1.PublishAttempted':
        replace(fact.id, { attemptedAfter: fact.after });
        break;
      case 'v1.MessagePublished':
        remove(fact.id);
        this.#place(fact.room, fact.timetoken);
        break;
      case 'v1.PublishFailed':
        replace(fact.id, { state: 'failed', reason: fact.reason });
        break;
      case 'v1.MessageRetried':
        replace(fact.id, { state: 'queued' });
        break;
      case 'v1.MessageDiscarded':
        remove(fact.id);
        break;
      case 'v1.MessageReceived':
      case 'v1.UnreadableReceived':
        if ('id' in fact && fact.id !== undefined) remove(fact.id);
        this.#place(fact.room, fact.timetoken);
        break;
      case 'v1.HistoryPageLoaded':
        this.coverage.set(fact.room, coverPage(this.coverage.get(fact.room), fact));
        break;
      case 'v1.RoomRead':
      case 'v1.ReadingBegan':
        break;
      default:
        fact satisfies never;
    }
  }

  #place(room: RoomKey, timetoken: Timetoken): void {
    const positions = this.positions.get(room) ?? new Set();
    this.positions.set(room, positions.add(timetoken));
  }
}

/** One tab's store on an in-memory database. */
export const openMemoryStore = (db: MemoryDatabase): Store => {
  db.open += 1;
  const queued = () => db.items.filter(({ state }) => state === 'queued');
  return {
    append: async (facts, fence) => {
      if (db.failure !== undefined) return fail(db.failure);
      if (fence !== undefined && db.leader?.fence !== fence) return fail({ kind: 'fenced' });
      return ok(db.append(facts));
    },
    watchQueuedRooms: (listener) =>
      db.watch(() => listener([...new Set(queued().map(({ room }) => room))])),
    watchSpace: (listener) => db.watch(() => listener(db.failure?.kind === 'quota')),
    keepKeys: async () => {
      if (db.failure !== undefined) return fail(db.failure);
      const isNew = !db.hasKeys;
      db.hasKeys = true;
      return ok({ isNew, mark: db.mark });
    },
    hasKeys: async () => ok(db.hasKeys),
    listUnsent: async () => ok(db.items),
    hasDrafts: async (exceptTab) => ok([...db.drafting].some((tab) => tab !== exceptTab)),
    findNextQueued: async (room) =>
      db.isClosed ? fail({ kind: 'quota' }) : ok(queued().find((item) => item.room === room)),
    findCoverage: async (room) => ok(db.coverage.get(room)),
    listCoverage: async () => ok([...db.coverage.values()]),
    findOlder: async (room, count, before) => {
      const older = [...(db.positions.get(room) ?? [])].filter((place) => place < before);
      const found = older.toSorted().slice(-count);
      const from = found[0];
      return ok(from === undefined ? undefined : { from, count: found.length });
    },
    watchRooms: (listener) =>
      db.watch(() =>
        listener(
          db.teams.flatMap(({ client_id }) =>
            ROOM_IDS.map((roomId) => toRoomKey(client_id, roomId)),
          ),
        ),
      ),
    findTeamsFetchedAt: async () => ok(db.teamsFetchedAt),
    saveTeams: async (teams, fetchedAt) => {
      if (db.failure !== undefined) return fail(db.failure);
      db.teams = teams;
      db.teamsFetchedAt = fetchedAt;
      db.changed();
      return ok(undefined);
    },
    saveProducers: async (producers) => {
      db.producers = producers;
      return ok(undefined);
    },
    takeFence: async (tabId, at) => {
      if (db.failure !== undefined) return fail(db.failure);
      const fence = (db.leader?.fence ?? 0) + 1;
      db.leader = { ...db.leader, fence, tabId, at, link: { kind: 'connecting' } };
      db.changed();
      return ok(fence);
    },
    beat: async (fence, at, link, cursor) => {
      if (db.failure !== undefined) return fail(db.failure);
      if (db.leader?.fence !== fence) return fail({ kind: 'fenced' });
      db.leader = { ...db.leader, at, link, ...(cursor && { cursor }) };
      db.changed();
      return ok(undefined);
    },
    findCursor: async () => ok(db.leader?.cursor),
    prune: async (fence) => (db.leader?.fence === fence ? ok(0) : fail({ kind: 'fenced' })),
    forgetCoverage: async (fence) => {
      if (db.leader?.fence !== fence) return fail({ kind: 'fenced' });
      db.forgetCoverage();
      return ok(undefined);
    },
    watchLeader: (listener) => db.watch(() => listener(db.leader)),
    onLost: (listener) => {
      db.lost.add(listener);
      return () => db.lost.delete(listener);
    },
    close: () => {
      db.open -= 1;
    },
  };
};
