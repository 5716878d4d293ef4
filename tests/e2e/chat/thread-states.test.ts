import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { OUTGOING_CLIENT_NAME } from '#domain/schemas/message.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { openConnected } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { openTerminal } from '#tests/support/process/terminal.ts';
import { toRestingEnd } from '#tests/support/page/thread-end.ts';
import { holdRequests } from '#tests/support/browser/hold-requests.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

const HISTORY = '**/api/realtime/history*';

let server: ServerProcess;
let user: User;
let room: RoomPage;

const meet = async (): Promise<void> => {
  user = await createUser(server);
  room = toRoomPage(user.page());
};
beforeAll(async () => {
  server = await startServer();
  await meet();
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
afterEach(async () => {
  await user.page().unroute(HISTORY);
  expect(user.problems.take()).toEqual([]);
});

const messages = (): Locator => room.region.locator('[data-message-id]');
const isInSight = async (message: Locator): Promise<boolean> => {
  const [item, frame] = [await message.boundingBox(), await room.region.boundingBox()];
  return Boolean(
    item && frame && item.y >= frame.y && item.y + item.height <= frame.y + frame.height,
  );
};
const open = async (path: string): Promise<void> => {
  await user.visit(path);
  await messages().first().waitFor();
};

test(
  'a room without cached messages shows that it is loading, then its messages',
  { tags: ['S4.7'] },
  async () => {
    const { release } = await holdRequests(user.page(), HISTORY);
    await user.signIn(PRODUCER, '/chat/c_001/team');
    const loading = room.region.getByRole('status', { name: 'Loading messages' });
    const placeholder = await loading.locator('span').first().boundingBox();
    release();
    await messages().first().waitFor();
    await expect.poll(() => loading.count()).toBe(0);
    // The avatars appear where their placeholders were.
    const avatar = await messages().last().locator('> :first-child').boundingBox();
    expect(placeholder?.x).toBe(avatar?.x);
  },
);

test(
  'the button for older messages shows progress until they have loaded',
  { tags: ['S4.8'] },
  async () => {
    await open('/chat/c_001/team');
    await room.readAll();
    const { release } = await holdRequests(user.page(), HISTORY);
    await room.fetchMore.click();
    const busy = room.region.locator('button[aria-disabled]');
    await busy.waitFor();
    release();
    await busy.waitFor({ state: 'detached' });
    await expect.poll(async () => (await room.readAll()).length).toBe(50);
  },
);

test(
  'new messages are appended below, and the thread follows while it is at its end',
  { tags: ['S4.12'] },
  async () => {
    await open('/chat/c_001/general');
    const maya = await openTerminal(server, 'c_001', 'general');
    for (let n = 1; n <= 12; n += 1) {
      maya.write(`Line ${n} of the client.`);
      await expect.poll(() => isInSight(room.message(`Line ${n} of the client.`))).toBe(true);
    }
    await maya.close();
  },
);

/** Scrolls a room to its first message; returns the message and its place. */
const readFurtherUp = async () => {
  await openConnected(user.page(), () => open('/chat/c_001/team'));
  await room.readAll();
  await messages().first().scrollIntoViewIfNeeded();
  await toRestingEnd(room.region);
  const id = await messages().first().getAttribute('data-message-id');
  const first = room.region.locator(`[data-message-id="${id}"]`);
  return { first, before: await first.boundingBox() };
};

test(
  'a reader further up stays there, sees that messages arrived, and can jump to them',
  { tags: ['S4.12', 'S9.7'] },
  async () => {
    const { first, before } = await readFurtherUp();
    const maya = await openTerminal(server, 'c_001', 'team');
    maya.write('While you were reading.');
    const jump = user.page().getByRole('button', { name: /new message/i });
    await jump.waitFor();
    await toRestingEnd(room.region);
    expect(await first.boundingBox()).toEqual(before);
    await jump.click();
    await expect.poll(() => isInSight(room.message('While you were reading.'))).toBe(true);
    await maya.close();
  },
);

test('a reader further up stays there when the user writes in another window', async () => {
  const reading = user.page();
  const { first, before } = await readFurtherUp();
  // Playwright gives every page the focus.
  await reading.evaluate(() => {
    document.hasFocus = () => false;
  });
  const writing = await reading.context().newPage();
  await writing.goto(reading.url());
  await toRoomPage(writing).send('Written in the other window.');
  await toRoomPage(writing).message('Written in the other window.').waitFor();
  const maya = await openTerminal(server, 'c_001', 'team');
  maya.write('After that.');
  await reading.getByRole('button', { name: /new message/i }).waitFor();
  await toRestingEnd(room.region);
  expect(await first.boundingBox()).toEqual(before);
  await maya.close();
  await writing.close();
});

test('consecutive messages of one sender share one header', { tags: ['S4.13'] }, async () => {
  await open('/chat/c_002/team');
  const maya = await openTerminal(server, 'c_002', 'team');
  const headed = (text: string) => room.message(text).getAttribute('data-headed');
  maya.write('One from the client.');
  await room.message('One from the client.').waitFor();
  maya.write('Two from the client.');
  await room.message('Two from the client.').waitFor();
  await room.send('One of mine.');
  await room.send('Two of mine.');
  await room.message('Two of mine.').waitFor();
  await expect.poll(() => headed('Two from the client.')).toBe(null);
  await expect.poll(() => headed('One of mine.')).toBe('true');
  await expect.poll(() => headed('Two of mine.')).toBe(null);
  await maya.close();
});

test(
  'an outgoing message has the placeholder name, no avatar and its id',
  { tags: ['S3.2', 'S5.4'] },
  async () => {
    await open('/chat/c_001/general');
    // Messages of earlier tests may still be in transit.
    const published = user
      .page()
      .waitForRequest(
        (one) =>
          one.url().endsWith('/realtime/publish') &&
          one.postData()?.includes('What goes over the wire.') === true,
      );
    await room.send('What goes over the wire.');
    const body: unknown = (await published).postDataJSON();
    expect(body).toEqual({
      channel: 'chat.c_001.general',
      message: {
        text: 'What goes over the wire.',
        clientName: OUTGOING_CLIENT_NAME,
        clientAvatar: '',
        id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-/),
      },
    });
    await expect.poll(() => room.composer.inputValue()).toBe('');
  },
);

test(
  'history is read 25 at a time, starting at a timetoken, subscribed to by uid',
  { tags: ['S1.5', 'S7.11'] },
  async () => {
    await user.dispose();
    await meet();
    const asked: URL[] = [];
    user.page().on('request', (request) => {
      if (request.url().includes('/api/realtime/history?')) asked.push(new URL(request.url()));
    });
    const token = user.page().waitForResponse((one) => one.url().endsWith('/api/realtime/token'));
    await user.signIn(PRODUCER, '/chat/c_001/team');
    await messages().first().waitFor();
    await room.readAll();
    await room.fetchMore.click();
    await expect.poll(async () => (await room.readAll()).length).toBe(50);
    const paged = asked.filter(
      ({ searchParams }) =>
        searchParams.get('channel') === 'chat.c_001.team' && searchParams.get('count') === '25',
    );
    expect(
      paged.some(({ searchParams }) => /^\d{17}$/.test(searchParams.get('before') ?? '')),
    ).toBe(true);
    expect(await (await token).json()).toMatchObject({ uid: PRODUCER.uid });
  },
);
