import type { AppError } from '#domain/errors.ts';
import type { Clock } from '#domain/ports/kit.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { isSubscribed } from '#domain/rules/subscription.ts';
import type { HostedConfig } from '#domain/schemas/config.ts';
import type { RealtimeToken } from '#domain/schemas/realtime.ts';

import type { Web } from '../http/request-json.ts';
import { TOKEN_KEPT_MIN_MS } from '../realtime/limits.ts';
import { toSdkError } from './error.ts';
import { createSdkClient, type SdkClient } from './sdk.ts';
import { createTokenSource, type FindUid, toAccessError } from '../realtime/token.ts';

const UNREACHABLE: AppError = { kind: 'unreachable' };

export interface PubnubAccessNeeds {
  readonly web: Web;
  readonly clock: Clock;
  readonly config: HostedConfig;
  /** The user whose store is open; undefined if any user's token will do. */
  readonly findUid?: FindUid;
}

export type Grant = Result<RealtimeToken, AppError>;

/** A call of the SDK as a value, or a failure if the signal is aborted first. */
const toResult = <T>(work: Promise<T>, cancel: AbortSignal): Promise<Result<T, AppError>> =>
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

const toGrant = async (asked: Promise<Grant>): Promise<Grant> => {
  const grant = await asked;
  return grant.ok ? grant : fail(toAccessError(grant.error));
};

/** Access to the hosted engine: tokens, and the SDK clients that carry them. */
export class PubnubAccess {
  readonly #needs: PubnubAccessNeeds;
  readonly #tokens: ReturnType<typeof createTokenSource>;
  /** The client for all calls with one token. */
  readonly #clients = new WeakMap<RealtimeToken, SdkClient>();
  #widenedAt = -Infinity;

  constructor(needs: PubnubAccessNeeds) {
    this.#needs = needs;
    this.#tokens = createTokenSource(needs.web, needs.clock, needs.findUid ?? (() => undefined));
  }

  forget(): void {
    this.#tokens.forget();
  }

  /** The current token, with the channels it covers. */
  getGrant(): Promise<Grant> {
    return toGrant(this.#tokens.get());
  }

  createClient({ uid, token }: RealtimeToken): Result<SdkClient, AppError> {
    if (uid === undefined) return fail({ kind: 'malformed', detail: 'token' });
    const { config, web } = this.#needs;
    try {
      return ok(createSdkClient(config, { uid, token }, web.timeoutMs));
    } catch (thrown) {
      return fail(toSdkError(thrown));
    }
  }

  /**
   * Calls with the current token, or with a new one if that does not cover the channel. The SDK
   * cannot cancel a call: a cancelled one continues unobserved.
   */
  async call<T>(
    { channel, cancel }: { readonly channel?: string; readonly cancel: AbortSignal },
    work: (client: SdkClient) => Promise<T>,
  ): Promise<Result<T, AppError>> {
    const grant = await this.#getGrantFor(channel);
    if (!grant.ok) return grant;
    if (cancel.aborted) return fail(UNREACHABLE);
    const client = this.#findClient(grant.value);
    return client.ok ? toResult(work(client.value), cancel) : client;
  }

  /** A client added since the token was granted needs another token. */
  async #getGrantFor(channel: string | undefined): Promise<Grant> {
    const grant = await this.getGrant();
    const { channels } = grant.ok ? grant.value : {};
    if (channel === undefined || channels === undefined) return grant;
    const now = this.#needs.clock.now();
    const isKept = Math.abs(now - this.#widenedAt) < TOKEN_KEPT_MIN_MS;
    if (isKept || isSubscribed(channels, channel)) return grant;
    this.#widenedAt = now;
    return toGrant(this.#tokens.renew());
  }

  #findClient(grant: RealtimeToken): Result<SdkClient, AppError> {
    const known = this.#clients.get(grant);
    if (known !== undefined) return ok(known);
    const client = this.createClient(grant);
    if (client.ok) this.#clients.set(grant, client.value);
    return client;
  }
}
