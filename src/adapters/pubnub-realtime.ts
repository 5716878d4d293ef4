import type { AppError } from '#domain/errors.ts';
import { MESSAGE_BYTES_MAX } from '#domain/limits.ts';
import type { Cancellation, ClientLog, Clock, Realtime } from '#domain/ports.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { type RoomKey, toChannel } from '#domain/rooms.ts';
import { toMessageBytes } from '#domain/rules/message-size.ts';
import type { HostedConfig } from '#domain/schemas/config.ts';
import type { RealtimeToken } from '#domain/schemas/realtime.ts';
import { parseTimetoken, type Timetoken } from '#domain/timetoken.ts';

import { HOSTED_POLL_MS, HOSTED_STALL_MS } from './limits.ts';
import { createEntryReader, type ReadEntries } from './realtime-entries.ts';
import { createTokenSource, type FindUid, toAccessError } from './realtime-token.ts';
import type { Web } from './request-json.ts';
import { type CallSdk, countSdkSince, readSdkHistory, sortEntries } from './pubnub-history.ts';
import { createSdkClient, provideFetch, type SdkClient } from './pubnub-sdk.ts';
import { toSdkError } from './pubnub-error.ts';
import { SdkStream } from './pubnub-stream.ts';
import { createWholeFetch } from './pubnub-whole-fetch.ts';

export interface PubnubRealtimeNeeds {
  readonly web: Web;
  readonly clock: Clock;
  readonly log: ClientLog;
  readonly config: HostedConfig;
  /** The user whose store is open; undefined when anybody's token will do. */
  readonly findUid?: FindUid;
  /** ms; the usual ones where absent */
  readonly limits?: { readonly pollMs: number; readonly stallMs: number };
}

interface Engine extends PubnubRealtimeNeeds {
  readonly pollMs: number;
  readonly readEntries: ReadEntries;
  readonly getGrant: () => Promise<Result<RealtimeToken, AppError>>;
  readonly createClient: (grant: RealtimeToken) => Result<SdkClient, AppError>;
  /** The client of all calls with this token. */
  readonly findClient: (grant: RealtimeToken) => Result<SdkClient, AppError>;
}

const UNREACHABLE: AppError = { kind: 'unreachable' };

/** A call of the SDK as a value, or the cancellation if that comes first. */
const settle = <T>(work: Promise<T>, cancel: Cancellation): Promise<Result<T, AppError>> =>
  new Promise((resolve) => {
    const end = (result: Result<T, AppError>): void => {
      cancel.removeEventListener('abort', giveUp);
      resolve(result);
    };
    const giveUp = (): void => end(fail(UNREACHABLE));
    cancel.addEventListener('abort', giveUp);
    work.then(
      (value) => end(ok(value)),
      (error: unknown) => end(fail(toSdkError(error))),
    );
  });

/** Calls with the token of the moment. The SDK cannot take a call back: it is not waited for. */
const createCall =
  (engine: Engine, cancel: Cancellation): CallSdk =>
  async (work) => {
    const grant = await engine.getGrant();
    if (!grant.ok) return fail(toAccessError(grant.error));
    if (cancel.aborted) return fail(UNREACHABLE);
    const client = engine.findClient(grant.value);
    return client.ok ? settle(work(client.value), cancel) : client;
  };

/** The engine's word for a message over its limit, with 400 or 413. */
const isTooLarge = (error: AppError): boolean =>
  error.kind === 'rejected' && (error.status === 413 || /too large/i.test(error.text ?? ''));

const publish =
  (engine: Engine): Realtime['publish'] =>
  async (room, payload, cancel) => {
    const bytes = toMessageBytes(payload);
    const limit = MESSAGE_BYTES_MAX;
    if (bytes > limit) return fail({ kind: 'too-large', bytes, limit });
    const channel = toChannel(engine.config.channelTemplate, room);
    const answer = await createCall(
      engine,
      cancel,
    )((client) => client.publish({ channel, message: { ...payload }, sendByPost: true }));
    if (!answer.ok)
      return isTooLarge(answer.error) ? fail({ kind: 'too-large', bytes, limit }) : answer;
    const timetoken = parseTimetoken(answer.value.timetoken);
    return timetoken ? ok(timetoken) : fail({ kind: 'malformed', detail: 'publish' });
  };

/**
 * Opens streams. Where the engine answers nothing sensible to a cursor, twice in a row, the
 * stream starts from now: reading the rooms' histories, as at every connect, makes up the rest.
 */
const createOpenStream = (engine: Engine): Realtime['openStream'] => {
  let refused: { readonly cursor: Timetoken; readonly times: number } | undefined;
  const { channelTemplate } = engine.config;
  const needs = {
    getGrant: async () => {
      const grant = await engine.getGrant();
      return grant.ok ? grant : fail(toAccessError(grant.error));
    },
    createClient: engine.createClient,
    toEntries: (messages: readonly { readonly publisher?: string | undefined }[]) =>
      sortEntries(
        engine.readEntries(
          channelTemplate,
          messages.map((message) => ({ ...message, publisher: message.publisher ?? '' })),
        ),
      ),
    pollMs: engine.pollMs,
  };
  return (cursor, onSignal) => {
    const isRefused = refused !== undefined && refused.cursor === cursor && refused.times > 1;
    const stream = new SdkStream(needs, isRefused ? undefined : cursor, (signal) => {
      if (signal.type === 'ended' && signal.error.kind === 'malformed' && cursor !== undefined) {
        const times = refused?.cursor === cursor ? refused.times + 1 : 1;
        refused = { cursor, times };
      }
      onSignal(signal);
    });
    void stream.run();
    return () => stream.close();
  };
};

/** The hosted engine through its SDK, which is loaded with this module. */
export const createPubnubRealtime = (needs: PubnubRealtimeNeeds): Realtime => {
  const { pollMs, stallMs } = needs.limits ?? { pollMs: HOSTED_POLL_MS, stallMs: HOSTED_STALL_MS };
  const { config, web, log } = needs;
  const tokens = createTokenSource(web, needs.clock, needs.findUid ?? (() => undefined));
  const fetch = createWholeFetch({ fetch: web.fetch, log, pollMs, stallMs });
  const createClient: Engine['createClient'] = ({ uid, token }) => {
    if (uid === undefined) return fail({ kind: 'malformed', detail: 'token' });
    provideFetch(fetch);
    return ok(createSdkClient(config, { uid, token }, web.timeoutMs));
  };
  const clients = new WeakMap<RealtimeToken, Result<SdkClient, AppError>>();
  const engine: Engine = {
    ...needs,
    pollMs,
    readEntries: createEntryReader(log),
    getGrant: () => tokens.get(),
    createClient,
    findClient: (grant) => {
      const client = clients.get(grant) ?? createClient(grant);
      clients.set(grant, client);
      return client;
    },
  };
  const verified = new Map<RoomKey, Timetoken>();
  const toHistoryNeeds = (cancel: Cancellation) => ({
    verified,
    call: createCall(engine, cancel),
    template: config.channelTemplate,
    clock: needs.clock,
    readEntries: engine.readEntries,
  });
  return {
    // What is published again under its id is stored again.
    idempotent: false,
    publish: publish(engine),
    openStream: createOpenStream(engine),
    readHistory: (query, cancel) => readSdkHistory(toHistoryNeeds(cancel), query),
    countSince: (since, cancel) => countSdkSince(toHistoryNeeds(cancel), since),
    renewToken: () => tokens.forget(),
  };
};
