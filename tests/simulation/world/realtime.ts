import type { AppError } from '#domain/errors.ts';
import { MESSAGE_BYTES_MAX } from '#domain/limits.ts';
import type { Clock } from '#domain/ports/kit.ts';
import type { Realtime, StreamSignal } from '#domain/ports/network.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import type { MarkLogName } from '#domain/schemas/mark-log.ts';
import { toMessageBytes } from '#domain/schemas/message.ts';
import type { Timetoken } from '#domain/timetoken.ts';

import type { Attempts } from './attempts.ts';
import type { EngineSignal, SimEngine } from './engine.ts';
import type { NetworkClient, SimNetwork } from './network.ts';
import { createSimMarkLogs } from './mark-logs.ts';
import type { SimSession, SimServer, SimToken } from './server.ts';

/** A token is cached at least this long, whatever the device's clock says, ms. */
const TOKEN_KEPT_MIN_MS = 30_000;
const CURSOR_LOST_CHANCE = 0.25;
const STALL_CHANCE = 0.25;
const RESET_CHANCE = 0.2;
const TROUBLE_WITHIN_MS = 30_000;

export interface SimRealtimeNeeds {
  readonly network: SimNetwork;
  readonly server: SimServer;
  readonly engine: SimEngine;
  readonly client: NetworkClient;
  /** The current session cookie. */
  readonly findCookie: () => SimSession | undefined;
  readonly clock: Clock;
  /** The user whose store is open. */
  readonly findUid: () => string | undefined;
  /** The engine refused a message permanently, and this tab has the refusal. */
  readonly onRefused: (id: string) => void;
  /** The publishes of this device, from all tabs. */
  readonly attempts: Attempts;
  /** A message that may have arrived was repeated without a check of the room's history. */
  readonly onBlindRepeat: (id: string) => void;
  /** Streams of this device, for the checks. */
  readonly channels: Set<Channel>;
}

/** One stream between a tab and the engine. */
export class Channel {
  readonly client: NetworkClient;
  /** No more data gets through, and neither end is notified. */
  stalledAt: number | undefined;
  #close: () => void = () => undefined;
  #stopWatching: () => void = () => undefined;
  #isConnected = false;
  #isClosed = false;
  #waiting: EngineSignal[] = [];
  #lastAt = 0;
  readonly #needs: SimRealtimeNeeds;
  readonly #emit: (signal: StreamSignal) => void;
  readonly #onMark: (name: MarkLogName) => void;

  constructor(
    needs: SimRealtimeNeeds,
    emit: (signal: StreamSignal) => void,
    onMark: (name: MarkLogName) => void,
  ) {
    this.#needs = needs;
    this.client = needs.client;
    this.#emit = emit;
    this.#onMark = onMark;
  }

  /** The server opens its end. */
  accept(uid: string, cursor: Timetoken | undefined): void {
    const { engine, network } = this.#needs;
    if (this.#isClosed || this.#isConnected) return;
    // A complete engine reads everything after a cursor from its durable log, as it promises
    // (server/realtime/README.md, the stream; STREAM_CASES of the contract).
    const mayLose = engine.traits.forgetful;
    const isLost = mayLose && network.injects('cursor lost', CURSOR_LOST_CHANCE);
    const from = isLost ? undefined : cursor;
    this.#close();
    this.#stopWatching();
    this.#stopWatching = engine.marks.watch(uid, (name) => this.#wake(name));
    this.#waiting = [];
    this.#close = engine.open(from, {
      notify: (signal) => this.#carry(signal),
      hangUp: () => this.hangUp(),
    });
  }

  /** The client has the response: pending data is delivered now. */
  connect(): void {
    const { network, channels } = this.#needs;
    this.#isConnected = true;
    channels.add(this);
    for (const signal of this.#waiting.splice(0)) this.#carry(signal);
    const within = network.random.next() * TROUBLE_WITHIN_MS;
    if (network.injects('stalled stream', STALL_CHANCE)) {
      network.scheduler.after(undefined, within, () => {
        this.stalledAt ??= network.scheduler.now;
      });
    }
    if (network.injects('reset', RESET_CHANCE)) {
      network.scheduler.after(undefined, within, () => this.hangUp());
    }
  }

  /** The connection breaks; the client is notified. */
  hangUp(): void {
    if (this.#isClosed || this.stalledAt !== undefined) return;
    const { network } = this.#needs;
    this.close();
    network.scheduler.after(this.client.lane, network.latency(), () =>
      this.#emit({ type: 'ended', error: { kind: 'unreachable' } }),
    );
  }

  close(): void {
    this.#isClosed = true;
    this.#needs.channels.delete(this);
    this.#stopWatching();
    this.#close();
  }

  /** A log beside the rooms grew; a notice that does not get through is lost. */
  #wake(name: MarkLogName): void {
    const { network } = this.#needs;
    network.scheduler.after(this.client.lane, network.latency(), () => {
      if (this.#isConnected && !this.#isClosed && this.stalledAt === undefined) this.#onMark(name);
    });
  }

  #carry(signal: EngineSignal): void {
    const { scheduler } = this.#needs.network;
    if (this.#isClosed || this.stalledAt !== undefined) return;
    if (!this.#isConnected) {
      this.#waiting.push(signal);
      return;
    }
    this.#lastAt = Math.max(this.#lastAt, scheduler.now + this.#needs.network.latency());
    scheduler.after(this.client.lane, this.#lastAt - scheduler.now, () => {
      if (this.#isClosed || this.stalledAt !== undefined) return;
      this.#emit(
        signal.type === 'opened' ? { ...signal, rooms: this.#needs.engine.named } : signal,
      );
    });
  }
}

/** The realtime engine as one tab reaches it: tokens, latency, faults. */
export const createSimRealtime = (needs: SimRealtimeNeeds): Realtime => {
  const { network, server, engine, client, findCookie, clock, findUid } = needs;
  let kept: (SimToken & { readonly renewAt: number }) | undefined;
  let asking: Promise<Result<string, AppError>> | undefined;

  const ask = async (): Promise<Result<string, AppError>> => {
    const cookie = findCookie();
    const answer = await network.send(client, () => server.issueToken(cookie));
    asking = undefined;
    if (!answer.ok) return answer;
    if (answer.value.uid !== findUid()) return fail({ kind: 'unauthenticated' });
    const now = clock.now();
    const ms = Math.max((answer.value.expires - now) / 2, TOKEN_KEPT_MIN_MS);
    kept = { ...answer.value, renewAt: now + ms };
    return ok(kept.token);
  };
  const getToken = (): Promise<Result<string, AppError>> => {
    if (kept && clock.now() < kept.renewAt && kept.uid === findUid()) {
      return Promise.resolve(ok(kept.token));
    }
    asking ??= ask();
    return asking;
  };
  const call = async <T>(
    serve: (uid: string) => Result<T, AppError>,
    cancel?: AbortSignal,
    onSend?: () => void,
  ): Promise<Result<T, AppError>> => {
    const token = await getToken();
    if (!token.ok) return token;
    if (cancel?.aborted) return fail({ kind: 'unreachable' });
    const authorize = (): Result<T, AppError> => {
      const uid = server.findUid(token.value);
      return uid.ok ? serve(uid.value) : uid;
    };
    onSend?.();
    return network.send(client, authorize, cancel);
  };

  const publish: Realtime['publish'] = async (room, payload, cancel) => {
    const { id } = payload;
    const bytes = toMessageBytes(payload);
    const limit = MESSAGE_BYTES_MAX;
    if (bytes > limit) return fail({ kind: 'too-large', bytes, limit });
    const answer = await call(
      (uid) => engine.publish(uid, room, payload),
      cancel,
      () => {
        const isRepeat = needs.attempts.send(room, id);
        if (isRepeat && !engine.traits.idempotent) needs.onBlindRepeat(id);
      },
    );
    if (answer.ok) return answer;
    if (answer.error.kind === 'rejected') needs.onRefused(id);
    needs.attempts.fail(room, id, answer.error);
    return answer;
  };
  const readHistory: Realtime['readHistory'] = async (query, cancel) => {
    const answer = await call(() => ok(engine.readHistory(query)), cancel);
    if (answer.ok) needs.attempts.look(query.room);
    return answer;
  };

  const { own, staff, wake } = createSimMarkLogs(engine.marks, call);

  return {
    idempotent: engine.traits.idempotent,
    complete: !engine.traits.forgetful,
    publish,
    readHistory,
    readNewest: (rooms, cancel) => call(() => ok(engine.readNewest(rooms)), cancel),
    countSince: (since, cancel) => call(() => ok(engine.countSince(since)), cancel),
    own,
    staff,
    renewToken: () => {
      kept = undefined;
      asking = undefined;
    },
    openStream: (cursor, onSignal) => {
      let isOpen = true;
      const emit = (signal: StreamSignal): void => {
        if (isOpen) onSignal(signal);
      };
      const channel = new Channel(needs, emit, wake);
      const run = async (): Promise<void> => {
        const answer = await call((uid) => ok(channel.accept(uid, cursor)));
        if (answer.ok && isOpen) channel.connect();
        else channel.close();
        if (!answer.ok) emit({ type: 'ended', error: answer.error });
      };
      void run();
      return () => {
        isOpen = false;
        channel.close();
      };
    },
  };
};
