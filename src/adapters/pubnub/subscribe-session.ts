import type { AppError } from '#domain/errors.ts';
import type { Clock } from '#domain/ports/kit.ts';
import type { StreamSignal } from '#domain/ports/network.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { LogEntry } from '#domain/schemas/message.ts';
import { findOverflowEnd } from '#domain/rules/overflow.ts';
import { isTimetoken, laterOf, type Timetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import { CLOCK_STEP_MS, HOSTED_BATCH_FULL, HOSTED_CACHE_MS } from '../realtime/limits.ts';
import type { SdkClient } from './sdk.ts';

/** The part of a message that the SDK passes to its listener. */
export interface SdkMessage {
  readonly channel: string;
  readonly timetoken: string;
  readonly publisher?: string | undefined;
  readonly message: unknown;
}

interface SdkStatus {
  readonly category?: string | undefined;
  readonly error?: unknown;
  readonly currentTimetoken?: unknown;
}

export type Emit = (signal: StreamSignal) => void;

/** Why an SDK client stopped; `quiet`: a poll without messages ended. */
export type Stop =
  | { readonly kind: 'quiet' }
  | { readonly kind: 'failed'; readonly error: AppError };

const toFailure = (error: AppError): Stop => ({ kind: 'failed', error });

const STOPS: Readonly<Record<string, Stop>> = {
  PNTimeoutCategory: { kind: 'quiet' },
  PNAccessDeniedCategory: toFailure({ kind: 'forbidden' }),
  PNBadRequestCategory: toFailure({ kind: 'malformed', detail: 'stream' }),
  PNMalformedResponseCategory: toFailure({ kind: 'malformed', detail: 'stream' }),
};

/** The SDK reports a stop once, as a status word, and then does nothing more. */
const toStop = (word: unknown, isConnected: boolean): Stop => {
  const stop = STOPS[String(word)];
  if (stop?.kind === 'quiet' && !isConnected) return toFailure({ kind: 'timeout' });
  return stop ?? toFailure({ kind: 'unreachable' });
};

/** Converts messages to entries of our rooms. */
export type ToEntries = (messages: readonly SdkMessage[]) => readonly LogEntry[];

interface SessionNeeds {
  readonly position: Timetoken | undefined;
  /** The rooms of the channels. */
  readonly rooms: readonly RoomKey[];
  /** By channel, the listener for its messages, which are not entries of rooms. */
  readonly logs: ReadonlyMap<string, (messages: readonly SdkMessage[]) => void>;
  readonly emit: Emit;
  readonly toEntries: ToEntries;
  readonly clock: Clock;
  readonly findHandshake: () => Timetoken | undefined;
}

/** One SDK client, from stop to stop. */
export class SubscribeSession {
  readonly channels: readonly string[];
  /** The position up to which everything was delivered. */
  position: Timetoken | undefined;
  readonly #client: SdkClient;
  readonly #needs: SessionNeeds;
  readonly #emit: Emit;
  /** When the service last answered, ms since the epoch; undefined before its first answer. */
  #answeredAt: number | undefined;
  #batch: SdkMessage[] = [];
  #size = 0;
  #isSubscribed = false;
  #isConnected = false;
  #stop: (reason: Stop) => void = () => undefined;

  constructor(client: SdkClient, channels: readonly string[], needs: SessionNeeds) {
    this.#client = client;
    this.channels = channels;
    this.position = needs.position;
    this.#needs = needs;
    this.#emit = needs.emit;
    client.addListener({
      status: (status) => this.#read(status),
      message: (message) => this.#collect(message),
      // Envelopes that are not messages count too, because the engine counted them.
      signal: ({ timetoken }) => this.#pass(timetoken),
    });
  }

  /** Connects and polls, starting at the position; resolves with the reason of the stop. */
  listen(token: string): Promise<Stop> {
    return new Promise((resolve) => {
      this.#stop = resolve;
      this.#isConnected = false;
      if (token !== '') this.#client.setToken(token);
      const { position } = this;
      const from = position === undefined ? {} : { timetoken: position };
      // Naming 1,000 channels again takes the SDK a tenth of a second.
      if (this.#isSubscribed) this.#client.reconnect(from);
      else this.#client.subscribe({ channels: [...this.channels], ...from });
      this.#isSubscribed = true;
    });
  }

  /** Stops polling; `listen` resolves, even if the SDK throws. */
  end(reason: Stop): void {
    this.#stop(reason);
    this.#client.disconnect();
  }

  close(): void {
    this.#client.removeAllListeners();
    this.#client.destroy(true);
    this.#stop({ kind: 'quiet' });
  }

  #read({ category, error, currentTimetoken }: SdkStatus): void {
    if (category === 'PNConnectedCategory') {
      this.#isConnected = true;
      const isFirst = this.position === undefined && isTimetoken(currentTimetoken);
      if (isFirst) this.position = currentTimetoken;
      this.#open(isFirst ? this.position : this.#needs.findHandshake());
      this.#emit({ type: 'beat', cursor: this.position ?? TIMETOKEN_ZERO });
    } else if (error !== undefined) {
      this.#flush();
      this.#stop(toStop(error, this.#isConnected));
    }
  }

  /**
   * The service answered: after this position, polls miss nothing as long as they follow each other,
   * or within the time for which it keeps missed messages (`HOSTED_CACHE_MS`).
   */
  #open(after = this.position): void {
    const { clock, rooms } = this.#needs;
    const isContinued = this.#isRecent();
    this.#answeredAt = clock.now();
    if (!isContinued && after !== undefined) this.#emit({ type: 'opened', after, rooms });
  }

  /** Whether the service has kept everything since its last answer, by this device's clock. */
  #isRecent(): boolean {
    if (this.#answeredAt === undefined) return false;
    const elapsed = this.#needs.clock.now() - this.#answeredAt;
    return elapsed > -CLOCK_STEP_MS && elapsed < HOSTED_CACHE_MS;
  }

  /**
   * An entry that is not a message contains the end of its batch, so that the batch is not fetched
   * again after an idle poll.
   */
  #pass(end: unknown): void {
    if (isTimetoken(end)) this.position = laterOf(this.position ?? end, end);
    this.#collect(undefined);
  }

  /** The SDK delivers a batch message by message, without a pause in between. */
  #collect(message: SdkMessage | undefined): void {
    if (this.#size === 0) queueMicrotask(() => this.#flush());
    this.#size += 1;
    if (message !== undefined) this.#batch.push(message);
  }

  /** The messages of all channels count towards a full batch, including skipped ones. */
  #flush(): void {
    const { logs, toEntries, rooms } = this.#needs;
    const isFull = this.#size >= HOSTED_BATCH_FULL;
    // The batch may predate a long silence: the service does not keep the messages after it.
    const isLate = this.#size > 0 && !this.#isRecent();
    if (this.#size > 0 && !isLate) this.#answeredAt = this.#needs.clock.now();
    const messages = this.#batch;
    this.#batch = [];
    this.#size = 0;
    const places = messages.flatMap(({ timetoken }) =>
      isTimetoken(timetoken) ? [{ timetoken }] : [],
    );
    for (const { timetoken } of places) {
      this.position = laterOf(this.position ?? timetoken, timetoken);
    }
    // Emitted before the batch's entries, which may have replaced older ones.
    const end = isLate ? undefined : findOverflowEnd(places);
    const after = isFull || isLate ? (end ?? this.position) : undefined;
    if (after !== undefined) this.#emit({ type: 'opened', after, rooms });
    const entries = toEntries(messages.filter(({ channel }) => !logs.has(channel)));
    if (entries.length > 0) this.#emit({ type: 'entries', entries });
    for (const [name, notify] of logs) {
      const arrived = messages.filter(({ channel }) => channel === name);
      if (arrived.length > 0) notify(arrived);
    }
    if (isLate) this.#stop(toFailure({ kind: 'timeout' }));
  }
}
