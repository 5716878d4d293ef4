import { afterAll, beforeAll, expect, test } from 'vitest';

import { parseTeams } from '#domain/schemas/team.ts';
import { STAFF_LISTS_PER_SESSION } from '#server/kernel/limits.ts';
import { type CookieClient, createCookieClient, send } from '#tests/support/server/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

const TEAMS = '/api/proxy/staff/teams';
const PRODUCERS = '/api/proxy/staff/producers';

let server: WebServer;
let client: CookieClient;
beforeAll(async () => {
  server = await startWebServer();
  client = createCookieClient(server.port);
  await client.signIn();
});
afterAll(() => server.dispose());

test('teams are the demo clients', { tags: ['S3.1', 'S7.3'] }, async () => {
  const answer = await client.send(TEAMS);
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json');
  const teams = parseTeams(answer.json()) ?? [];
  expect(teams.length).toBeGreaterThanOrEqual(14);
  expect(teams[0]).toEqual({
    client_id: 'c_001',
    client: { first_name: 'Maya', last_name: 'Okafor' },
  });
});

test('producers have a uid and a name', { tags: ['S7.2'] }, async () => {
  const producers = (await client.send(`${PRODUCERS}?ignored=1`)).json();
  expect(producers).toContainEqual(expect.objectContaining({ uid: 'u_producer' }));
});

test.each([TEAMS, PRODUCERS])('%s is for the user whom the request names', async (path) => {
  const ask = (user: string) => client.send(path, { headers: { 'x-user': user } });
  expect((await ask('u_producer')).status).toBe(200);
  // The cookie belongs to the user who signed in last, in any tab.
  const other = await ask('u_other');
  expect(other.status).toBe(401);
  expect(other.json()).toEqual({ error: expect.any(String) as string });
});

test('a session with too many requests gets 429 with Retry-After; others are answered', async () => {
  const eager = createCookieClient(server.port);
  await eager.signIn();
  const answers = await Promise.all(
    Array.from({ length: STAFF_LISTS_PER_SESSION + 1 }, () => eager.send(TEAMS)),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.map(({ status }) => status)).toEqual([429]);
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
  expect((await client.send(TEAMS)).status).toBe(200);
});

test.each([TEAMS, PRODUCERS])('%s needs a session', { tags: ['S6.1'] }, async (path) => {
  const answer = await send(server.port, path);
  expect(answer.status).toBe(401);
  expect(answer.json()).toEqual({ error: expect.any(String) as string });
});
