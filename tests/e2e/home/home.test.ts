import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Locator } from 'playwright-core';

import { createUser, PRODUCER, TEAM, type User } from '#tests/support/browser/user.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { readNamesAndTexts, waitUntilCurrent } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { openTerminal, type Terminal } from '#tests/support/process/terminal.ts';

/** Her last messages are by staff. */
const AOIFE = "Aoife O'Sullivan";
const PUBLISH = '**/api/realtime/publish*';

let server: ServerProcess;
let user: User;
let others: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
beforeEach(() => user.startOver());
afterEach(async () => {
  await Promise.all(others.map((other) => other.close()));
  others = [];
  expect(user.problems.take()).toEqual([]);
});

const openClient = async (clientId: string, roomId: string): Promise<Terminal> => {
  const terminal = await openTerminal(server, clientId, roomId);
  others.push(terminal);
  return terminal;
};
const page = () => user.page();
const region = (name: string) => page().getByRole('region', { name, exact: true });
const entries = (name: string) => region(name).getByRole('link');
const entry = (name: string, client: string) => entries(name).filter({ hasText: client });
const field = () => page().getByRole('textbox', { name: 'Message', exact: true });
const coverage = () => page().getByRole('status', { name: 'Coverage' });
const press = (key: string) => page().keyboard.press(key);

const open = async (): Promise<void> => {
  await user.signIn(PRODUCER);
  await waitUntilCurrent(page());
};
const focusedName = () =>
  page().evaluate(() => document.activeElement?.getAttribute('data-entry') ?? '');
const showAll = () =>
  region('Needs reply')
    .getByRole('button', { name: /^Show all/ })
    .click();

test('the longest-waiting client is answered with two keys and the text', async () => {
  await open();
  const first = entries('Needs reply').first();
  const [, , clientId = '', roomId = ''] = ((await first.getAttribute('href')) ?? '').split('/');
  const id = (await first.getAttribute('data-entry')) ?? '';
  const second = (await entries('Needs reply').nth(1).getAttribute('data-entry')) ?? '';
  const client = await openClient(clientId, roomId);
  await press('r');
  await field().and(page().locator(':focus')).waitFor();
  await page().keyboard.type('The cut is in your folder, rrr.');
  await press('Enter');
  await client.waitForLine('The cut is in your folder, rrr.');
  await page().locator(`[data-entry="${id}"]`).waitFor({ state: 'detached' });
  expect(await field().count()).toBe(0);
  // The next entry is ready to be answered.
  await expect.poll(focusedName).toBe(second);
  expect(user.path()).toBe('/');
});

test('the second click of a double click marks no other room as done', async () => {
  await open();
  const [first, second] = [entries('Needs reply').first(), entries('Needs reply').nth(1)];
  const toId = async (link: Locator) => (await link.getAttribute('data-entry')) ?? '';
  const [gone, next] = [await toId(first), await toId(second)];
  const done = region('Needs reply')
    .getByRole('button', { name: /^Done in/ })
    .first();
  await done.click();
  await page().locator(`[data-entry="${gone}"]`).waitFor({ state: 'detached' });
  await page().mouse.down({ clickCount: 2 });
  await page().mouse.up({ clickCount: 2 });
  // A first click there does.
  const third = await toId(second);
  await done.click();
  await page().locator(`[data-entry="${next}"]`).waitFor({ state: 'detached' });
  expect(await toId(first)).toBe(third);
});

test('a section shows how many rooms it has', async () => {
  await open();
  await showAll();
  const heading = region('Needs reply').getByRole('heading');
  await expect
    .poll(async () => {
      const count = await entries('Needs reply').count();
      return (await heading.textContent()) === `Needs reply ${count} rooms`;
    })
    .toBe(true);
});

test('a client needs a reply as soon as they write, and no longer after one', async () => {
  await open();
  await showAll();
  expect(await entry('Needs reply', AOIFE).count()).toBe(0);
  const client = await openClient('c_003', 'general');
  client.write('Can you cut the second half?');
  await entry('Needs reply', AOIFE).waitFor();
  // Its count changes after the entry.
  await expect
    .poll(() => entry('Needs reply', AOIFE).getAttribute('aria-description'))
    .toMatch(/^1 unread, Aoife: Can you cut the second half\?, \d\d?:\d\d [AP]M, waiting \d+ min$/);
  expect(await entry('Unread', AOIFE).count()).toBe(0);
  await region('Needs reply')
    .getByRole('button', { name: `Reply to ${AOIFE} · General` })
    .click();
  await region('Needs reply').getByText('Can you cut the second half?').last().waitFor();
  await field().fill('On it.');
  await field().press('Enter');
  await client.waitForLine('On it.');
  await entry('Needs reply', AOIFE).waitFor({ state: 'detached' });
  expect(await entry('Unread', AOIFE).count()).toBe(0);
});

test('a colleague’s message is listed as unread until it is answered in its room', async () => {
  await open();
  const colleague = await createUser(server);
  others.push({ close: () => colleague.dispose() });
  await colleague.signIn(TEAM, '/chat/c_003/team');
  await toRoomPage(colleague.page()).send('The schedule is in the drive.');
  await entry('Unread', AOIFE).waitFor();
  expect(await entry('Unread', AOIFE).innerText()).toContain('The schedule is in the drive.');
  await entry('Unread', AOIFE).focus();
  await press('Enter');
  await page().waitForURL(`${server.address}/chat/c_003/team`);
  await toRoomPage(page()).message('The schedule is in the drive.').waitFor();
  await toRoomPage(page()).send('Seen.');
  await toRoomPage(page()).message('Seen.').and(page().locator('[data-state="sent"]')).waitFor();
  await page().goBack();
  await waitUntilCurrent(page());
  await region('Needs reply').waitFor();
  expect(await region('Unread').count()).toBe(0);
});

test('drafts and unsent messages are listed, and a start without a network shows the same', async () => {
  user.problems.allow(NETWORK_AWAY);
  await open();
  await page().evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const first = entries('Needs reply').first();
  const name = (await first.locator('[dir="auto"]').first().innerText()).trim();
  await press('j');
  await press('r');
  await field().fill('Begun on the');
  const times = page().getByRole('list', { name: 'Last messages' }).locator('time');
  await expect.poll(() => times.count()).toBeGreaterThan(1);
  for (const time of await times.all()) expect(await time.innerText()).toMatch(/\d:\d\d [AP]M$/);
  expect(await region('Drafts').count()).toBe(0);
  await press('Escape');
  await entry('Drafts', name).filter({ hasText: 'Draft: Begun on the' }).waitFor();
  await user.goOffline();
  await expect
    .poll(() => coverage().innerText())
    .toMatch(/^Offline\. Showing messages up to .*\.$/);
  await press('r');
  await field().and(page().locator(':focus')).waitFor();
  await page().keyboard.type(' train');
  await press('Enter');
  await entry('Not sent', name).filter({ hasText: '1 queued: “Begun on the train”' }).waitFor();
  expect(await region('Drafts').count()).toBe(0);
  await press('r');
  await field().fill('Another one');
  await press('Escape');
  await region('Drafts').waitFor();
  expect(await entries('Needs reply').count()).toBe(8);
  const before = await readNamesAndTexts(entries('Needs reply'));
  await user.visit('/');
  await expect.poll(() => readNamesAndTexts(entries('Needs reply'))).toEqual(before);
  await entry('Not sent', name).waitFor();
  await region('Drafts').getByText('Draft: Another one').waitFor();
  await user.goOnline();
  await region('Not sent').waitFor({ state: 'detached' });
});

test('a refused message shows the reason, and another attempt sends it', async () => {
  user.problems.allow(/400/);
  await open();
  const [first, id] = [entries('Needs reply').first(), 'data-entry'];
  const waiting = (await first.getAttribute(id)) ?? '';
  const name = (await first.locator('[dir="auto"]').first().innerText()).trim();
  await page().route(PUBLISH, (route) =>
    route.fulfill({ status: 400, json: { error: 'Room is closed' } }),
  );
  await press('r');
  await field().fill('Too late?');
  await press('Enter');
  const failed = entry('Not sent', name);
  await failed.filter({ hasText: '1 failed: Room is closed “Too late?”' }).waitFor();
  // Nobody was answered.
  await expect.poll(() => page().locator(`[data-entry="${waiting}"]`).count()).toBe(1);
  await page().unroute(PUBLISH);
  await region('Not sent')
    .getByRole('button', { name: /^Retry/ })
    .press('Enter');
  await region('Not sent').waitFor({ state: 'detached' });
  // The button that had the focus has left: the keys of the list continue there.
  await expect.poll(() => page().locator(':focus').count()).toBe(1);
  await press('j');
  await expect.poll(focusedName).not.toBe('');
  await page().locator(`[data-entry="${waiting}"]`).waitFor({ state: 'detached' });
});

test('J, K and the arrow keys move between entries, and type letters in a field', async () => {
  await open();
  const ids = await page()
    .locator('[data-entry]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('data-entry')));
  expect(ids.length).toBeGreaterThan(7);
  for (const id of ids) {
    await press(ids.indexOf(id) % 2 === 0 ? 'j' : 'ArrowDown');
    expect(await focusedName()).toBe(id);
  }
  await press('j');
  expect(await focusedName()).toBe(ids.at(-1));
  await press('k');
  await press('ArrowUp');
  expect(await focusedName()).toBe(ids.at(-3));
  await press('Control+j');
  expect(await focusedName()).toBe(ids.at(-3));
  await press('r');
  await field().and(page().locator(':focus')).waitFor();
  await page().keyboard.type('jkr');
  expect(await field().inputValue()).toBe('jkr');
  await press('Escape');
  expect(await focusedName()).toBe(ids.at(-3));
  await press('Control+/');
  const help = page().getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.getByRole('heading', { name: 'Home', exact: true }).waitFor();
  await help.getByText('Reply without opening the room', { exact: true }).waitFor();
  await press('j');
  await press('Escape');
  await page().locator('dialog[open]').waitFor({ state: 'detached' });
  expect(await focusedName()).toBe(ids.at(-3));
});
