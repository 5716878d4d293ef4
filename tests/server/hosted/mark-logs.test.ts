import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { CHANNEL_TEMPLATE_DEFAULT } from '#domain/rooms.ts';
import { toSubscription, toSubscriptionBytes } from '#domain/rules/subscription.ts';
import { HOSTED_ADDRESS_BYTES_MAX } from '#server/kernel/limits.ts';
import {
  GRANTED,
  grantOf,
  type HostedServer,
  KEYS,
  startHostedServer,
} from '#tests/support/scenes/hosted-server.ts';
import { answerJson } from '#tests/support/services/product-api.ts';
import { startWebServer } from '#tests/support/server/web-server.ts';

/** The channels of the user log, which must not be granted to anyone else, and of the staff log. */

const TOKEN = '/api/realtime/token';
const OWN = 'own.u_ana';
const STAFF = 'staff.desk';
const READ_WRITE = 3;
const ROOMS = toSubscription(CHANNEL_TEMPLATE_DEFAULT, ['c_001', 'c_002']);

let backend: HostedServer;
beforeAll(async () => {
  backend = await startHostedServer();
});
afterAll(() => backend.dispose());
beforeEach(() => {
  backend.engine.answer = GRANTED;
  backend.engine.received.length = 0;
});

/** The channels in the answer to a user, with these clients or the two default ones. */
const ask = async (uid: string, port?: number, clients?: readonly unknown[]) => {
  const client = await backend.signIn(port, uid);
  if (clients !== undefined) backend.api.answer = answerJson(clients);
  const answer = await client.send(TOKEN);
  return { status: answer.status, channels: answer.json()['channels'] };
};
const permissions = () => backend.lastGrant().permissions;

test('log channels are granted to a user by their names, besides the rooms', async () => {
  const { channels } = await ask('u_ana');
  expect(channels).toEqual([...ROOMS, OWN, STAFF]);
  expect(permissions().resources).toEqual({ channels: { [OWN]: READ_WRITE, [STAFF]: READ_WRITE } });
  const [pattern = ''] = Object.keys(permissions().patterns.channels ?? {});
  for (const name of [OWN, 'own.u_bo', 'own.*', 'own.u_ana.*', STAFF, 'staff.*']) {
    expect(name).not.toMatch(new RegExp(pattern));
  }
});

test('log channels are granted to a user without clients', async () => {
  const { channels } = await ask('u_ana', undefined, []);
  expect(channels).toEqual([OWN, STAFF]);
  expect(permissions().resources).toEqual({ channels: { [OWN]: READ_WRITE, [STAFF]: READ_WRITE } });
  expect(permissions().patterns).toEqual({});
});

test("log channels are the user's own one and the one of all staff", async () => {
  expect((await ask('u_bo')).channels).toEqual([...ROOMS, 'own.u_bo', STAFF]);
  expect(permissions().resources).toEqual({
    channels: { 'own.u_bo': READ_WRITE, [STAFF]: READ_WRITE },
  });
});

describe.each(['u.ana', 'u_ana.*', '*', 'u ana', 'u_ana,own.u_bo', 'ü', '.*', 'u'.repeat(65)])(
  'there is no user log for the uid %j, but the staff log',
  (uid) => {
    test('with clients', async () => {
      expect(await ask(uid)).toEqual({ status: 200, channels: [...ROOMS, STAFF] });
      expect(permissions().resources).toEqual({ channels: { [STAFF]: READ_WRITE } });
    });

    test('without clients', async () => {
      expect(await ask(uid, undefined, [])).toEqual({ status: 200, channels: [STAFF] });
      expect(permissions().resources).toEqual({ channels: { [STAFF]: READ_WRITE } });
      expect(permissions().patterns).toEqual({});
    });
  },
);

// A room's channel of that name, or the wildcard of a client called `own` or `staff`, would give
// others access.
test.each([
  ['{cid}.{rid}', 'u_ana', []],
  ['ow{cid}.{rid}', 'u_ana', [STAFF]],
  ['own.{cid}-{rid}', 'c_001-team', [STAFF]],
  ['own.{cid}-{rid}', 'u_ana', [OWN, STAFF]],
  ['own.{cid}.{rid}', 'u_ana', [OWN, STAFF]],
  ['{rid}.{cid}', 'u_ana', [OWN, STAFF]],
  ['st{cid}.{rid}', 'u_ana', [OWN]],
  ['staff.{cid}-{rid}', 'u_ana', [OWN, STAFF]],
  ['staff.{cid}.{rid}', 'u_ana', [OWN, STAFF]],
])(
  'where rooms are %s, the log channels of %s that are separate from them are %j',
  async (template, uid, logs) => {
    const settings = { PUBNUB_SECRET_KEY: KEYS.secretKey, CHANNEL_TEMPLATE: template };
    const server = await startWebServer(backend.toSettings(settings));
    const rooms = toSubscription(template, ['c_001', 'c_002']);
    const { channels } = await ask(uid, server.port);
    expect(channels).toEqual([...rooms, ...logs]);
    const granted = Object.fromEntries(logs.map((name) => [name, READ_WRITE]));
    expect(permissions().resources).toEqual(logs.length === 0 ? {} : { channels: granted });
    await server.dispose();
  },
);

test('where there are no log channels, a user without clients gets only their metadata', async () => {
  const settings = { PUBNUB_SECRET_KEY: KEYS.secretKey, CHANNEL_TEMPLATE: '{cid}.{rid}' };
  const server = await startWebServer(backend.toSettings(settings));
  expect((await ask('u_ana', server.port, [])).channels).toEqual([]);
  expect(permissions().resources).toEqual({ uuids: { u_ana: 32 } });
  await server.dispose();
});

test('log channels are also named if the keyset has no Access Manager', async () => {
  const open = await startWebServer(backend.toSettings());
  expect((await ask('u_ana', open.port)).channels).toEqual([...ROOMS, OWN, STAFF]);
  expect(backend.engine.received).toHaveLength(0);
  await open.dispose();
});

test('log channels count towards the size of an address', async () => {
  const space = HOSTED_ADDRESS_BYTES_MAX - toSubscriptionBytes([...ROOMS, OWN, STAFF]);
  backend.engine.answer = grantOf('x'.repeat(space));
  expect((await ask('u_ana')).status).toBe(200);
  backend.engine.answer = grantOf('x'.repeat(space + 1));
  expect((await ask('u_ana')).status).toBe(502);
});
