import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { refuseMessage } from '#tests/support/browser/route-message.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { openConnected, type ShellPage, toShellPage } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { PHONE_DEVICE, setDevice } from '#tests/support/screens/device.ts';

const AOIFE = "Aoife O'Sullivan";
const ROOM = '/chat/c_003/general';

let server: ServerProcess;
let user: User;
let room: RoomPage;
let shell: ShellPage;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
beforeEach(async () => {
  await user.startOver();
  room = toRoomPage(user.page());
  shell = toShellPage(user.page());
});
afterEach(() => expect(user.problems.take()).toEqual([]));

const button = (name: string) => user.page().getByRole('button', { name, exact: true });
const roomLink = (name: string) => shell.rooms.getByRole('link', { name, exact: true });
const describe = (link: Locator) => link.getAttribute('aria-description');

/** Signs in and waits until the lists have their texts. */
const open = async (path: string): Promise<void> => {
  await openConnected(user.page(), () => user.signIn(PRODUCER, path));
  await room.waitForLateParts();
  await expect.poll(() => describe(roomLink('Team'))).toContain(': ');
};

/** The red disc drawn on a row, and the colours of its lead and of danger. */
const look = (link: Locator) =>
  link.evaluate((element) => {
    const probe = element.appendChild(document.createElement('i'));
    probe.style.color = 'var(--danger)';
    const danger = getComputedStyle(probe).color;
    probe.style.color = 'var(--text-muted)';
    const muted = getComputedStyle(probe).color;
    probe.remove();
    const marks = [...element.querySelectorAll('*')]
      .filter((part) => part.checkVisibility())
      .flatMap((part) =>
        ['::before', '::after']
          .map((pseudo) => getComputedStyle(part, pseudo))
          .filter(({ content, display }) => content === '"!"' && display !== 'none')
          .map(({ backgroundColor }) => (backgroundColor === danger ? 'red' : backgroundColor)),
      );
    const lead = element.querySelector(':scope [data-kind] > :first-child');
    const color = lead === null ? '' : getComputedStyle(lead).color;
    return { marks, lead: color === danger ? 'red' : color === muted ? 'muted' : color };
  });

test('a refused message has a red mark in all lists, until it is deleted', async () => {
  user.problems.allow(/400/);
  await open(ROOM);
  await refuseMessage(user.page(), 'Too late.');
  await room.send('Too late.');
  await expect.poll(() => room.message('Too late.').getAttribute('data-state')).toBe('failed');
  await roomLink('Team').click();
  await expect.poll(() => describe(roomLink('General'))).toMatch(/^Not sent: Too late\., /);
  expect(await look(roomLink('General'))).toEqual({ marks: ['red'], lead: 'red' });
  expect((await look(roomLink('Team'))).marks).toEqual([]);
  // The column of avatars has the mark alone, and the same description.
  expect((await look(shell.client(AOIFE))).marks).toEqual(['red']);
  expect(await describe(shell.client(AOIFE))).toMatch(/^Not sent: Too late\., /);
  expect((await look(shell.client('Maya Okafor'))).marks).toEqual([]);
  await button('Expand clients').click();
  await expect.poll(() => shell.client(AOIFE).innerText()).toContain('Not sent: Too late.');
  expect(await look(shell.client(AOIFE))).toEqual({ marks: ['red'], lead: 'red' });

  await setDevice(user.page(), PHONE_DEVICE);
  await expect.poll(() => look(roomLink('General'))).toEqual({ marks: ['red'], lead: 'red' });
  await roomLink('General').click();
  await room.message('Too late.').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => look(roomLink('General')).then(({ marks }) => marks)).toEqual([]);
});

test('a client shows a refused message rather than a queued one', async () => {
  user.problems.allow(/400/);
  user.problems.allow(NETWORK_AWAY);
  await open(ROOM);
  await refuseMessage(user.page(), 'Too late.');
  await room.send('Too late.');
  await expect.poll(() => room.message('Too late.').getAttribute('data-state')).toBe('failed');
  await roomLink('Team').click();
  await user.goOffline();
  await expect.poll(() => shell.connection.innerText()).toMatch(/^Offline/);
  await room.send('Written on a train.');
  await button('Expand clients').click();
  // Calm, like the word below the message itself.
  await room.message('Written on a train.').getByText('Queued').waitFor();
  await expect.poll(() => describe(roomLink('Team'))).toMatch(/^Queued: Written on a train\., /);
  expect(await look(roomLink('Team'))).toEqual({ marks: [], lead: 'muted' });
  expect(await shell.client(AOIFE).innerText()).toContain('Not sent: Too late.');
  await roomLink('General').click();
  await room.message('Too late.').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => shell.client(AOIFE).innerText()).toContain('Queued: Written on a train.');
  expect(await look(shell.client(AOIFE))).toEqual({ marks: [], lead: 'muted' });
  await user.goOnline();
  await expect.poll(() => describe(roomLink('Team'))).toMatch(/^You: Written on a train\./);
});
