import type { AppError } from '#domain/errors.ts';
import type { Unsubscribe } from '#domain/ports/kit.ts';
import type { Realtime, StreamSignal } from '#domain/ports/network.ts';
import type { StreamOpening } from '#domain/ports/storage.ts';
import type { Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { findOverflowEnd } from '#domain/rules/overflow.ts';
import { type LogEntry, toFact } from '#domain/schemas/message.ts';
import { laterOf, type Timetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import type { LeaderInput } from '../kit/inputs.ts';
import { STREAM_OVERFLOW_ENTRIES, STREAM_WRITE_ENTRIES_MAX } from '../kit/leader-limits.ts';
import { type StreamReport, toEndSignal } from './stream-report.ts';

/**
 * `cursor`: where the stream resumes; undefined: now. `stored`: everything that streams delivered
 * up to here is stored.
 */
export interface Resumption {
  readonly cursor: Timetoken | undefined;
  readonly stored: Timetoken | undefined;
}

type WriterInput = LeaderInput & Resumption;

type Notify = (signal: StreamReport) => void;

/** The work to be written, in the order of arrival. */
type Work =
  | { readonly kind: 'entry'; readonly entry: LogEntry }
  | { readonly kind: 'opening'; readonly opening: StreamOpening };

/**
 * Writes the delivered entries in order, and the positions after which the stream leaves nothing
 * out. Entries that arrive during a write are combined into the next one. The cursor moves only
 * after the commit, and stays if a full disk refused entries, which the store then shows from
 * memory.
 */
export class StreamWriter {
  readonly #input: WriterInput;
  readonly #isComplete: () => boolean;
  readonly #notify: Notify;
  readonly #toFailure: (error: unknown) => AppError;
  #pending: readonly Work[] = [];
  #delivered: Timetoken = TIMETOKEN_ZERO;
  /** Everything up to here is stored. */
  #stored: Timetoken | undefined;
  /** The rooms of the stream, if its engine names them. */
  #rooms: readonly RoomKey[] | undefined;
  #ending: AppError | undefined;
  #hasBeat = false;
  #isCurrent = false;
  /** An opening was requested from the store. */
  #isOpening = false;
  #isOpen = false;
  #isWriting = false;
  #isStopped = false;
  #isRefused = false;
  #forgetSpace: Unsubscribe | undefined;

  constructor(
    input: WriterInput,
    realtime: Pick<Realtime, 'complete'>,
    notify: Notify,
    toFailure: (error: unknown) => AppError,
  ) {
    this.#input = input;
    this.#stored = input.stored;
    this.#isComplete = () => realtime.complete;
    this.#notify = notify;
    this.#toFailure = toFailure;
  }

  take(signal: StreamSignal): void {
    const opening = this.#findOpening(signal);
    if (opening !== undefined) this.#queue([{ kind: 'opening', opening }]);
    if (signal.type === 'entries') {
      this.#queue(signal.entries.map((entry) => ({ kind: 'entry', entry })));
    } else if (signal.type === 'beat') {
      this.#delivered = laterOf(this.#delivered, signal.cursor);
      this.#hasBeat = true;
    } else if (signal.type === 'ended') this.#ending = signal.error;
    if (!this.#isWriting) void this.#writeAll();
  }

  /**
   * Stops writing; the next stream continues the segment if its engine leaves nothing out in
   * between.
   */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#forgetSpace?.();
    const { store, fence } = this.#input;
    // If this fails, the next leader closes the segment at the last heartbeat.
    if (this.#isOpen && this.#stored !== undefined) {
      store.closeSegment(fence, this.#stored).catch(this.#toFailure);
    }
  }

  #queue(work: readonly Work[]): void {
    this.#pending = [...this.#pending, ...work];
  }

  /**
   * The segment that begins with this signal, if any. On a complete engine, it begins at the
   * cursor, else at the first beat. On any other, a batch that may have replaced older entries
   * begins a new one.
   */
  #findOpening(signal: StreamSignal): StreamOpening | undefined {
    if (signal.type === 'opened') {
      this.#isOpening = true;
      this.#rooms = signal.rooms;
      const { after, rooms } = signal;
      return { after, rooms, requested: this.#input.cursor, resumes: false };
    }
    if (!this.#isComplete()) {
      const isOverflow =
        signal.type === 'entries' && signal.entries.length >= STREAM_OVERFLOW_ENTRIES;
      const after = isOverflow ? findOverflowEnd(signal.entries) : undefined;
      return after && { after, rooms: this.#rooms, resumes: false };
    }
    if (this.#isOpening || signal.type === 'ended') return undefined;
    const { cursor } = this.#input;
    const beat = signal.type === 'beat' ? signal.cursor : undefined;
    const after = cursor ?? beat;
    if (after === undefined) return undefined;
    this.#isOpening = true;
    return { after, resumes: cursor !== undefined };
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    let failure: AppError | undefined;
    try {
      while (failure === undefined && !this.#isStopped) {
        const [next] = this.#pending;
        if (next === undefined) break;
        failure = await (next.kind === 'opening' ? this.#open(next.opening) : this.#writeSome());
      }
    } catch (error) {
      failure = this.#toFailure(error);
    }
    this.#isWriting = false;
    if (this.#isStopped) return;
    if (this.#isRefused) this.#waitForSpace();
    else if (failure === undefined) this.#advance(this.#delivered);
    this.#notifyCurrent();
    const end = failure ?? this.#ending;
    if (end === undefined) return;
    this.stop();
    this.#notify(toEndSignal(end));
  }

  #notifyCurrent(): void {
    if (this.#isCurrent || !this.#hasBeat) return;
    this.#isCurrent = true;
    this.#notify({ type: 'stream.current' });
  }

  async #open(opening: StreamOpening): Promise<AppError | undefined> {
    const { store, fence } = this.#input;
    this.#pending = this.#pending.slice(1);
    const upTo = this.#stored;
    // Entries that this stream delivered before stay covered.
    const after = this.#isOpen ? laterOf(opening.after, upTo ?? opening.after) : opening.after;
    const opened = await store.openSegment(fence, { ...opening, after, upTo });
    if (!opened.ok) return this.#toFailureOf(opened);
    if (this.#isOpen) this.#notify({ type: 'stream.overflowed' });
    this.#isOpen = true;
    return undefined;
  }

  async #writeSome(): Promise<AppError | undefined> {
    const entries: LogEntry[] = [];
    for (const work of this.#pending) {
      if (work.kind !== 'entry' || entries.length === STREAM_WRITE_ENTRIES_MAX) break;
      entries.push(work.entry);
    }
    const facts = entries.map((entry) => toFact(entry, 'live'));
    const stored = await this.#input.store.append(facts, this.#input.fence);
    this.#pending = this.#pending.slice(entries.length);
    if (stored.ok) this.#advance(entries.at(-1)?.timetoken ?? TIMETOKEN_ZERO);
    return this.#toFailureOf(stored);
  }

  /** On a full disk the stream continues. */
  #toFailureOf(stored: Result<unknown, AppError>): AppError | undefined {
    if (stored.ok) return undefined;
    if (stored.error.kind !== 'quota') return stored.error;
    this.#isRefused = true;
    return undefined;
  }

  /** Once there is space again, the stream resumes after the last stored entry. */
  #waitForSpace(): void {
    this.#forgetSpace ??= this.#input.store.watchSpace((isFull) => {
      if (isFull || this.#isStopped) return;
      this.stop();
      this.#notify({ type: 'stream.ended' });
    });
  }

  #advance(cursor: Timetoken): void {
    if (this.#isStopped || this.#isRefused || cursor === TIMETOKEN_ZERO) return;
    this.#stored = laterOf(this.#stored ?? cursor, cursor);
    this.#notify({ type: 'stream.advanced', cursor });
  }
}
