import { afterAll, beforeAll, expect, test } from 'vitest';

import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { getSession } from '#tests/support/page/session.ts';
import { waitForReading } from '#tests/support/page/unread.ts';
import { type FaultyServer, startFaultyServer } from '#tests/support/scenes/faulty-server.ts';

const OPEN = 'chat.c_001.team';
const OTHER = 'chat.c_002.general';
const MESSAGES = 300;
const SENDERS = 30;
const OBJECTS_MAX = 2 * MESSAGES;

let backend: FaultyServer;
let user: User;
let room: RoomPage;

beforeAll(async () => {
  backend = await startFaultyServer();
  user = await createUser(backend.server);
  room = toRoomPage(user.page());
});
afterAll(async () => {
  await user.dispose();
  await backend.dispose();
});

/** The objects of the page that are in use. The protocol collects the garbage before. */
const countObjects = async (): Promise<number> => {
  const session = await getSession(user.page());
  const group = { objectGroup: 'counted' };
  const prototype = await session.send('Runtime.evaluate', {
    expression: 'Object.prototype',
    ...group,
  });
  const { objectId: prototypeObjectId = '' } = prototype.result;
  const { objects } = await session.send('Runtime.queryObjects', { prototypeObjectId, ...group });
  const count = await session.send('Runtime.callFunctionOn', {
    functionDeclaration: 'function count() { return this.length; }',
    objectId: objects.objectId ?? '',
    returnByValue: true,
  });
  await session.send('Runtime.releaseObjectGroup', group);
  return Number(count.result.value);
};

/** A page at work also has some thousands of objects that it drops a moment later. */
const countObjectsAtRest = async (): Promise<number> => {
  const counts: number[] = [];
  await expect
    .poll(async () => {
      counts.push(await countObjects());
      return Math.abs((counts.at(-1) ?? 0) - (counts.at(-2) ?? 0));
    })
    .toBeLessThan(OBJECTS_MAX / 10);
  return counts.at(-1) ?? 0;
};

/**
 * Messages of several people, so that none exceeds the rate of one, arrive one by one in a room
 * that is not open; the stream brings the last one last.
 */
const receive = async (name: string): Promise<void> => {
  const write = (channel: string, text: string, sender: number): Promise<void> =>
    backend.writeAs({ publisher: `u_${sender}`, clientName: '' }, channel, text);
  for (let n = 0; n < MESSAGES; n += 1) {
    await write(OTHER, `${name}: line ${n + 1}.`, n % SENDERS);
  }
  await write(OPEN, `${name}: all written.`, SENDERS);
  await room.message(`${name}: all written.`).waitFor();
};

test('messages of rooms that are not open do not stay in memory', async () => {
  await user.signIn(PRODUCER, '/chat/c_001/team');
  await room.composer.waitFor();
  await waitForReading(user.page(), PRODUCER.uid);
  await receive('First');
  const before = await countObjectsAtRest();
  await receive('Second');
  expect(before).toBeGreaterThan(MESSAGES);
  await expect.poll(countObjects).toBeLessThan(before + OBJECTS_MAX);
  expect(user.problems.take()).toEqual([]);
});
