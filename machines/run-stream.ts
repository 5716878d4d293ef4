import type { AppError } from '#domain/errors.ts';
import type { Ports, StreamSignal } from '#domain/ports.ts';
import type { LogEntry } from '#domain/schemas/message.ts';
import { laterOf, type Timetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';
import { type EventObject, fromCallback } from 'xstate';

import type { ConnectionSignal, StreamInput } from './connection.machine.ts';
import { STREAM_FLOOD_ENTRIES, STREAM_WRITE_ENTRIES_MAX } from './limits.ts';
import type { Task } from './task.ts';
import { toFact } from './to-fact.ts';

type Tell = (signal: ConnectionSignal) => void;

const toEndSignal = ({ kind }: AppError): ConnectionSignal => {
  if (kind === 'fenced') return { type: 'store.fenced' };
  const isRefused = kind === 'unauthenticated' || kind === 'forbidden';
  return { type: isRefused ? 'stream.refused' : 'stream.ended' };
};

/**
 * Writes what the stream delivers, in order; entries that arrive during a write go into
 * the next one together. The cursor moves only after the commit.
 */
class StreamWriter {
  readonly #input: StreamInput;
  readonly #tell: Tell;
  #pending: readonly LogEntry[] = [];
  #delivered: Timetoken = TIMETOKEN_ZERO;
  #ending: AppError | undefined;
  #isWriting = false;
  #isStopped = false;

  constructor(input: StreamInput, tell: Tell) {
    this.#input = input;
    this.#tell = tell;
  }

  take(signal: StreamSignal): void {
    if (signal.type === 'entries') this.#pending = [...this.#pending, ...signal.entries];
    else if (signal.type === 'beat') this.#delivered = laterOf(this.#delivered, signal.cursor);
    else this.#ending = signal.error;
    if (!this.#isWriting) void this.#writeAll();
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    let failure: AppError | undefined;
    while (this.#pending.length > 0 && failure === undefined && !this.#isStopped) {
      failure = await this.#writeSome();
    }
    this.#isWriting = false;
    if (this.#isStopped) return;
    if (failure === undefined) this.#advance(this.#delivered);
    const end = failure ?? this.#ending;
    if (end === undefined) return;
    this.#isStopped = true;
    this.#tell(toEndSignal(end));
  }

  async #writeSome(): Promise<AppError | undefined> {
    const entries = this.#pending.slice(0, STREAM_WRITE_ENTRIES_MAX);
    const facts = entries.map((entry) => toFact(entry, 'live'));
    const stored = await this.#input.store.append(facts, this.#input.fence);
    if (!stored.ok) return stored.error;
    this.#pending = this.#pending.slice(entries.length);
    this.#advance(entries.at(-1)?.timetoken ?? TIMETOKEN_ZERO);
    return undefined;
  }

  #advance(cursor: Timetoken): void {
    if (this.#isStopped || cursor === TIMETOKEN_ZERO) return;
    this.#tell({ type: 'stream.advanced', cursor });
  }
}

/** Holds the one stream open and stores what it brings. */
export const runStream = ({ realtime }: Pick<Ports, 'realtime'>): Task<StreamInput> =>
  fromCallback<EventObject, StreamInput>(({ input, sendBack }) => {
    const writer = new StreamWriter(input, sendBack);
    const close = realtime.openStream(input.cursor, (signal) => {
      if (signal.type !== 'ended') sendBack({ type: 'stream.lived' });
      if (signal.type === 'entries' && signal.entries.length >= STREAM_FLOOD_ENTRIES) {
        sendBack({ type: 'stream.flooded' });
      }
      writer.take(signal);
    });
    return () => {
      writer.stop();
      close();
    };
  });
