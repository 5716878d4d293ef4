import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { type FaultyServer, startFaultyServer } from '#tests/support/scenes/faulty-server.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { moveToNoon } from '#tests/support/page/session.ts';
import { openByShortcut } from '#tests/support/page/shell.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

const ROOM = '/chat/c_005/general';
/** Older than the page that a device reads of every room. */
const OLD = 'The Größe of the pitch is 105 by 68.';
const FILLER = Array.from({ length: 60 }, (_, n) => `Clip ${n + 1} of 60 is up.`);

const FRAMES = Array.from({ length: 240 }, (_, n) => `Frame ${n + 1} is marked.`);

let backend: FaultyServer;
let user: User;
let room: RoomPage;

beforeAll(async () => {
  backend = await startFaultyServer();
  // Written first: the stream may begin at the end of the opened room, and deliver newer messages.
  await backend.write('chat.c_001.producers', ['The zeppelin filmed the opening.', ...FRAMES]);
  await backend.write('chat.c_005.general', [OLD, ...FILLER]);
  user = await createUser(backend.server);
  room = toRoomPage(user.page());
  await moveToNoon(user.page());
  await user.signIn(PRODUCER, ROOM);
  await room.message('Clip 60 of 60').waitFor();
});
afterAll(async () => {
  await user.dispose();
  await backend.dispose();
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

const field = () => user.page().getByRole('searchbox', { name: 'Search messages' });
const results = () => user.page().getByRole('list', { name: 'Results' }).getByRole('link');
const coverage = () => user.page().getByRole('status', { name: 'Coverage' });
const address = () => new URL(user.page().url());

const openSearch = async (): Promise<void> => {
  await user.visit('/search');
  await expect
    .poll(() => coverage().innerText())
    .toMatch(/Searched [\d,]+ messages on this device/);
};
const expectOpenAt = async (text: string): Promise<void> => {
  const marked = room.region.locator('[data-message-id][aria-current="true"]');
  await marked.waitFor();
  expect(await marked.innerText()).toContain(text);
};

test('the text of a message alone decides its direction, not the name of its author', async () => {
  const [lior, text] = [{ publisher: 'client:c_004', clientName: '' }, 'Can you send the match?'];
  await backend.writeAs(lior, 'chat.c_004.general', text);
  const lineOf = (where: Locator) => where.locator('[dir="auto"]', { hasText: text });
  const expectFromLeft = async (line: Locator): Promise<void> => {
    await line.waitFor();
    expect(await line.innerText()).toMatch(/^ליאור/);
    expect(await line.evaluate((one) => getComputedStyle(one).direction)).toBe('ltr');
  };
  const avatar = user.page().locator('[data-hover-label][href^="/chat/c_004"]');
  await expect.poll(() => avatar.getAttribute('data-hover-text')).toBe(text);
  await avatar.hover();
  await expectFromLeft(lineOf(user.page().locator('body > [aria-hidden]')));
  await openSearch();
  await field().fill('send the match');
  await expectFromLeft(lineOf(results()));
});

test('finds a message by its words, marks them, and opens the room there', async () => {
  await openSearch();
  await field().fill('OF up clip 59');
  await expect.poll(() => results().count()).toBe(1);
  const hit = results().first();
  expect((await hit.locator('mark').allInnerTexts()).join('|')).toBe('Clip|59|of|up');
  const text = await hit.innerText();
  for (const part of ['Tomás Echeverría', 'General', 'Clip 58 of 60', 'Clip 60 of 60']) {
    expect(text).toContain(part);
  }
  await field().press('ArrowDown');
  await user.page().keyboard.press('Enter');
  await user.page().waitForURL((url) => url.pathname === ROOM);
  expect(address().searchParams.get('m')).toMatch(/^\d{17}$/);
  await expectOpenAt('Clip 59 of 60');
  // Back at the search, with its text.
  await user.page().goBack();
  await expect.poll(() => field().inputValue()).toBe('OF up clip 59');
  await expect.poll(() => results().count()).toBe(1);
});

test('filters by sender, place and day, and by a phrase', async () => {
  await openSearch();
  const count = async (text: string): Promise<number> => {
    await field().fill(text);
    await user.page().locator('[aria-busy="false"]').waitFor({ state: 'attached' });
    return results().count();
  };
  expect(await count('"clip 57 of"')).toBe(1);
  expect(await count('"of 57 clip"')).toBe(0);
  expect(await count('"clip 57 of" in:echeverria')).toBe(1);
  expect(await count('"clip 57 of" in:okafor')).toBe(0);
  expect(await count('"clip 57 of" in:general after:today')).toBe(1);
  expect(await count('"clip 57 of" before:today')).toBe(0);
  expect(await count('"clip 57 of" from:leila')).toBe(1);
  expect(await count('"clip 57 of" from:me')).toBe(0);
  await field().fill('clip after:whenever');
  await user.page().getByText('has no valid date').waitFor();
});

test('includes messages that arrive or are loaded, and shows how many messages it searched', async () => {
  await openSearch();
  await field().fill('grosse');
  await user.page().getByText('No message on this device matches').waitFor();
  await backend.write('chat.c_006.general', ['Nur die Größe fehlt noch.']);
  await expect.poll(() => results().count()).toBe(1);
  await user.visit(ROOM);
  await room.fetchMore.click();
  await room.fetchMore.click();
  await user.page().getByText('This is the start of the conversation.').waitFor();
  await openSearch();
  await field().fill('grosse');
  await expect.poll(() => results().count()).toBe(2);
  await expect.poll(() => coverage().innerText()).toMatch(/^2 messages\. Searched [\d,]+ messages/);
});

test('back leads to the place in the results, however many were shown', async () => {
  const focused = () => user.page().locator('a:focus');
  await openSearch();
  await field().fill('"of 60 is up"');
  await expect.poll(() => results().count()).toBe(25);
  const more = user.page().getByRole('button', { name: /^Show \d+ more$/ });
  await more.press('Enter');
  await expect.poll(() => results().count()).toBe(50);
  await user.page().getByRole('button', { name: 'Show 10 more' }).press('Enter');
  await expect.poll(() => results().count()).toBe(60);
  expect(await more.count()).toBe(0);
  await results().nth(50).and(focused()).waitFor();
  expect(await results().nth(50).innerText()).toContain('Clip 10 of 60');
  const readScroll = () => user.page().evaluate(() => document.querySelector('main')?.scrollTop);
  const before = await readScroll();
  expect(before).toBeGreaterThan(1000);
  await user.page().keyboard.press('Enter');
  await expectOpenAt('Clip 10 of 60');
  await user.page().goBack();
  await results().nth(50).and(focused()).waitFor();
  expect(await results().count()).toBe(60);
  expect(await readScroll()).toBe(before);
});

test('the arrow keys move to the next result, which the field does not cover', async () => {
  await openSearch();
  await field().fill('clip');
  await user.page().getByRole('button', { name: /^Show/ }).press('ArrowUp');
  await results().last().and(user.page().locator(':focus')).waitFor();
  await results().nth(20).focus();
  const focused = user.page().locator(':focus');
  for (let n = 20; n > 0; n -= 1) {
    await user.page().keyboard.press('ArrowUp');
    const [link, above] = [await focused.boundingBox(), await field().boundingBox()];
    expect(link?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
  }
});

test('works offline', async () => {
  await openSearch();
  user.problems.allow(NETWORK_AWAY);
  await user.goOffline();
  await openSearch();
  await field().fill('clip 44');
  await expect.poll(() => results().count()).toBe(1);
  await results().first().click();
  await expectOpenAt('Clip 44 of 60');
  await user.goOnline();
});

test('is in the palette, beside clients and rooms', async () => {
  await user.visit('/');
  await openByShortcut(user.page(), 'Control+k');
  await user.page().getByRole('combobox').fill('"clip 51"');
  const option = user.page().getByRole('option', { name: /Clip 51 of 60/ });
  await option.waitFor();
  expect(await option.locator('mark').innerText()).toBe('Clip 51');
  expect(await option.innerText()).toMatch(
    /^Tomás Echeverría · General · Leila Haddad · \d+:\d\d [AP]M\n/,
  );
  await user.page().keyboard.press('Enter');
  await expectOpenAt('Clip 51 of 60');
  await openByShortcut(user.page(), 'Control+k');
  await user.page().getByRole('combobox').fill('clip 5');
  await user.page().getByRole('option', { name: 'All matching messages' }).click();
  await expect.poll(() => field().inputValue()).toBe('clip 5');
  await expect.poll(() => results().count()).toBeGreaterThan(5);
});

test('older messages of a room are searched on the server on request', async () => {
  await openSearch();
  await coverage().getByText("To search them too, add in: and a client's name.").waitFor();
  expect(await coverage().locator('code').innerText()).toBe('in:');
  await field().fill('zeppelin in:okafor in:producers');
  const ask = user.page().getByRole('button', { name: 'Search older messages on the server' });
  const older = user.page().getByRole('status', { name: 'Older messages' });
  backend.proxy.break(/\/realtime\/history/, { kind: 'mute' });
  await ask.click();
  await expect.poll(() => older.innerText()).toBe('Reading older messages: 0 of 1 room.');
  await user.page().getByRole('button', { name: 'Stop' }).click();
  backend.proxy.heal();
  await user.page().getByText('No message on this device matches').waitFor();
  await ask.click();
  const again = user.page().getByRole('button', { name: 'Try again' });
  const isFound = async (): Promise<boolean> => {
    // A connection that the fault left behind may fail once more.
    if ((await again.count()) > 0) await again.click();
    return (await results().count()) === 1;
  };
  await expect.poll(isFound).toBe(true);
  await expect.poll(() => older.innerText()).toBe('All messages in 1 room are on this device.');
  expect(await ask.count()).toBe(0);
  await results().first().click();
  await expectOpenAt('The zeppelin filmed the opening.');
});

test('a client who was removed is no longer found', async () => {
  const page = user.page();
  await page.route('**/api/proxy/staff/teams', async (route) => {
    const response = await route.fetch();
    const teams = (await response.json()) as readonly { readonly client_id: string }[];
    await route.fulfill({ response, json: teams.filter((team) => team.client_id !== 'c_005') });
  });
  await openSearch();
  await field().fill('clip 59 of 60');
  await expect.poll(() => results().count()).toBe(1);
  // The list is requested again after half an hour.
  await page.addInitScript(() => {
    const readClock = Date.now.bind(Date);
    const AHEAD_MS = 1_860_000;
    Date.now = () => readClock() + AHEAD_MS;
  });
  await openSearch();
  await field().fill('clip 59 of 60');
  await page.getByText('No message on this device matches').waitFor();
});
