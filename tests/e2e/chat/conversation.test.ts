import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
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
  await Promise.all([anna.signIn(PRODUCER, ROOM), ben.signIn(TEAM, ROOM)]);
  annasRoom = toRoomPage(anna.page());
  bensRoom = toRoomPage(ben.page());
  await Promise.all([annasRoom.composer.waitFor(), bensRoom.composer.waitFor()]);
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

test('messages appear at once for the others', { tags: ['S1.1'] }, async () => {
  await annasRoom.send('The second half is cut and uploaded.');
  await expect.poll(() => bensRoom.message('The second half is cut and uploaded.').count()).toBe(1);
  await maya.waitForLine('The second half is cut and uploaded.');

  await bensRoom.send('Checking it now.');
  await annasRoom.message('Checking it now.').waitFor();
  await maya.waitForLine('Checking it now.');
});

test('a client in a terminal chats with both', { tags: ['S1.1'] }, async () => {
  maya.write('Could you add the goal from the other angle?');
  for (const room of [annasRoom, bensRoom]) {
    await expect
      .poll(() => room.message('Could you add the goal from the other angle?').count())
      .toBe(1);
  }
});

test(
  "the user's messages are marked as their own and become sent; others are not",
  { tags: ['S2.16', 'S3.3'] },
  async () => {
    await annasRoom.send('Which camera was that?');
    const own = annasRoom.message('Which camera was that?');
    await expect.poll(() => own.getAttribute('data-state')).toBe('sent');
    expect(await own.getAttribute('data-own')).toBe('true');
    const seenByBen = bensRoom.message('Which camera was that?');
    await seenByBen.waitFor();
    expect(await seenByBen.getAttribute('data-own')).not.toBe('true');
  },
);

test(
  'a burst from both sides arrives once, in each author’s order',
  { tags: ['S1.5'] },
  async () => {
    const numbers = Array.from({ length: 12 }, (_, index) => String(index + 1).padStart(2, '0'));
    const write = async (room: RoomPage, author: string): Promise<void> => {
      for (const number of numbers) await room.send(`${author} ${number}`);
    };
    await Promise.all([write(annasRoom, 'anna-burst'), write(bensRoom, 'ben-burst')]);

    for (const room of [annasRoom, bensRoom]) {
      for (const author of ['anna-burst', 'ben-burst']) {
        await room.message(`${author} 12`).waitFor();
        const texts = (await room.readAll()).map(({ text }) => text);
        const found = texts.flatMap(
          (text) => text.match(new RegExp(`${author} \\d\\d`, 'g')) ?? [],
        );
        expect(found).toEqual(numbers.map((number) => `${author} ${number}`));
      }
    }
  },
);

test(
  'an empty message is not sent; Shift+Enter starts a new line',
  { tags: ['S3.7', 'S5.3'] },
  async () => {
    const { composer } = annasRoom;
    await composer.press('Enter');
    await composer.fill('   ');
    await composer.press('Enter');
    await composer.fill('first line');
    await composer.press('Shift+Enter');
    await composer.pressSequentially('second line');
    await composer.press('Enter');
    await bensRoom.message('second line').waitFor();
    const texts = (await bensRoom.readAll()).map(({ text }) => text);
    expect(texts.at(-1)).toMatch(/first line\nsecond line/);
  },
);

test('address and room change together, so that text typed right away reaches its room', async () => {
  const link = anna.page().getByRole('link', { name: 'Producers' });
  const seen = await link.evaluate(async (element: HTMLElement) => {
    element.click();
    await Promise.resolve();
    const field = document.querySelector<HTMLTextAreaElement>('textarea');
    return [location.pathname, field?.placeholder];
  });
  expect(seen).toEqual(['/chat/c_001/producers', 'Message Maya · Producers']);
  await anna.page().getByRole('link', { name: 'General' }).click();
});

test('messages stay in their room', { tags: ['S1.2'] }, async () => {
  await anna.page().getByRole('link', { name: 'Producers' }).click();
  await anna.page().waitForURL(`${server.address}/chat/c_001/producers`);
  await annasRoom.send('Only for producers.');
  await expect
    .poll(() => annasRoom.message('Only for producers.').getAttribute('data-state'))
    .toBe('sent');
  await anna.page().getByRole('link', { name: 'General' }).click();
  await annasRoom.message('second line').waitFor();
  expect(await annasRoom.message('Only for producers.').count()).toBe(0);
  expect(await bensRoom.message('Only for producers.').count()).toBe(0);
});
