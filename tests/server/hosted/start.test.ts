import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { type HostedServer, KEYS, startHostedServer } from '#tests/support/scenes/hosted-server.ts';
import { runScript } from '#tests/support/process/node-process.ts';
import { send } from '#tests/support/server/web-client.ts';
import { startWebServer } from '#tests/support/server/web-server.ts';

let backend: HostedServer;
beforeAll(async () => {
  backend = await startHostedServer();
});
afterAll(() => backend.dispose());

test('the server stores nothing except assets for open pages', () => {
  const { dataDir } = backend.server;
  expect(existsSync(`${dataDir}/desk.sqlite`)).toBe(false);
  expect(existsSync(`${dataDir}/desk.lock`)).toBe(false);
  expect(existsSync(`${dataDir}/auth-secret`)).toBe(false);
  expect(existsSync(`${dataDir}/page-assets/assets`)).toBe(true);
});

test("the page gets the public keys and the engine's address, not the secret key", async () => {
  const answer = await send(backend.server.port, '/api/config');
  expect(answer.json()).toMatchObject({
    engine: 'hosted',
    demo: false,
    subscribeKey: KEYS.subscribeKey,
    publishKey: KEYS.publishKey,
    origin: backend.engine.url.replace('http://', ''),
    ssl: false,
  });
  expect(answer.text).not.toContain(KEYS.secretKey);
});

test('the page may connect to the engine and to no other host', async () => {
  const { headers } = await send(backend.server.port, '/chat');
  const { origin } = new URL(backend.engine.url);
  expect(headers['content-security-policy']).toContain(`connect-src 'self' ${origin};`);
});

test.each(['stream', 'history', 'publish', 'counts'])(
  'the path %s does not exist in hosted mode',
  async (name) => {
    const client = await backend.signIn();
    expect((await client.send(`/api/realtime/${name}`)).status).toBe(404);
  },
);

test('the terminal client exits because it needs the embedded engine', async () => {
  const terminal = runScript('server/bin/client.ts', ['--client', 'c_001'], backend.toSettings());
  terminal.endInput();
  expect(await terminal.exited).toBe(2);
  expect(terminal.output()).toContain('works with the embedded engine only');
});

test('without write permission the page is still served', async () => {
  const file = join(backend.server.dataDir, 'file');
  writeFileSync(file, '');
  const server = await startWebServer(backend.toSettings({ DATA_DIR: join(file, 'data') }));
  expect((await send(server.port, '/chat')).status).toBe(200);
  expect((await send(server.port, '/assets/main-abc123.js')).status).toBe(200);
  expect(server.log()).toContain('could not be stored for open pages');
  await server.dispose();
});
