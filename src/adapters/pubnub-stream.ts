import type { AppError } from '#domain/errors.ts';
import type { StreamSignal } from '#domain/ports.ts';
import type { LogEntry } from '#domain/schemas/message.ts';
import { isTimetoken, laterOf, type Timetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import { HOSTED_BATCH_FULL } from './limits.ts';
import type { PubnubAccess } from './pubnub-access.ts';
import type { SdkClient } from './pubnub-sdk.ts';

export interface SdkStreamNeeds {
  readonly access: Pick<PubnubAccess, 'getGrant' | 'createClient'>;
  /** Messages as entries of rooms of ours. */
  readonly toEntries: (messages: readonly SdkMessage[]) => readonly LogEntry[];
  /** How long to wait where there is no channel to listen to, ms. */
  readonly pollMs: number;
}

/** What the SDK's listener gets of a message. */
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

type Emit = (signal: StreamSignal) => void;

/** Why one client of the SDK stopped; `quiet`: a poll without news was over. */
type Stop = { readonly kind: 'quiet' } | { readonly kind: 'failed'; readonly error: AppError };

const toFailure = (error: AppError): Stop => ({ kind: 'failed', error });

const STOPS: Readonly<Record<string, Stop>> = {
  PNTimeoutCategory: { kind: 'quiet' },
  PNAccessDeniedCategory: toFailure({ kind: 'forbidden' }),
  PNBadRequestCategory: toFailure({ kind: 'malformed', detail: 'stream' }),
  PNMalformedResponseCategory: toFailure({ kind: 'malformed', detail: 'stream' }),
};

/** The SDK tells of a stop once, in words, and then does nothing more. */
const toStop = (word: unknown, isConnected: boolean): Stop => {
  const stop = STOPS[String(word)];
  if (stop?.kind === 'quiet' && !isConnected) return toFailure({ kind: 'timeout' });
  return stop ?? toFailure({ kind: 'unreachable' });
};

/** One client of the SDK, from its handshake to its first stop. */
class Listening {
  /** Everything up to there was delivered. */
  position: Timetoken | undefined;
  readonly #emit: Emit;
  readonly #toEntries: SdkStreamNeeds['toEntries'];
  #batch: SdkMessage[] = [];
  #size = 0;
  #isConnected = false;

  constructor(position: Timetoken | undefined, emit: Emit, toEntries: SdkStreamNeeds['toEntries']) {
    this.position = position;
    this.#emit = emit;
    this.#toEntries = toEntries;
  }

  /** Resolves with why the client stopped, or once `onClose` is called. */
  run(client: SdkClient, channels: readonly string[], onClose: (close: () => void) => void) {
    return new Promise<Stop>((resolve) => {
      const stop = (reason: Stop): void => {
        client.removeAllListeners();
        client.destroy(true);
        this.#flush();
        resolve(reason);
      };
      onClose(() => stop({ kind: 'quiet' }));
      client.addListener({
        status: (status) => {
          const reason = this.#read(status);
          if (reason !== undefined) stop(reason);
        },
        message: (message) => this.#collect(message),
        // Envelopes that are no messages: they count, since the engine counted them.
        signal: () => this.#collect(undefined),
      });
      const { position } = this;
      client.subscribe({ channels: [...channels], ...(position ? { timetoken: position } : {}) });
    });
  }

  #read({ category, error, currentTimetoken }: SdkStatus): Stop | undefined {
    if (category === 'PNConnectedCategory') {
      this.#isConnected = true;
      if (this.position === undefined && isTimetoken(currentTimetoken)) {
        this.position = currentTimetoken;
      }
      this.#emit({ type: 'beat', cursor: this.position ?? TIMETOKEN_ZERO });
      return undefined;
    }
    return error === undefined ? undefined : toStop(error, this.#isConnected);
  }

  /** The SDK hands out a batch message by message, without a pause in between. */
  #collect(message: SdkMessage | undefined): void {
    if (this.#size === 0) queueMicrotask(() => this.#flush());
    this.#size += 1;
    if (message !== undefined) this.#batch.push(message);
  }

  #flush(): void {
    const isFull = this.#size >= HOSTED_BATCH_FULL;
    const entries = this.#toEntries(this.#batch);
    this.#batch = [];
    this.#size = 0;
    const newest = entries.at(-1)?.timetoken;
    if (newest !== undefined) {
      this.position = laterOf(this.position ?? newest, newest);
      this.#emit({ type: 'entries', entries });
    }
    if (isFull) this.#emit({ type: 'gap' });
  }
}

/**
 * One stream out of as many clients of the SDK as it takes: a quiet poll is over after a
 * while, and the handshake of the next one proves that the engine is reached. Each takes the
 * token of its moment. Anything but a quiet poll ends the stream.
 */
export class SdkStream {
  readonly #needs: SdkStreamNeeds;
  readonly #onSignal: Emit;
  #position: Timetoken | undefined;
  #isOpen = true;
  #close = (): void => undefined;

  constructor(needs: SdkStreamNeeds, cursor: Timetoken | undefined, onSignal: Emit) {
    this.#needs = needs;
    this.#position = cursor;
    this.#onSignal = onSignal;
  }

  async run(): Promise<void> {
    let error: AppError | undefined;
    while (this.#isOpen && error === undefined) error = await this.#listen();
    if (error !== undefined) this.#emit({ type: 'ended', error });
  }

  close(): void {
    this.#isOpen = false;
    this.#close();
  }

  #emit(signal: StreamSignal): void {
    if (this.#isOpen) this.#onSignal(signal);
  }

  /** Somebody without a client hears nothing; the token's answer was proof enough. */
  #waitForChannels(): Promise<undefined> {
    this.#emit({ type: 'beat', cursor: this.#position ?? TIMETOKEN_ZERO });
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), this.#needs.pollMs);
      this.#close = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
    });
  }

  /** Listens until a poll is quiet; the value is what went wrong otherwise. */
  async #listen(): Promise<AppError | undefined> {
    const { access } = this.#needs;
    const grant = await access.getGrant();
    if (!grant.ok) return grant.error;
    const client = access.createClient(grant.value);
    if (!client.ok) return client.error;
    if (!this.#isOpen) return undefined;
    const emit: Emit = (signal) => this.#emit(signal);
    const { channels = [] } = grant.value;
    if (channels.length === 0) return this.#waitForChannels();
    const listening = new Listening(this.#position, emit, this.#needs.toEntries);
    const stop = await listening.run(client.value, channels, (close) => {
      this.#close = close;
    });
    this.#position = listening.position;
    return stop.kind === 'failed' ? stop.error : undefined;
  }
}
