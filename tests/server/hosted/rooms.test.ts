import PubNub from 'pubnub';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { tokenAnswerSchema } from '#domain/schemas/realtime.ts';
import {
  type HostedServer,
  startHostedServer,
  toTeams,
} from '#tests/support/scenes/hosted-server.ts';
import { startHostedEngine } from '#tests/support/scenes/hosted-scene.ts';
import { answerJson } from '#tests/support/services/product-api.ts';
import type { PubnubEndpoint } from '#tests/support/pubnub/endpoint.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

/** The service's own library, with the token and the channels that our server granted to a user. */
const MANY = Array.from({ length: 1000 }, (_, n) => `c_${String(n).padStart(4, '0')}`);
const CONNECTED = 'PNConnectedCategory';

let backend: HostedServer;
let endpoint: PubnubEndpoint;
let server: WebServer;
let env: Readonly<Record<string, string>>;
const people: PubNub[] = [];
const REFUSED = { status: { statusCode: 403 } };

beforeAll(async () => {
  backend = await startHostedServer();
  ({ endpoint, env } = await startHostedEngine());
  server = await startWebServer(backend.toSettings({ ...env, DEMO: 'false' }));
});
afterEach(() => {
  for (const person of people.splice(0)) person.destroy();
});
afterAll(async () => {
  await server.dispose();
  await endpoint.close();
  await backend.dispose();
});

const enter = async (uid: string, clientIds: readonly string[]) => {
  const client = await backend.signIn(server.port, uid);
  backend.api.answer = answerJson(toTeams(...clientIds));
  const answer = tokenAnswerSchema.parse((await client.send('/api/realtime/token')).json());
  const person = new PubNub({
    subscribeKey: env['PUBNUB_SUBSCRIBE_KEY'] ?? '',
    publishKey: env['PUBNUB_PUBLISH_KEY'] ?? '',
    origin: endpoint.origin,
    ssl: false,
    userId: uid,
    enableEventEngine: true,
    retryConfiguration: PubNub.NoneRetryPolicy(),
  });
  person.setToken(answer.token);
  people.push(person);
  return { person, channels: [...(answer.channels ?? [])] };
};

/**
 * Subscribes to everything that the server named; returns the messages and the connection state.
 */
const listen = ({ person, channels }: Awaited<ReturnType<typeof enter>>) => {
  const heard: string[] = [];
  const states: string[] = [];
  person.addListener({
    message: ({ channel, message }) => void heard.push(`${channel}: ${JSON.stringify(message)}`),
    status: ({ category }) => void states.push(category),
  });
  person.subscribe({ channels });
  return { heard, states };
};

const publish = (person: PubNub, channel: string): Promise<unknown> =>
  person.publish({ channel, message: { text: 'hello' }, sendByPost: true });

test('a token for 1,000 clients opens their 3,000 rooms over one subscription', async () => {
  const ana = await enter('u_ana', MANY);
  expect(ana.channels).toHaveLength(1002);
  const { heard, states } = listen(ana);
  await waitFor('the subscription', () => states.includes(CONNECTED));
  const bo = await enter('u_bo', ['c_0999', 'c_0000']);
  await publish(bo.person, 'chat.c_0999.producers');
  await publish(bo.person, 'chat.c_0000.team');
  await waitFor('both messages', () => heard.length === 2);
  expect(heard).toEqual([
    'chat.c_0999.producers: {"text":"hello"}',
    'chat.c_0000.team: {"text":"hello"}',
  ]);
  const { channels } = await ana.person.fetchMessages({ channels: ['chat.c_0000.team'], count: 5 });
  expect(channels['chat.c_0000.team']).toHaveLength(1);
});

test('a token opens no room of other clients, neither for reading nor for writing', async () => {
  const { person } = await enter('u_ana', ['c_0001']);
  await expect(publish(person, 'chat.c_0001.team')).resolves.toHaveProperty('timetoken');
  await expect(publish(person, 'chat.c_0002.team')).rejects.toMatchObject({
    status: { statusCode: 403 },
  });
  const read = person.fetchMessages({ channels: ['chat.c_0002.team'], count: 5 });
  await expect(read).rejects.toMatchObject(REFUSED);
  for (const channels of [['chat.*'], ['chat.c_0002.*'], ['chat.c_0002.general']]) {
    const { states } = listen({ ...(await enter('u_ana', ['c_0001'])), channels });
    await waitFor('a word of the library', () => states.length > 0);
    expect(states).not.toContain(CONNECTED);
  }
});

test('a user log is open only to its user', async () => {
  const ana = await enter('u_ana', []);
  const bo = await enter('u_bo', ['c_0001']);
  expect(ana.channels).toEqual(['own.u_ana', 'staff.desk']);
  const { heard, states } = listen(ana);
  await waitFor('the subscription', () => states.includes(CONNECTED));
  await publish(ana.person, 'own.u_ana');
  await waitFor('the message', () => heard.length === 1);
  expect(heard).toEqual(['own.u_ana: {"text":"hello"}']);
  await expect(publish(bo.person, 'own.u_ana')).rejects.toMatchObject(REFUSED);
  const read = bo.person.fetchMessages({ channels: ['own.u_ana'], count: 5 });
  await expect(read).rejects.toMatchObject(REFUSED);
  for (const channels of [['own.u_ana'], ['own.*'], ['own.u_bo', 'own.u_ana']]) {
    const other = listen({ ...(await enter('u_bo', ['c_0001'])), channels });
    await waitFor('a word of the library', () => other.states.length > 0);
    expect(other.states).not.toContain(CONNECTED);
  }
});

test('a token is refused under another name', async () => {
  const { person } = await enter('u_ana', ['c_0001']);
  person.setUserId('u_bo');
  await expect(publish(person, 'chat.c_0001.team')).rejects.toMatchObject({
    status: { statusCode: 403 },
  });
});

test('the staff log is open to all staff and to no client', async () => {
  const ana = await enter('u_ana', []);
  const bo = await enter('u_bo', ['c_0001']);
  const { heard, states } = listen(ana);
  await waitFor('the subscription', () => states.includes(CONNECTED));
  await publish(bo.person, 'staff.desk');
  await waitFor('the message', () => heard.length === 1);
  expect(heard).toEqual(['staff.desk: {"text":"hello"}']);
  const read = await bo.person.fetchMessages({ channels: ['staff.desk'], count: 5 });
  expect(read.channels['staff.desk']).toHaveLength(1);
  await expect(publish(bo.person, 'staff.other')).rejects.toMatchObject(REFUSED);
  // A token like those that the apps of clients use: their own three rooms (docs/integration.md).
  const patterns = { channels: { [String.raw`^chat\.c_0001\.(team|general|producers)$`]: 3 } };
  const permissions = { uuid: 'u_bo', resources: {}, patterns };
  bo.person.setToken(endpoint.access.issue({ ttl: 15, permissions }));
  await expect(publish(bo.person, 'chat.c_0001.team')).resolves.toHaveProperty('timetoken');
  await expect(publish(bo.person, 'staff.desk')).rejects.toMatchObject(REFUSED);
  const unread = bo.person.fetchMessages({ channels: ['staff.desk'], count: 5 });
  await expect(unread).rejects.toMatchObject(REFUSED);
});
