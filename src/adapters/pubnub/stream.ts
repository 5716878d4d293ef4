import type { AppError } from '#domain/errors.ts';
import { beforeHistoryLag } from '#domain/history-lag.ts';
import type { Clock } from '#domain/ports/kit.ts';
import type { StreamSignal } from '#domain/ports/network.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { RealtimeToken } from '#domain/schemas/realtime.ts';
import { laterOf, type Timetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import type { PubnubAccess } from './access.ts';
import { toSdkError } from './error.ts';
import type { HostedLog } from './mark-log.ts';
import { type Emit, SubscribeSession, type ToEntries } from './subscribe-session.ts';

export interface PubnubStreamNeeds {
  readonly access: Pick<PubnubAccess, 'getGrant' | 'createClient' | 'call'>;
  readonly toEntries: ToEntries;
  readonly toRooms: (channels: readonly string[]) => readonly RoomKey[];
  /** The user log and the staff log, which are notified when they grow. */
  readonly logs: readonly Pick<HostedLog, 'findGranted' | 'notify'>[];
  readonly clock: Clock;
  /** The position of the service's log when it last answered a subscription. */
  readonly findHandshake: () => Timetoken | undefined;
  /** Time between two probes, ms. */
  readonly probeMs: number;
}

/**
 * One stream out of many polls. A poll can be silent for minutes: meanwhile, probes prove that the
 * engine is reachable. Each poll uses the current token, and another SDK client if that covers
 * other channels. Anything but a quiet poll ends the stream.
 */
export class PubnubStream {
  readonly #needs: PubnubStreamNeeds;
  readonly #onSignal: Emit;
  #position: Timetoken | undefined;
  #listening: SubscribeSession | undefined;
  #isOpen = true;
  #wake = (): void => undefined;

  constructor(needs: PubnubStreamNeeds, cursor: Timetoken | undefined, onSignal: Emit) {
    this.#needs = needs;
    this.#position = cursor;
    this.#onSignal = onSignal;
  }

  /** Resolves once the stream ended, which is reported unless it was closed. */
  async run(): Promise<void> {
    let error: AppError | undefined;
    try {
      while (this.#isOpen && error === undefined) error = await this.#listen();
    } catch (thrown) {
      error = toSdkError(thrown);
    }
    this.#listening?.close();
    if (error !== undefined) this.#emit({ type: 'ended', error });
  }

  close(): void {
    this.#isOpen = false;
    this.#listening?.close();
    this.#wake();
  }

  #emit(signal: StreamSignal): void {
    if (this.#isOpen) this.#onSignal(signal);
  }

  /** Polls until a poll is quiet; the value is the error otherwise. */
  async #listen(): Promise<AppError | undefined> {
    const grant = await this.#needs.access.getGrant();
    if (!grant.ok) return grant.error;
    if (!this.#isOpen) return undefined;
    const { token } = grant.value;
    // The order of clients may change with each token.
    const channels = grant.value.channels?.toSorted();
    // A token from a server that meanwhile uses another engine, or another channel template.
    if (channels === undefined || this.#isForeign(grant.value, channels)) {
      return { kind: 'malformed', detail: 'token' };
    }
    if (channels.length === 0) return this.#waitForChannels();
    if (this.#listening?.channels.join() !== channels.join()) {
      const failed = this.#begin(grant.value, channels);
      if (failed !== undefined) return failed;
    }
    const probes = new AbortController();
    this.#probe(grant.value, probes.signal).catch((thrown: unknown) => {
      this.#listening?.end({ kind: 'failed', error: toSdkError(thrown) });
    });
    try {
      const stop = await this.#listening?.listen(token);
      const at = this.#listening?.position;
      this.#position = at && laterOf(at, this.#position ?? at);
      return stop?.kind === 'failed' ? stop.error : undefined;
    } finally {
      probes.abort();
    }
  }

  /**
   * Requests the service's clock repeatedly; each answer is a heartbeat. Ends the poll if there is
   * no answer, or if there is another token.
   */
  async #probe(polled: RealtimeToken, cancel: AbortSignal): Promise<void> {
    const { access } = this.#needs;
    for (;;) {
      await this.#pause(cancel);
      if (cancel.aborted) return;
      const answer = await access.call({ cancel }, (client) => client.time());
      const grant = await access.getGrant();
      if (cancel.aborted) return;
      if (!answer.ok) return this.#listening?.end({ kind: 'failed', error: answer.error });
      if (grant.ok && grant.value !== polled) return this.#listening?.end({ kind: 'quiet' });
      this.#beat();
    }
  }

  /** Waits for the time of the next probe. */
  #pause(cancel?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        cancel?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, this.#needs.probeMs);
      cancel?.addEventListener('abort', end);
      this.#wake = end;
    });
  }

  #beat(): void {
    const position = this.#listening === undefined ? this.#position : this.#listening.position;
    this.#emit({ type: 'beat', cursor: position ?? TIMETOKEN_ZERO });
  }

  /**
   * Where the next client begins: for other channels earlier, because the histories of added rooms
   * may lack the last messages. Readers know the repeated ones.
   */
  #findStart(): Timetoken | undefined {
    if (this.#listening === undefined || this.#position === undefined) return this.#position;
    return beforeHistoryLag(this.#position);
  }

  /** Whether no channel is one of a room or of a log. */
  #isForeign(grant: RealtimeToken, channels: readonly string[]): boolean {
    const { toRooms, logs } = this.#needs;
    const ofLogs = new Set(logs.map(({ findGranted }) => findGranted(grant)));
    return channels.some((name) => !ofLogs.has(name)) && toRooms(channels).length === 0;
  }

  /** Creates a client for these channels. */
  #begin(grant: RealtimeToken, channels: readonly string[]): AppError | undefined {
    const { access, toEntries, toRooms, logs, clock, findHandshake } = this.#needs;
    const position = this.#findStart();
    this.#listening?.close();
    const client = access.createClient(grant);
    if (!client.ok) return client.error;
    const emit: Emit = (signal) => this.#emit(signal);
    this.#listening = new SubscribeSession(client.value, channels, {
      position,
      rooms: toRooms(channels),
      logs: new Map(
        logs.flatMap(({ findGranted, notify }) => {
          const channel = findGranted(grant);
          return channel === undefined ? [] : [[channel, notify]];
        }),
      ),
      emit,
      toEntries,
      clock,
      findHandshake,
    });
    return undefined;
  }

  /**
   * A user without clients and logs has no channels; the token's response already proved the
   * connection.
   */
  async #waitForChannels(): Promise<undefined> {
    this.#beat();
    await this.#pause();
  }
}
