import { afterEach, expect, test } from 'vitest';

import { type HostedServer, startHostedServer } from '#tests/support/scenes/hosted-server.ts';
import { createCookieClient, send } from '#tests/support/server/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

let server: WebServer | undefined;
let hosted: HostedServer | undefined;
afterEach(async () => {
  await server?.dispose();
  await hosted?.dispose();
});

const signIn = async ({ port }: WebServer): Promise<number> =>
  (await createCookieClient(port).signIn()).status;

test('the demo accounts of a folder cannot sign in once DEMO=false is set', async () => {
  server = await startWebServer();
  const early = createCookieClient(server.port);
  expect((await early.signIn()).status).toBe(200);
  const answer = await early.send('/api/realtime/token');
  expect(answer.status).toBe(200);
  const headers = { authorization: `Bearer ${String(answer.json()['token'])}` };
  const read = async ({ port }: WebServer): Promise<number> =>
    (await send(port, '/api/realtime/history?channel=chat.c_016.team', { headers })).status;
  expect(await read(server)).toBe(200);
  server = await server.restart({ DEMO: 'false' });
  expect(await signIn(server)).toBe(401);
  // A session from before ends, too.
  expect((await early.send('/api/realtime/token')).status).toBe(401);
  // So does the access that it was given.
  expect(await read(server)).toBe(401);
  expect(server.log()).toContain('nobody can sign in');
  server = await server.restart({ DEMO: 'true' });
  expect(await signIn(server)).toBe(200);
});

test('they get no access to hosted realtime unless DEMO=true is set', async () => {
  server = await startWebServer();
  hosted = await startHostedServer();
  const { API_BASE_URL: _api, ...keys } = hosted.toSettings({});
  server = await server.restart(keys);
  expect(await signIn(server)).toBe(401);
});
