import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { toShellPage } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { openTerminal, type Terminal } from '#tests/support/process/terminal.ts';
import { createUser, PRODUCER, TEAM, type User } from '#tests/support/browser/user.ts';

const ROOM = '/chat/c_001/general';

let server: ServerProcess;
let anna: User;
let ben: User;
let annasRoom: RoomPage;
let bensRoom: RoomPage;
let maya: Terminal;

beforeAll(async () => {
  server = await startServer();
  anna = await createUser(server);
  ben = await createUser(server);
  // A server answers 503 until it has opened its data.
  for (const user of [anna, ben]) {
    user.problems.allow(NETWORK_AWAY);
    user.problems.allow(/status of 503/);
  }
  await Promise.all([anna.signIn(PRODUCER, ROOM), ben.signIn(TEAM, ROOM)]);
  annasRoom = toRoomPage(anna.page());
  bensRoom = toRoomPage(ben.page());
  maya = await openTerminal(server, 'c_001', 'general');
});
afterAll(async () => {
  await maya?.close();
  await Promise.all([anna.dispose(), ben.dispose()]);
  await server.dispose();
});
afterEach(() => {
  expect([...anna.problems.take(), ...ben.problems.take()]).toEqual([]);
});

const statusOf = (user: User): Promise<string> => toShellPage(user.page()).connection.innerText();

/** Both write before, during and after an outage; each message must appear once, in order. */
const expectTalkThrough = async (round: string, outage: () => Promise<void>): Promise<void> => {
  const own = (author: string): readonly string[] =>
    ['before', 'during', 'after'].map((when) => `${author} ${when} ${round}`);
  const say = async (when: number): Promise<void> => {
    await annasRoom.send(own('anna')[when]!);
    await bensRoom.send(own('ben')[when]!);
  };

  await say(0);
  await Promise.all([
    annasRoom.message(own('ben')[0]!).waitFor(),
    bensRoom.message(own('anna')[0]!).waitFor(),
  ]);
  await outage();
  await expect.poll(() => statusOf(anna)).toMatch(/^Reconnecting/);
  await say(1);
  await server.start();
  await Promise.all([
    annasRoom.message(own('ben')[1]!).waitFor(),
    bensRoom.message(own('anna')[1]!).waitFor(),
  ]);
  await say(2);
  await Promise.all([
    annasRoom.message(own('ben')[2]!).waitFor(),
    bensRoom.message(own('anna')[2]!).waitFor(),
  ]);
  for (const room of [annasRoom, bensRoom]) {
    for (const author of ['anna', 'ben']) {
      const texts = (await room.readAll()).map(({ text }) => text);
      const found = texts.flatMap((text) => own(author).filter((line) => text.includes(line)));
      expect(found).toEqual(own(author));
    }
  }
  await expect.poll(() => statusOf(anna)).toMatch(/^(Online)?$/);
};

test.each([
  ['restarted', 'the restart', () => server.stop()],
  ['killed', 'the kill', () => server.kill()],
])(
  'no message is lost when the server is %s during a conversation',
  async (_how, round, outage) => {
    await expectTalkThrough(round, outage);
    await expect.poll(() => statusOf(ben)).toMatch(/^(Online)?$/);
  },
);

test('the terminal client survived both', async () => {
  for (const text of ['anna during the restart', 'ben after the kill']) {
    await maya.waitForLine(text);
    expect(maya.count(text)).toBe(1);
  }
  maya.write('Still here on my side.');
  await annasRoom.message('Still here on my side.').waitFor();
});

test('a page opened while the server is down shows cached data', async () => {
  await anna.page().evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await server.stop();
  await anna.page().reload();
  await annasRoom.message('ben after the kill').waitFor();
  await annasRoom.send('Written while the server was down.');
  await server.start();
  const late = bensRoom.message('Written while the server was down.');
  await expect.poll(() => late.count()).toBe(1);
});
