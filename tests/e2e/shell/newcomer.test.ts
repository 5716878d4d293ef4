import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { type ShellPage, toShellPage } from '#tests/support/page/shell.ts';
import { PHONE_DEVICE, setDevice } from '#tests/support/screens/device.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { tap } from '#tests/support/page/touch.ts';
import { createUser, type User } from '#tests/support/browser/user.ts';

/** The task of a user who knows a surname and a room, but not the program. */
let answer = '';
let later = '';
let turn = 0;

let server: ServerProcess;
let user: User;
let room: RoomPage;
let shell: ShellPage;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.dispose());
beforeEach(async () => {
  turn += 1;
  answer = `Line-out clip ${turn} is ready.`;
  later = `And scrum ${turn} follows tonight.`;
  user = await createUser(server);
  user.problems.allow(NETWORK_AWAY);
  room = toRoomPage(user.page());
  shell = toShellPage(user.page());
});
afterEach(async () => {
  const problems = user.problems.take();
  await user.dispose();
  expect(problems).toEqual([]);
});

const button = (name: string) => user.page().getByRole('button', { name });
const link = (name: string) => user.page().getByRole('link', { name, exact: true });
const focused = () =>
  user.page().evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute('aria-label') ?? element?.textContent.trim() ?? '';
  });

/** Opens the page and waits for the form with the demo account. */
const openFilledForm = async (): Promise<void> => {
  await user.visit('/');
  const email = user.page().getByRole('textbox', { name: 'Email' });
  await expect.poll(() => email.inputValue()).not.toBe('');
};

/** Types a part of a name into the search, which has the focus, and sees one client. */
const typeSearch = async (): Promise<void> => {
  await user.page().locator('input[type="search"]:focus').waitFor();
  await user.page().keyboard.type('hargr');
  await expect.poll(() => shell.clients.getByRole('link').count()).toBe(1);
};

/** The result for the writer: where the text was sent, and what is queued. */
const findOutcome = async () => ({
  path: user.path(),
  answer: await room.message(answer).getAttribute('data-state'),
  later: await room.message(later).getAttribute('data-state'),
  status: await shell.connection.innerText(),
});
const EXPECTED = {
  path: '/chat/c_007/producers',
  answer: 'sent',
  later: 'queued',
  status: expect.stringMatching(/^Offline Showing saved messages\. What you write is sent/),
};

test('a newcomer finds a room and writes with a mouse', { tags: ['S2.14'] }, async () => {
  await openFilledForm();
  await button('Sign In').click();
  await link('Open Chat').click();
  await button('Find a client').click();
  await typeSearch();
  await shell.client('Desmond Hargreaves').click();
  await link('Producers').click();
  await room.composer.click();
  await user.page().keyboard.type(answer);
  await button('Send').click();
  await expect.poll(() => room.message(answer).getAttribute('data-state')).toBe('sent');
  await user.goOffline();
  await user.page().keyboard.type(later);
  await button('Send').click();
  await room.message(later).getByText('Queued').waitFor();
  await expect.poll(findOutcome).toEqual(EXPECTED);
});

/** Presses Tab until a control has the focus, like a user who follows the ring. */
const tabTo = async (name: string): Promise<void> => {
  for (let step = 0; step < 40; step += 1) {
    await user.page().keyboard.press('Tab');
    if ((await focused()) === name) return;
  }
  throw new Error(`Tab does not lead to ${name}`);
};

test('a newcomer finds a room and writes with a keyboard only', async () => {
  const { keyboard } = user.page();
  await openFilledForm();
  await tabTo('Sign In');
  await keyboard.press('Enter');
  await link('Open Chat').waitFor();
  await tabTo('Skip to content');
  await keyboard.press('Enter');
  await tabTo('Open Chat');
  await keyboard.press('Enter');
  await button('Find a client').waitFor();
  await tabTo('Find a client');
  await keyboard.press('Enter');
  await typeSearch();
  await keyboard.press('Enter');
  await link('Producers').waitFor();
  await expect.poll(focused).toBe('Message');
  await tabTo('Producers');
  await keyboard.press('Enter');
  await expect.poll(focused).toBe('Message');
  await keyboard.type(answer);
  await keyboard.press('Enter');
  await expect.poll(() => room.message(answer).getAttribute('data-state')).toBe('sent');
  await user.goOffline();
  await keyboard.type(later);
  await keyboard.press('Enter');
  await room.message(later).getByText('Queued').waitFor();
  await expect.poll(findOutcome).toEqual(EXPECTED);
});

test('a newcomer finds a room and writes with a finger', async () => {
  await setDevice(user.page(), PHONE_DEVICE);
  await openFilledForm();
  await tap(button('Sign In'));
  await tap(link('Open Chat'));
  await tap(button('Search clients'));
  await typeSearch();
  await tap(shell.client('Desmond Hargreaves'));
  await tap(link('Producers'));
  await tap(room.composer);
  await user.page().keyboard.type(answer);
  await tap(button('Send'));
  await expect.poll(() => room.message(answer).getAttribute('data-state')).toBe('sent');
  await user.goOffline();
  await user.page().keyboard.type(later);
  await tap(button('Send'));
  await room.message(later).getByText('Queued').waitFor();
  await expect.poll(findOutcome).toEqual(EXPECTED);
});
