import type { AppError } from '#domain/errors.ts';
import type { LinkCause } from '#domain/link-status.ts';
import type { Fact } from '#domain/events.ts';
import type { ClientLog } from '#domain/ports/browser.ts';
import type { Unsubscribe } from '#domain/ports/kit.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { StreamSignal } from '#domain/ports/network.ts';
import type { Result } from '#domain/result.ts';
import { type LogEntry, toFact } from '#domain/schemas/message.ts';
import { laterOf, type Timetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import { reportThrown } from '../kit/answer.ts';
import { fromSubscription } from '../kit/from-subscription.ts';
import type { LeaderInput } from '../kit/inputs.ts';
import { STREAM_FLOOD_ENTRIES, STREAM_WRITE_ENTRIES_MAX } from '../kit/limits.ts';

/** Reports of the stream to the connection. */
export type StreamReport =
  /** The stream is alive. */
  | { readonly type: 'stream.beat' }
  /** Everything up to `cursor` is on this device. */
  | { readonly type: 'stream.advanced'; readonly cursor: Timetoken }
  /**
   * The log ends at `cursor`, before the position where the stream resumed: it is a different log.
   */
  | { readonly type: 'stream.rewound'; readonly cursor: Timetoken }
  /** The engine may have dropped entries of a burst. */
  | { readonly type: 'stream.overflowed' }
  | { readonly type: 'stream.ended'; readonly cause?: LinkCause }
  /** Ended by 401 or 403. */
  | { readonly type: 'stream.refused' }
  /** Another tab leads. */
  | { readonly type: 'store.fenced' };

/** Without a cursor the newest known position is used. */
export interface StreamInput extends LeaderInput {
  readonly cursor: Timetoken | undefined;
}

type StreamPorts = Pick<Ports, 'realtime' | 'clientLog'>;
type Tell = (signal: StreamReport) => void;

const toEndSignal = (error: AppError): StreamReport => {
  const { kind } = error;
  if (kind === 'fenced') return { type: 'store.fenced' };
  const isRefused = kind === 'unauthenticated' || kind === 'forbidden';
  if (isRefused) return { type: 'stream.refused' };
  const isUpstream = kind === 'server' && error.upstream === true;
  return { type: 'stream.ended', ...(isUpstream && { cause: 'upstream' }) };
};

/**
 * Writes the delivered entries in order; entries that arrive during a write are combined into the
 * next one. The cursor moves only after the commit, and stays if a full disk refused entries,
 * which the store then shows from memory.
 */
class StreamWriter {
  readonly #input: StreamInput;
  readonly #tell: Tell;
  readonly #toFailure: (error: unknown) => AppError;
  #pending: readonly LogEntry[] = [];
  #delivered: Timetoken = TIMETOKEN_ZERO;
  #ending: AppError | undefined;
  #began = false;
  #isWriting = false;
  #isStopped = false;
  #isRefused = false;
  #forgetSpace: Unsubscribe | undefined;

  constructor(input: StreamInput, tell: Tell, toFailure: (error: unknown) => AppError) {
    this.#input = input;
    this.#tell = tell;
    this.#toFailure = toFailure;
  }

  take(signal: StreamSignal): void {
    if (signal.type === 'entries') this.#pending = [...this.#pending, ...signal.entries];
    else if (signal.type === 'beat') this.#delivered = laterOf(this.#delivered, signal.cursor);
    else if (signal.type === 'ended') this.#ending = signal.error;
    if (!this.#isWriting) void this.#writeAll();
  }

  stop(): void {
    this.#isStopped = true;
    this.#forgetSpace?.();
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    let failure: AppError | undefined;
    try {
      while (failure === undefined && !this.#isStopped && this.#hasWork()) {
        failure = await (this.#pending.length > 0 ? this.#writeSome() : this.#begin());
      }
    } catch (error) {
      failure = this.#toFailure(error);
    }
    this.#isWriting = false;
    if (this.#isStopped) return;
    if (this.#isRefused) this.#waitForSpace();
    else if (failure === undefined) this.#advance(this.#delivered);
    const end = failure ?? this.#ending;
    if (end === undefined) return;
    this.stop();
    this.#tell(toEndSignal(end));
  }

  #hasWork(): boolean {
    const isToBegin = !this.#began && this.#delivered !== TIMETOKEN_ZERO;
    return this.#pending.length > 0 || isToBegin;
  }

  /** On the first stream of a device, reading begins at the current end of the logs. */
  async #begin(): Promise<AppError | undefined> {
    this.#began = true;
    const { store, fence } = this.#input;
    const began: Fact = { type: 'v1.ReadingBegan', timetoken: this.#delivered };
    const stored = await store.append([began], fence);
    return this.#toFailureOf(stored);
  }

  async #writeSome(): Promise<AppError | undefined> {
    const entries = this.#pending.slice(0, STREAM_WRITE_ENTRIES_MAX);
    const facts = entries.map((entry) => toFact(entry, 'live'));
    const stored = await this.#input.store.append(facts, this.#input.fence);
    this.#pending = this.#pending.slice(entries.length);
    if (stored.ok) this.#advance(entries.at(-1)?.timetoken ?? TIMETOKEN_ZERO);
    return this.#toFailureOf(stored);
  }

  /** On a full disk the stream continues. */
  #toFailureOf(stored: Result<number, AppError>): AppError | undefined {
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
      this.#tell({ type: 'stream.ended' });
    });
  }

  #advance(cursor: Timetoken): void {
    if (this.#isStopped || this.#isRefused || cursor === TIMETOKEN_ZERO) return;
    this.#tell({ type: 'stream.advanced', cursor });
  }
}

/**
 * Where the stream resumes: at the end of the last stream in any tab, else at the newest position
 * covered in any room; undefined without either.
 */
const findCursor = async ({ store, cursor }: StreamInput): Promise<Timetoken | undefined> => {
  if (cursor !== undefined) return cursor;
  const last = await store.findCursor();
  if (last.ok && last.value !== undefined) return last.value;
  const known = await store.listCoverage();
  const ends = known.ok ? known.value.map(({ ranges }) => ranges.at(-1)?.to) : [];
  const newest = ends.reduce<Timetoken>(
    (newest, end) => laterOf(newest, end ?? TIMETOKEN_ZERO),
    TIMETOKEN_ZERO,
  );
  return newest === TIMETOKEN_ZERO ? undefined : newest;
};

/**
 * The end of the log if it is before `cursor`: the log was replaced, or restored to an older
 * state. Later entries may then be below positions that count as known on this device.
 */
const findRewound = (signal: StreamSignal, cursor: Timetoken | undefined) =>
  signal.type === 'beat' && cursor !== undefined && signal.cursor < cursor
    ? signal.cursor
    : undefined;

/** Whether the engine may have dropped entries. */
const isFlood = (signal: StreamSignal): boolean =>
  signal.type === 'gap' ||
  (signal.type === 'entries' && signal.entries.length >= STREAM_FLOOD_ENTRIES);

const toThrownFailure =
  (clientLog: ClientLog) =>
  (error: unknown): AppError => {
    reportThrown(clientLog, 'stream', error);
    return { kind: 'storage', detail: String(error) };
  };

/**
 * Keeps the only stream open and stores its entries. It starts where the last one ended, else at
 * the newest known position, else now; catch-up fills the rest.
 */
export const runStream = ({ realtime, clientLog }: StreamPorts) =>
  fromSubscription<StreamReport, StreamInput>((tell, input) => {
    const toFailure = toThrownFailure(clientLog);
    const writer = new StreamWriter(input, tell, toFailure);
    let stopped = false;
    let close = (): void => undefined;
    const endOn = (error: unknown): void => {
      const end = toEndSignal(toFailure(error));
      if (!stopped) tell(end);
    };
    const rewind = async (cursor: Timetoken) => {
      writer.stop();
      close();
      const forgotten = await input.store.forgetCoverage(input.fence);
      if (stopped) return;
      tell(forgotten.ok ? { type: 'stream.rewound', cursor } : toEndSignal(forgotten.error));
    };
    const open = async () => {
      const cursor = await findCursor(input);
      if (stopped) return;
      let isRewound = false;
      close = realtime.openStream(cursor, (signal) => {
        const rewound = findRewound(signal, cursor);
        if (rewound !== undefined) rewind(rewound).catch(endOn);
        isRewound ||= rewound !== undefined;
        if (isRewound) return;
        if (signal.type !== 'ended') tell({ type: 'stream.beat' });
        if (isFlood(signal)) tell({ type: 'stream.overflowed' });
        writer.take(signal);
      });
    };
    open().catch(endOn);
    return () => {
      stopped = true;
      writer.stop();
      close();
    };
  });
