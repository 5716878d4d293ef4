import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { type Balancer, startBalancer } from '#tests/support/services/balancer.ts';
import {
  GRANTED_TOKEN,
  type HostedServer,
  KEYS,
  startHostedServer,
  toTeams,
} from '#tests/support/scenes/hosted-server.ts';
import { type NodeProcess, runScript } from '#tests/support/process/node-process.ts';
import { answerJson } from '#tests/support/services/product-api.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { type CookieClient, createCookieClient } from '#tests/support/server/web-client.ts';

const TEAMS = '/api/proxy/staff/teams';
const TOKEN = '/api/realtime/token';

interface Instance {
  readonly process: NodeProcess;
  readonly address: string;
}

let folder: string;
let backend: HostedServer;
let balancer: Balancer;
let instances: Instance[];

/**
 * A server process behind the balancer; the processes share one data folder, only for old assets.
 */
const startInstance = async (): Promise<Instance> => {
  const settings = backend.toSettings({
    PORT: '0',
    DATA_DIR: folder,
    PUBLIC_URL: balancer.address,
    PUBNUB_SECRET_KEY: KEYS.secretKey,
    LOG_LEVEL: 'debug',
  });
  const server = runScript('server/bin/start.ts', ['--built'], settings);
  await server.waitForOutput('Press Ctrl+C');
  const port = /"port":(?<port>\d+)/.exec(server.output())?.groups?.['port'];
  return { process: server, address: `http://127.0.0.1:${port}` };
};

const aimAtAll = (): void => balancer.aim(instances.map(({ address }) => address));

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'replay-desk-instances-'));
  backend = await startHostedServer();
  balancer = await startBalancer();
  instances = await Promise.all([startInstance(), startInstance()]);
  aimAtAll();
});
afterEach(async () => {
  for (const { process } of instances) {
    process.kill('SIGKILL');
    await process.exited;
  }
  await balancer.close();
  await backend.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** A busy page: requests everything in turn until stopped; returns the unexpected answers. */
const work = async (client: CookieClient, isOver: () => boolean): Promise<readonly string[]> => {
  const unexpected: string[] = [];
  while (!isOver()) {
    for (const path of ['/api/auth/session', TEAMS, '/api/config']) {
      const { status, text } = await client.send(path);
      const isFine = status === 200 && (path !== '/api/auth/session' || text.includes('u_ana'));
      if (!isFine) unexpected.push(`${path} ${status} ${text}`);
    }
  }
  return unexpected;
};

test('requests that alternate between servers work as with one server', async () => {
  const client = await backend.signIn(balancer.port);
  for (let n = 0; n < 4; n += 1) {
    expect((await client.send('/api/auth/session')).json()).toMatchObject({
      user: { uid: 'u_ana' },
    });
    expect((await client.send(TEAMS)).json()).toEqual(toTeams('c_001', 'c_002'));
    expect((await client.send(TOKEN)).json()).toMatchObject({ token: GRANTED_TOKEN, uid: 'u_ana' });
  }
  expect((await client.post('/api/auth/signout')).status).toBe(200);
  expect((await client.send('/api/auth/session')).json()).toEqual({});
  for (const { address } of instances) expect(balancer.answered.get(address)).toBeGreaterThan(6);
});

test('each server prints the services that it uses, and that it stores nothing', () => {
  for (const { process } of instances) {
    expect(process.output()).toContain(`Staff data  hosted, ${backend.api.url}`);
    expect(process.output()).toContain('Realtime    hosted, PubNub at 127.0.0.1:');
    expect(process.output()).toContain('Data        not stored here');
  }
});

test('both servers accept the same forms, and neither accepts one of another browser', async () => {
  const client = createCookieClient(balancer.port);
  const stranger = createCookieClient(balancer.port);
  for (let n = 0; n < 4; n += 1) {
    const csrfToken = await stranger.getCsrfToken();
    const refused = await client.post('/api/auth/signout', { csrfToken });
    expect(refused.status).toBe(400);
    expect((await client.post('/api/auth/signout')).status).toBe(200);
  }
});

test('a session that the product API ended is over on both, whichever is notified first', async () => {
  const client = await backend.signIn(balancer.port);
  backend.api.answer = answerJson({}, 401);
  expect((await client.send(TOKEN)).status).toBe(401);
  // The balancer alternates: one instance always refuses the token, the other always reads the
  // session.
  for (let n = 0; n < 3; n += 1) {
    expect((await client.send('/api/auth/session')).json()).toEqual({});
    expect((await client.send(TOKEN)).status).toBe(401);
  }
  backend.api.answer = answerJson({ user: { uid: 'u_ana', name: 'Ana' }, token: 'upstream-2' });
  await client.signIn('ana@example.com', 'secret');
  for (let n = 0; n < 2; n += 1) {
    expect((await client.send('/api/auth/session')).text).toContain('u_ana');
  }
});

test('killing one server under load loses no session and no answer', async () => {
  const clients: CookieClient[] = [];
  while (clients.length < 8) clients.push(await backend.signIn(balancer.port));
  let isOver = false;
  const working = clients.map((client) => work(client, () => isOver));
  const [doomed, other] = instances;
  const answeredBy = (instance: Instance | undefined): number =>
    balancer.answered.get(instance?.address ?? '') ?? 0;
  await waitFor('both to be busy', () => Math.min(...instances.map(answeredBy)) > 100);
  doomed?.process.kill('SIGKILL');
  expect(await doomed?.process.exited).toBe('SIGKILL');
  const after = answeredBy(other);
  await waitFor('the other one to carry on', () => answeredBy(other) > after + 200);
  isOver = true;
  expect((await Promise.all(working)).flat()).toEqual([]);
  expect(balancer.countLost()).toBe(0);
});

test('the servers can be replaced one after the other under load, as in a deployment', async () => {
  const client = await backend.signIn(balancer.port);
  let isOver = false;
  const working = work(client, () => isOver);
  for (const [index, { process }] of [...instances].entries()) {
    process.kill('SIGTERM');
    expect(await process.exited).toBe(0);
    instances[index] = await startInstance();
    aimAtAll();
    const { address } = instances[index];
    await waitFor('the new one to answer', () => (balancer.answered.get(address) ?? 0) > 20);
  }
  isOver = true;
  expect(await working).toEqual([]);
  expect(balancer.countLost()).toBe(0);
});
