import type { AppError } from '#domain/errors.ts';
import { HISTORY_PAGE_SIZE } from '#domain/limits.ts';
import type { HistoryPage, HistoryQuery } from '#domain/ports/network.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { LogEntry, WirePayload } from '#domain/schemas/message.ts';
import {
  fromEpochMs,
  laterOf,
  nextTimetoken,
  type Timetoken,
  TIMETOKEN_ZERO,
} from '#domain/timetoken.ts';

import { SimMarkLogs } from './mark-logs.ts';
import type { SimRandom } from './random.ts';
import type { Scheduler } from './scheduler.ts';

/** The differences between engines. */
export interface EngineTraits {
  /** A publish with a known id gets its first timetoken (embedded engine). */
  readonly idempotent: boolean;
  /** The stream drops all but the newest 100 of a burst or backlog (hosted engine). */
  readonly forgetful: boolean;
}

/** Text of a message that this engine refuses permanently. */
export const REFUSED_MARK = 'REFUSE ME';

const BATCH_MAX = 100;
/** Entries of a burst that arrive within this time are sent together, ms. */
const BATCH_MS = 20;
const BEAT_MS = 10_000;

export type EngineSignal =
  /** The position at which a forgetting engine began to serve the stream. */
  | { readonly type: 'opened'; readonly after: Timetoken }
  | { readonly type: 'entries'; readonly entries: readonly LogEntry[] }
  | { readonly type: 'beat'; readonly cursor: Timetoken };

/** The engine's end of one stream. */
export interface EngineStream {
  readonly notify: (signal: EngineSignal) => void;
  readonly hangUp: () => void;
}

interface OpenStream extends EngineStream {
  pending: LogEntry[];
  isFlushing: boolean;
}

/** A durable log of all rooms with strictly rising timetokens, and streams over it. */
export class SimEngine {
  readonly log: LogEntry[] = [];
  readonly rooms = new Map<RoomKey, LogEntry[]>();
  readonly traits: EngineTraits;
  readonly marks: SimMarkLogs;
  /** The rooms of every stream, as a forgetting engine names them. */
  named: readonly RoomKey[] = [];
  readonly #scheduler: Scheduler;
  readonly #random: SimRandom;
  readonly #streams = new Set<OpenStream>();
  #last: Timetoken = TIMETOKEN_ZERO;

  constructor(scheduler: Scheduler, random: SimRandom, traits: EngineTraits) {
    this.#scheduler = scheduler;
    this.#random = random;
    this.traits = traits;
    this.marks = new SimMarkLogs(traits.idempotent, () =>
      laterOf(fromEpochMs(scheduler.now), this.#last),
    );
    this.#beat();
  }

  /** Adds an entry; bursts get timetokens one tick apart. */
  append(room: RoomKey, publisher: string, message: unknown): LogEntry {
    const ticks = fromEpochMs(this.#scheduler.now);
    const now = (BigInt(ticks) + BigInt(this.#random.int(0, 9999))).toString() as Timetoken;
    this.#last = now > this.#last ? now : nextTimetoken(this.#last);
    const entry: LogEntry = { room, timetoken: this.#last, publisher, message };
    this.log.push(entry);
    const known = this.rooms.get(room);
    if (known) known.push(entry);
    else this.rooms.set(room, [entry]);
    for (const stream of this.#streams) this.#queue(stream, entry);
    return entry;
  }

  publish(uid: string, room: RoomKey, payload: WirePayload): Result<Timetoken, AppError> {
    if (payload.text.includes(REFUSED_MARK)) {
      return fail({ kind: 'rejected', status: 400, text: 'refused' });
    }
    const known = this.traits.idempotent ? this.find(room, uid, payload.id) : undefined;
    return ok((known ?? this.append(room, uid, payload)).timetoken);
  }

  /** The first entry of a message. */
  find(room: RoomKey, publisher: string, id: string): LogEntry | undefined {
    return this.rooms
      .get(room)
      ?.find((entry) => entry.publisher === publisher && findId(entry) === id);
  }

  readHistory({ room, count, before, after }: HistoryQuery): HistoryPage {
    const entries = (this.rooms.get(room) ?? []).filter(
      ({ timetoken }) =>
        (before === undefined || timetoken < before) && (after === undefined || timetoken > after),
    );
    return { entries: entries.slice(-count), full: entries.length >= count };
  }

  /** Like the real engines, an answer may leave rooms out (`Realtime.readNewest`). */
  readNewest(rooms: readonly RoomKey[]): ReadonlyMap<RoomKey, HistoryPage> {
    const count = HISTORY_PAGE_SIZE;
    const answered = rooms.slice(0, this.#random.int(0, rooms.length));
    return new Map(answered.map((room) => [room, this.readHistory({ room, count })]));
  }

  countSince(since: ReadonlyMap<RoomKey, Timetoken>): ReadonlyMap<RoomKey, number> {
    const count = (room: RoomKey, after: Timetoken): number =>
      (this.rooms.get(room) ?? []).filter(({ timetoken }) => timetoken > after).length;
    return new Map(Array.from(since, ([room, after]) => [room, count(room, after)]));
  }

  /** Opens a stream, starting after `cursor` or now. Returns a function that closes it. */
  open(cursor: Timetoken | undefined, ends: EngineStream): () => void {
    const stream: OpenStream = { ...ends, pending: [], isFlushing: false };
    this.#streams.add(stream);
    if (cursor !== undefined) {
      stream.pending = this.log.filter(({ timetoken }) => timetoken > cursor);
    }
    if (this.traits.forgetful) stream.notify({ type: 'opened', after: this.#last });
    this.#flush(stream);
    stream.notify({ type: 'beat', cursor: this.#last });
    return () => {
      this.#streams.delete(stream);
    };
  }

  /** The engine's process dies; its log is durable. */
  restart(): void {
    for (const stream of this.#streams) stream.hangUp();
    this.#streams.clear();
  }

  #queue(stream: OpenStream, entry: LogEntry): void {
    stream.pending.push(entry);
    if (stream.isFlushing) return;
    stream.isFlushing = true;
    this.#scheduler.after(undefined, BATCH_MS, () => this.#flush(stream));
  }

  #flush(stream: OpenStream): void {
    stream.isFlushing = false;
    if (!this.#streams.has(stream)) return;
    const { pending } = stream;
    stream.pending = [];
    const kept = this.traits.forgetful ? pending.slice(-BATCH_MAX) : pending;
    for (let from = 0; from < kept.length; from += BATCH_MAX) {
      stream.notify({ type: 'entries', entries: kept.slice(from, from + BATCH_MAX) });
    }
  }

  #beat(): void {
    this.#scheduler.after(undefined, BEAT_MS, () => {
      for (const stream of this.#streams) {
        this.#flush(stream);
        stream.notify({ type: 'beat', cursor: this.#last });
      }
      this.#beat();
    });
  }
}

/** The id inside a payload, if it has one. */
const findId = ({ message }: LogEntry): string | undefined => {
  const id: unknown =
    typeof message === 'object' && message !== null ? Reflect.get(message, 'id') : undefined;
  return typeof id === 'string' ? id : undefined;
};
