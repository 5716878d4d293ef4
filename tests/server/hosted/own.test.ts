import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { CHANNEL_TEMPLATE_DEFAULT } from '#domain/rooms.ts';
import { toSubscription, toSubscriptionBytes } from '#domain/rules/subscription.ts';
import { HOSTED_ADDRESS_BYTES_MAX } from '#server/kernel/limits.ts';
import {
  GRANTED,
  grantOf,
  type HostedDesk,
  KEYS,
  startHostedDesk,
} from '#tests/support/scenes/hosted-desk.ts';
import { answerJson } from '#tests/support/services/product-api.ts';
import { startWebServer } from '#tests/support/server/web-server.ts';

/** The channel of a user's own log, which nobody else may be granted. */

const TOKEN = '/api/realtime/token';
const OWN = 'own.u_ana';
const READ_WRITE = 3;
const ROOMS = toSubscription(CHANNEL_TEMPLATE_DEFAULT, ['c_001', 'c_002']);

let desk: HostedDesk;
beforeAll(async () => {
  desk = await startHostedDesk();
});
afterAll(() => desk.dispose());
beforeEach(() => {
  desk.engine.answer = GRANTED;
  desk.engine.received.length = 0;
});

/** The channels that a user is told, with these clients or the desk's two. */
const ask = async (uid: string, port?: number, clients?: readonly unknown[]) => {
  const client = await desk.signIn(port, uid);
  if (clients !== undefined) desk.api.answer = answerJson(clients);
  const answer = await client.send(TOKEN);
  return { status: answer.status, channels: answer.json()['channels'] };
};
const permissions = () => desk.lastGrant().permissions;

test('is granted to its user, besides the rooms', async () => {
  const { channels } = await ask('u_ana');
  expect(channels).toEqual([...ROOMS, OWN]);
  expect(permissions().resources).toEqual({ channels: { [OWN]: READ_WRITE } });
  const [pattern = ''] = Object.keys(permissions().patterns.channels ?? {});
  for (const name of [OWN, 'own.u_bo', 'own.*', 'own.u_ana.*']) {
    expect(name).not.toMatch(new RegExp(pattern));
  }
});

test('is granted to a user without clients', async () => {
  const { channels } = await ask('u_ana', undefined, []);
  expect(channels).toEqual([OWN]);
  expect(permissions().resources).toEqual({ channels: { [OWN]: READ_WRITE } });
  expect(permissions().patterns).toEqual({});
});

test('is named by each user for themselves', async () => {
  expect((await ask('u_bo')).channels).toEqual([...ROOMS, 'own.u_bo']);
  expect(permissions().resources).toEqual({ channels: { 'own.u_bo': READ_WRITE } });
});

describe.each(['u.ana', 'u_ana.*', '*', 'u ana', 'u_ana,own.u_bo', 'ü', '.*', 'u'.repeat(65)])(
  'there is none for the uid %j',
  (uid) => {
    test('with clients', async () => {
      expect(await ask(uid)).toEqual({ status: 200, channels: ROOMS });
      expect(permissions().resources).toEqual({});
    });

    test('without clients', async () => {
      expect(await ask(uid, undefined, [])).toEqual({ status: 200, channels: [] });
      expect(permissions().resources).toEqual({ uuids: { [uid]: 32 } });
    });
  },
);

// A room's channel of that name, or `own.*` for a client called `own`, would open it to others.
test.each([
  ['{cid}.{rid}', 'u_ana', false],
  ['ow{cid}.{rid}', 'u_ana', false],
  ['own.{cid}-{rid}', 'c_001-team', false],
  ['own.{cid}-{rid}', 'u_ana', true],
  ['own.{cid}.{rid}', 'u_ana', true],
  ['{rid}.{cid}', 'u_ana', true],
])('where rooms are %s, the one of %s is separate from them: %s', async (template, uid, isOwn) => {
  const settings = { PUBNUB_SECRET_KEY: KEYS.secretKey, CHANNEL_TEMPLATE: template };
  const server = await startWebServer(desk.toSettings(settings));
  const rooms = toSubscription(template, ['c_001', 'c_002']);
  const { channels } = await ask(uid, server.port);
  expect(channels).toEqual(isOwn ? [...rooms, `own.${uid}`] : rooms);
  expect(permissions().resources).toEqual(
    isOwn ? { channels: { [`own.${uid}`]: READ_WRITE } } : {},
  );
  await server.dispose();
});

test('is named, too, where the keyset has no Access Manager', async () => {
  const open = await startWebServer(desk.toSettings());
  expect((await ask('u_ana', open.port)).channels).toEqual([...ROOMS, OWN]);
  expect(desk.engine.received).toHaveLength(0);
  await open.dispose();
});

test('counts towards the size of an address', async () => {
  const space = HOSTED_ADDRESS_BYTES_MAX - toSubscriptionBytes([...ROOMS, OWN]);
  desk.engine.answer = grantOf('x'.repeat(space));
  expect((await ask('u_ana')).status).toBe(200);
  desk.engine.answer = grantOf('x'.repeat(space + 1));
  expect((await ask('u_ana')).status).toBe(502);
});
