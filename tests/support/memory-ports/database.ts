import { toFactKey } from '#domain/envelope.ts';
import type { StoreFlag } from '#domain/ports/device.ts';
import type { AppError } from '#domain/errors.ts';
import type { Fact } from '#domain/events.ts';
import type { Coverage, LeaderRow, OutboxItem } from '#domain/project/rows.ts';
import type { AllCoverage, LocalMarks, StreamOpening } from '#domain/ports/storage.ts';
import { closeSegment, joinSegments, openSegment } from '#domain/project/segment-changes.ts';
import {
  coverRoom,
  type RoomCoverage,
  type Segment,
  type Interval,
} from '#domain/project/segments.ts';
import { coverPage } from '#domain/project/coverage.ts';
import { ROOM_IDS, type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { type LogState, NOTHING_KNOWN } from '#domain/project/log-state.ts';
import type { MarkLogName } from '#domain/schemas/mark-log.ts';
import { findMarkLog, isLaterMark, type Mark } from '#domain/schemas/marks.ts';
import type { Team } from '#domain/schemas/team.ts';
import { laterOf, nextTimetoken, type Timetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

/** The content of one user's database, shared by all tabs of a device. */
export class MemoryDatabase {
  readonly facts: Fact[] = [];
  readonly #keys = new Set<string>();
  items: readonly OutboxItem[] = [];
  /** Tabs with a draft. */
  readonly drafting = new Set<string>();
  hasKeys = false;
  /** The state of the flag when the keys arrived. */
  flag: StoreFlag | undefined;
  readonly coverage = new Map<RoomKey, Coverage>();
  segments: readonly Segment[] = [];
  readonly floors = new Map<RoomKey, Timetoken>();
  /** The rooms that the engine named. */
  subscribed: readonly RoomKey[] | undefined;
  readonly positions = new Map<RoomKey, Set<Timetoken>>();
  readonly logStates = new Map<MarkLogName, LogState>();
  leader: LeaderRow | undefined;
  teamsFetchedAt: number | undefined;
  teams: readonly Team[] = [];
  producers: readonly unknown[] = [];
  /** Every write fails while set. */
  failure: AppError | undefined;
  /** The queue is unreadable as well, as on a completely full disk. */
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

  findLogState(log: MarkLogName): LogState {
    return this.logStates.get(log) ?? NOTHING_KNOWN;
  }

  listLocalMarks(log: MarkLogName): LocalMarks {
    const marks = new Map<string, Mark>();
    let began: Timetoken | undefined;
    for (const fact of this.facts) {
      if (fact.type === 'v1.ReadingBegan' && log === 'own') began = fact.timetoken;
      const read = fact.type === 'v1.RoomRead' && { kind: 'read', turn: 0, value: fact.timetoken };
      const isMark = fact.type === 'v1.RoomMarked' || fact.type === 'v1.ChoiceMade';
      const mark = isMark ? fact : read;
      const subject = 'room' in fact ? fact.room : 'subject' in fact && fact.subject;
      if (!mark || !subject) continue;
      const [key, { turn, value }] = [`${mark.kind}:${subject}`, mark];
      const isLater = isLaterMark({ turn, value }, marks.get(key));
      if (findMarkLog(key) === log && isLater) marks.set(key, { turn, value });
    }
    return { marks, began, last: this.facts.length };
  }

  forgetCoverage(): void {
    for (const key of this.#keys) if (key.startsWith('page|')) this.#keys.delete(key);
    this.coverage.clear();
    this.logStates.clear();
    this.segments = [];
    this.floors.clear();
    this.changed();
  }

  /** The newest position of a room; zero if none of its messages is here. */
  findNewest(room: RoomKey): Timetoken {
    return [...(this.positions.get(room) ?? [])].reduce(laterOf, TIMETOKEN_ZERO);
  }

  findCoverage(room: RoomKey): RoomCoverage | undefined {
    return coverRoom(room, this.coverage.get(room), this.findAllCoverage());
  }

  findAllCoverage(): AllCoverage {
    const listed = this.teams.flatMap(({ client_id }) =>
      ROOM_IDS.map((roomId) => toRoomKey(client_id, roomId)),
    );
    const rooms = this.subscribed ?? [...new Set([...listed, ...this.coverage.keys()])];
    return {
      pages: this.coverage,
      stored: new Set(this.positions.keys()),
      segments: this.#extended(),
      floors: this.floors,
      rooms,
      readable: this.subscribed === undefined && listed.length > 0 ? listed : rooms,
      isNamed: this.subscribed !== undefined,
    };
  }

  openSegment({ after, resumes, requested, rooms, upTo }: StreamOpening): void {
    this.#reach(upTo);
    for (const room of rooms ?? []) {
      const isJoined = this.segments.length > 0 && !this.subscribed?.includes(room);
      if (isJoined) this.floors.set(room, nextTimetoken(after));
    }
    this.subscribed = rooms ?? this.subscribed;
    this.segments = openSegment(this.#extended(), after, resumes, requested);
  }

  closeSegment(upTo?: Timetoken): void {
    this.#reach(upTo);
    this.segments = closeSegment(this.#extended());
  }

  dropBefore(room: RoomKey, from: Timetoken): void {
    const known = this.coverage.get(room);
    const ranges = known?.ranges.filter(({ to }) => to >= from) ?? [];
    const kept = ranges.map((range) => ({ from: laterOf(range.from, from), to: range.to }));
    if (known !== undefined) this.coverage.set(room, { room, ranges: kept, reachedStart: false });
    this.floors.set(room, laterOf(this.floors.get(room) ?? from, from));
  }

  joinSegments(gap: Interval): void {
    this.segments = joinSegments(this.#extended(), gap);
  }

  #reach(upTo: Timetoken | undefined): void {
    if (upTo === undefined || this.leader === undefined) return;
    this.leader = { ...this.leader, cursor: laterOf(this.leader.cursor ?? upTo, upTo) };
  }

  /** The open segment ends at the position of the heartbeat. */
  #extended(): readonly Segment[] {
    const cursor = this.leader?.cursor;
    return this.segments.map((segment) =>
      segment.isOpen && cursor !== undefined
        ? { ...segment, to: laterOf(segment.to, cursor) }
        : segment,
    );
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
      case 'v1.StreamOpened':
      case 'v1.StreamCovered':
      case 'v1.RoomFloored':
      case 'v1.RoomRead':
      case 'v1.RoomMarked':
      case 'v1.ChoiceMade':
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
