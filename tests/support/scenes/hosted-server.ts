import type { RequestListener } from 'node:http';

import { expect } from 'vitest';

import { answerJson, type ProductApi, startProductApi } from '../services/product-api.ts';
import { type Recorded, RECORDED_SERVER, RECORDED_TOKEN, UNQUOTED } from '../pubnub/recorded.ts';
import { type CookieClient, createCookieClient } from '../server/web-client.ts';
import { startWebServer, type WebServer } from '../server/web-server.ts';

export const KEYS = { subscribeKey: 'sub-c-1', publishKey: 'pub-c-1', secretKey: 'sec-c-1' };

/** `GET /staff/teams` of clients with these ids. */
export const toTeams = (...ids: readonly string[]) =>
  ids.map((client_id) => ({ client_id, client: { first_name: 'A', last_name: 'B' } }));

/** An answer of the service as recorded. */
export const answerAsRecorded = ({ status, type, body }: Recorded): RequestListener =>
  answerJson(body, status, { 'content-type': type });

/** A grant of the Access Manager, of `GRANTED_TOKEN`. */
export const GRANTED = answerAsRecorded(RECORDED_SERVER.grant);
export const GRANTED_TOKEN = RECORDED_TOKEN;

/** A grant of another token, in the shape of the recorded one. */
export const grantOf = (token: string): RequestListener =>
  answerAsRecorded({
    ...RECORDED_SERVER.grant,
    type: UNQUOTED,
    body: RECORDED_SERVER.grant.body.replace(RECORDED_TOKEN, token),
  });

/** The body of a request for a grant. */
export interface GrantBody {
  readonly ttl: number;
  readonly permissions: {
    readonly uuid: string;
    readonly resources: { readonly channels?: object; readonly uuids?: object };
    readonly patterns: { readonly channels?: Readonly<Record<string, number>> };
  };
}

/**
 * A server without stored data, between a product API and a realtime service scripted by the test.
 */
export interface HostedServer {
  readonly api: ProductApi;
  /** The realtime service, behind the prefix `/v1` of its origin. */
  readonly engine: ProductApi;
  readonly server: WebServer;
  /**
   * Settings of another server between the same two services; with open channels unless a secret
   * key is given.
   */
  toSettings(more?: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
  /** Signs a user in; the product API gives them the token `upstream-1`. */
  signIn(port?: number, uid?: string): Promise<CookieClient>;
  lastGrant(): GrantBody;
  dispose(): Promise<void>;
}

export const startHostedServer = async (): Promise<HostedServer> => {
  const api = await startProductApi();
  const engine = await startProductApi();
  const toSettings: HostedServer['toSettings'] = (more = {}) => ({
    API_BASE_URL: api.url,
    AUTH_SECRET: 's'.repeat(32),
    PUBNUB_SUBSCRIBE_KEY: KEYS.subscribeKey,
    PUBNUB_PUBLISH_KEY: KEYS.publishKey,
    PUBNUB_ORIGIN: engine.url.replace('http://', ''),
    PUBNUB_SSL: 'false',
    ...(more['PUBNUB_SECRET_KEY'] === undefined ? { PUBNUB_OPEN_CHANNELS: 'true' } : {}),
    ...more,
  });
  const server = await startWebServer(toSettings({ PUBNUB_SECRET_KEY: KEYS.secretKey }));
  engine.answer = GRANTED;
  return {
    api,
    engine,
    server,
    toSettings,
    signIn: async (port = server.port, uid = 'u_ana') => {
      api.answer = answerJson({ user: { uid, name: 'Ana' }, token: 'upstream-1' });
      const client = createCookieClient(port);
      expect((await client.signIn('ana@example.com', 'secret')).status).toBe(200);
      api.received.length = 0;
      api.answer = answerJson(toTeams('c_001', 'c_002'));
      return client;
    },
    lastGrant: () => JSON.parse(engine.received.at(-1)?.body ?? '') as GrantBody,
    dispose: async () => {
      await server.dispose();
      await engine.close();
      await api.close();
    },
  };
};
