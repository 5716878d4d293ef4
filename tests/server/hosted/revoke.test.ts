import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import PubNub from 'pubnub';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { createGrantedTokens } from '#server/hosted/granted-tokens.ts';
import {
  type HostedServer,
  startHostedServer,
  toTeams,
} from '#tests/support/scenes/hosted-server.ts';
import { startHostedEngine } from '#tests/support/scenes/hosted-scene.ts';
import { answerJson } from '#tests/support/services/product-api.ts';
import type { PubnubEndpoint } from '#tests/support/pubnub/endpoint.ts';
import { mute, portal, refuseWith } from '#tests/support/pubnub/faults.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { type CookieClient, createCookieClient } from '#tests/support/server/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

let backend: HostedServer;
let endpoint: PubnubEndpoint;
let env: Readonly<Record<string, string>>;
let server: WebServer;
let client: CookieClient;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'replay-desk-sign-outs-'));
  backend = await startHostedServer();
  ({ endpoint, env } = await startHostedEngine());
  server = await startWebServer(toSettings());
  client = await backend.signIn(server.port);
});
afterEach(async () => {
  await server.dispose();
  await endpoint.close();
  await backend.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const toSettings = () =>
  backend.toSettings({ ...env, DEMO: 'false', SIGN_OUT_DIR: join(folder, 'list') });

const getToken = async (holder: CookieClient = client): Promise<string> => {
  backend.api.answer = answerJson(toTeams('c_001'));
  const answer = await holder.send('/api/realtime/token');
  expect(answer.status).toBe(200);
  return String(answer.json()['token']);
};

const signOut = (): Promise<{ readonly status: number }> => client.post('/api/auth/signout');

/** The status that the service returns to the holder of a copied token. */
const publishWith = async (token: string): Promise<number> => {
  const thief = new PubNub({
    subscribeKey: env['PUBNUB_SUBSCRIBE_KEY'] ?? '',
    publishKey: env['PUBNUB_PUBLISH_KEY'] ?? '',
    origin: endpoint.origin,
    ssl: false,
    userId: 'u_ana',
  });
  thief.setToken(token);
  try {
    await thief.publish({ channel: 'chat.c_001.team', message: { text: 'hi' }, sendByPost: true });
    return 200;
  } catch (thrown) {
    return (thrown as { readonly status: { readonly statusCode: number } }).status.statusCode;
  } finally {
    thief.destroy();
  }
};

const revocations = (): number =>
  endpoint.asked.filter(({ operation }) => operation === 'revoke').length;

test('a sign-out revokes every access token of the session, and no other', async () => {
  const tokens = [await getToken(), await getToken()];
  const other = await backend.signIn(server.port, 'u_ana');
  const theirs = await getToken(other);
  expect(await Promise.all(tokens.map(publishWith))).toEqual([200, 200]);
  expect((await signOut()).status).toBe(200);
  await waitFor('the revocations', () => revocations() === 2);
  await waitFor('the tokens to end', () => endpoint.access.countLive() === 1);
  expect(await Promise.all(tokens.map(publishWith))).toEqual([403, 403]);
  expect(await publishWith(theirs)).toBe(200);
});

test('a sign-out on another instance revokes the tokens of this one', async () => {
  const token = await getToken();
  const second = await startWebServer(toSettings());
  const elsewhere = createCookieClient(second.port);
  for (const [name, value] of client.cookies) elsewhere.cookies.set(name, value);
  expect((await elsewhere.post('/api/auth/signout')).status).toBe(200);
  await waitFor('the revocation', () => revocations() === 1);
  expect(await publishWith(token)).toBe(403);
  await second.dispose();
});

test('a session that the product API ends also loses its tokens', async () => {
  const token = await getToken();
  backend.api.answer = answerJson({}, 401);
  expect((await client.send('/api/proxy/staff/teams')).status).toBe(401);
  await waitFor('the revocation', () => endpoint.access.countLive() === 0);
  expect(await publishWith(token)).toBe(403);
});

test('a token that was pending at the sign-out is revoked, and not returned', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  endpoint.faults.break(
    'grant',
    async (_exchange, serve) => {
      const answer = await serve();
      await held;
      answer();
    },
    1,
  );
  backend.api.answer = answerJson(toTeams('c_001'));
  const answer = client.send('/api/realtime/token');
  await waitFor('the grant', () => endpoint.access.countLive() === 1);
  expect((await signOut()).status).toBe(200);
  release();
  expect((await answer).status).toBe(401);
  await waitFor('the revocation', () => endpoint.access.countLive() === 0);
});

test('a service that does not answer does not delay a sign-out', async () => {
  await getToken();
  endpoint.faults.break('revoke', mute);
  expect((await signOut()).status).toBe(200);
  expect((await client.send('/api/auth/session')).json()).toEqual({});
  await waitFor('the request', () => revocations() === 1);
});

test.each([
  ['permits no revocation', refuseWith(403, { message: 'Forbidden', service: 'Access Manager' })],
  ['fails', refuseWith(503, { message: 'Unavailable' })],
  ['is a portal', portal()],
])(
  'a service that %s does not fail a sign-out, is called once, and is logged',
  async (_how, fault) => {
    await getToken();
    await getToken();
    endpoint.faults.break('revoke', fault);
    expect((await signOut()).status).toBe(200);
    await waitFor('the log', () => server.log().includes('an access token could not be revoked'));
    expect(revocations()).toBe(1);
    expect(server.log()).not.toContain('qEF2');
  },
);

test('tokens are remembered up to a limit, until they expire', () => {
  let at = 0;
  const tokens = createGrantedTokens(() => at, 10);
  tokens.add({ sid: 's_1', token: 'aaaa', endsAt: 100 });
  tokens.add({ sid: 's_1', token: 'bbbb', endsAt: 110 });
  tokens.add({ sid: 's_1', token: 'cccc', endsAt: 120 });
  expect(tokens.take('s_1')).toEqual(['cccc', 'bbbb']);
  expect(tokens.take('s_1')).toEqual([]);
  tokens.add({ sid: 's_2', token: 'dddd', endsAt: 130 });
  at = 130;
  expect(tokens.take('s_2')).toEqual([]);
});
