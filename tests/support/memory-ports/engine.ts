import type { AppError } from '#domain/errors.ts';
import { HISTORY_PAGE_SIZE } from '#domain/limits.ts';
import type { HistoryPage, MarkLog, Realtime, StreamSignal } from '#domain/ports/network.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { LogEntry } from '#domain/schemas/message.ts';
import type { MarkEntry, MarkLogName } from '#domain/schemas/mark-log.ts';
import {
  fromEpochMs,
  laterOf,
  nextTimetoken,
  type Timetoken,
  TIMETOKEN_MAX,
  TIMETOKEN_ZERO,
} from '#domain/timetoken.ts';

type Operation = 'publish' | 'stream' | 'history' | 'newest' | 'counts' | MarkLogName;
type Query = Parameters<Realtime['readHistory']>[0];
type Marks = readonly (MarkEntry & { readonly id: string })[];
type OnMarks = (entries: Marks) => void;

/** A realtime engine in memory with failures on demand. */
export class MemoryEngine implements Realtime {
  readonly uid: string;
  /** Whether a known id is stored once. */
  idempotent = true;
  /** Whether a stream leaves nothing out, like the embedded one (server/realtime/README.md). */
  complete = true;
  /** A stream does not deliver entries of an absence, like a service whose queue has expired. */
  forgets = false;
  /** The rooms that an incomplete engine names. */
  rooms: readonly RoomKey[] | undefined;
  /** The rooms that an answer with many rooms leaves out. */
  omitted: ReadonlySet<RoomKey> = new Set();
  log: readonly LogEntry[] = [];
  readonly #marks: Record<MarkLogName, Marks> = { own: [], staff: [] };
  readonly #markListeners = { own: new Set<OnMarks>(), staff: new Set<OnMarks>() };
  /** Every request, in order. */
  readonly calls: { readonly operation: Operation; readonly room?: RoomKey }[] = [];
  renewals = 0;
  /** Publishes wait here for `release` while set. */
  #held: (() => void)[] | undefined;
  readonly #failures = new Map<Operation, { readonly error: AppError; left: number }>();
  readonly #streams = new Set<(signal: StreamSignal) => void>();
  #last: Timetoken = fromEpochMs(Date.parse('2026-03-01T12:00:00.000Z'));

  constructor(uid: string) {
    this.uid = uid;
  }

  /** Makes the next `times` requests of a kind fail. */
  fail(operation: Operation, error: AppError, times = Number.POSITIVE_INFINITY): void {
    this.#failures.set(operation, { error, left: times });
  }

  heal(): void {
    this.#failures.clear();
  }

  hold(): void {
    this.#held ??= [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const go of held) go();
  }

  /** Another publisher writes; with `silent` the streams miss it. */
  write(room: RoomKey, message: unknown, options: { readonly silent?: boolean } = {}): LogEntry {
    this.#last = nextTimetoken(this.#last);
    const entry: LogEntry = { room, timetoken: this.#last, publisher: 'u_other', message };
    this.#store(entry, options.silent ?? false);
    return entry;
  }

  /** Leaves out entries of an absence, without a promise to the contrary. */
  forget(): void {
    this.complete = false;
    this.forgets = true;
  }

  /** Another engine replaces this one: an empty log, and a clock that is `behind` ms. */
  replace(behind: number): void {
    this.log = [];
    this.#marks.own = [];
    this.#marks.staff = [];
    const ticks = BigInt(this.#last) - BigInt(behind) * 10_000n;
    this.#last = ticks.toString() as Timetoken;
    for (const send of this.#streams) send({ type: 'ended', error: { kind: 'unreachable' } });
    this.#streams.clear();
  }

  /** Sends a signal to every open stream. */
  signal(signal: StreamSignal): void {
    for (const send of this.#streams) send(signal);
  }

  beat(): void {
    this.signal({ type: 'beat', cursor: this.#last });
  }

  get openStreams(): number {
    return this.#streams.size;
  }

  #store(entry: LogEntry, silent: boolean): void {
    this.log = [...this.log, entry];
    if (!silent) this.signal({ type: 'entries', entries: [entry] });
  }

  /** Records a request; the value is how it fails. */
  #begin(operation: Operation, room?: RoomKey): AppError | undefined {
    this.calls.push({ operation, ...(room && { room }) });
    const failure = this.#failures.get(operation);
    if (failure === undefined || failure.left <= 0) return undefined;
    failure.left -= 1;
    return failure.error;
  }

  publish: Realtime['publish'] = async (room, payload): Promise<Result<Timetoken, AppError>> => {
    const failure = this.#begin('publish', room);
    if (this.#held !== undefined) await new Promise<void>((go) => this.#held?.push(go));
    if (failure !== undefined) return fail(failure);
    const known = this.log.find(
      ({ message, publisher }) =>
        publisher === this.uid && (message as { id?: string }).id === payload.id,
    );
    if (this.idempotent && known !== undefined) return ok(known.timetoken);
    this.#last = nextTimetoken(this.#last);
    this.#store({ room, timetoken: this.#last, publisher: this.uid, message: payload }, false);
    return ok(this.#last);
  };

  openStream: Realtime['openStream'] = (cursor, onSignal) => {
    const failure = this.#begin('stream');
    this.#streams.add(onSignal);
    queueMicrotask(() => {
      if (!this.#streams.has(onSignal)) return;
      if (failure !== undefined) {
        this.#streams.delete(onSignal);
        onSignal({ type: 'ended', error: failure });
        return;
      }
      if (!this.complete) onSignal({ type: 'opened', after: this.#last, rooms: this.rooms });
      const isNew = ({ timetoken }: LogEntry) => cursor !== undefined && timetoken > cursor;
      const missed = this.forgets ? [] : this.log.filter(isNew);
      if (missed.length > 0) onSignal({ type: 'entries', entries: missed });
      onSignal({ type: 'beat', cursor: this.#last });
    });
    return () => {
      this.#streams.delete(onSignal);
    };
  };

  #findPage({ room, count, before = TIMETOKEN_MAX, after = TIMETOKEN_ZERO }: Query): HistoryPage {
    const isIn = (entry: LogEntry) => after < entry.timetoken && entry.timetoken < before;
    const entries = this.log.filter((entry) => entry.room === room && isIn(entry)).slice(-count);
    return { entries, full: entries.length === count };
  }

  readHistory: Realtime['readHistory'] = async (query) => {
    const failure = this.#begin('history', query.room);
    if (failure !== undefined) return fail(failure);
    return ok(this.#findPage(query));
  };

  readNewest: Realtime['readNewest'] = async (rooms) => {
    const failure = this.#begin('newest');
    if (failure !== undefined) return fail(failure);
    const count = HISTORY_PAGE_SIZE;
    const answered = rooms.filter((room) => !this.omitted.has(room));
    return ok(new Map(answered.map((room) => [room, this.#findPage({ room, count })])));
  };

  countSince: Realtime['countSince'] = async (since) => {
    const failure = this.#begin('counts');
    if (failure !== undefined) return fail(failure);
    const count = (room: RoomKey, after: Timetoken) =>
      this.log.filter((entry) => entry.room === room && entry.timetoken > after).length;
    return ok(new Map([...since].map(([room, after]) => [room, count(room, after)])));
  };

  readonly own: MarkLog = this.#createLog('own');
  readonly staff: MarkLog = this.#createLog('staff');

  get userLog(): Marks {
    return this.#marks.own;
  }

  get staffLog(): Marks {
    return this.#marks.staff;
  }

  #createLog(name: MarkLogName): MarkLog {
    return {
      publish: async (id, payload) => {
        const failure = this.#begin(name);
        if (failure !== undefined) return fail(failure);
        const known = this.#marks[name].find((entry) => entry.id === id);
        return ok(known?.timetoken ?? this.#writeMark(name, payload, id));
      },
      read: async ({ count, before = TIMETOKEN_MAX, after = TIMETOKEN_ZERO }) => {
        const failure = this.#begin(name);
        if (failure !== undefined) return fail(failure);
        const entries = this.#marks[name]
          .filter(({ timetoken }) => after < timetoken && timetoken < before)
          .slice(-count);
        return ok({ entries, full: entries.length === count });
      },
      watch: (listener) => {
        this.#markListeners[name].add(listener);
        return () => this.#markListeners[name].delete(listener);
      },
    };
  }

  /** Another device of the user writes to the user log; with `silent` the streams miss it. */
  writeOwn(payload: unknown, silent = false): Timetoken {
    return this.#writeMark('own', payload, undefined, silent);
  }

  /** A colleague writes to the staff log. */
  writeStaff(payload: unknown): Timetoken {
    return this.#writeMark('staff', payload);
  }

  #writeMark(name: MarkLogName, payload: unknown, key?: string, silent = false): Timetoken {
    const id = key ?? `${name}-${this.#marks[name].length}`;
    // As in the embedded engine: a separate sequence that is never before the log of the rooms.
    const last = this.#marks[name].at(-1)?.timetoken ?? TIMETOKEN_ZERO;
    const timetoken = laterOf(this.#last, nextTimetoken(last));
    const entry = { id, timetoken, payload };
    this.#marks[name] = [...this.#marks[name], entry];
    const wake: OnMarks = (entries) => this.#markListeners[name].forEach((one) => one(entries));
    if (!silent) wake(this.complete ? [] : [entry]);
    return timetoken;
  }

  renewToken = (): void => {
    this.renewals += 1;
  };

  /** The newest position of the log. */
  get newest(): Timetoken {
    return this.log.at(-1)?.timetoken ?? TIMETOKEN_ZERO;
  }
}
