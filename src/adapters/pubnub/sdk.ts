import type { HostedConfig } from '#domain/schemas/config.ts';
import PubNub from 'pubnub';

/** The SDK's timeout of a poll, s: longer than ours, which ends it first. */
const POLL_LIMIT_S = 310;
/** The SDK takes its fetch from a frame of this name, if there is one. */
const FRAME_NAME = 'pubnub-context-unpatched-fetch';

export type SdkClient = PubNub;

/** Makes the SDK send everything through `fetch`. */
export const provideFetch = (fetch: typeof globalThis.fetch): void => {
  const found = document.querySelector<HTMLIFrameElement>(`iframe[name="${FRAME_NAME}"]`);
  const frame = found ?? document.createElement('iframe');
  if (found === null) {
    frame.name = FRAME_NAME;
    frame.title = 'Connection';
    frame.hidden = true;
    document.body.append(frame);
  }
  Object.assign(frame.contentWindow ?? {}, { fetch });
};

/**
 * An SDK client with as little logic of its own as possible: no retries, no network events, no
 * presence. A call takes `timeoutMs` at most.
 */
export const createSdkClient = (
  config: HostedConfig,
  user: { readonly uid: string; readonly token: string },
  timeoutMs: number,
): SdkClient => {
  const client = new PubNub({
    subscribeKey: config.subscribeKey,
    publishKey: config.publishKey,
    userId: user.uid,
    // By default, the SDK uses any of twenty hosts.
    origin: config.origin,
    ssl: config.ssl,
    enableEventEngine: true,
    retryConfiguration: PubNub.NoneRetryPolicy(),
    listenToBrowserNetworkEvents: false,
    suppressLeaveEvents: true,
    transactionalRequestTimeout: timeoutMs / 1000,
    subscribeRequestTimeout: POLL_LIMIT_S,
  });
  if (user.token !== '') client.setToken(user.token);
  return client;
};
