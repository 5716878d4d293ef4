import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { openByShortcut, toShellPage, waitForShortcuts } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

let server: ServerProcess;
let user: User;
let room: RoomPage;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
  await user.signIn(PRODUCER, '/chat/c_001/general');
  room = toRoomPage(user.page());
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
beforeEach(async () => {
  await user.visit('/chat/c_001/general');
  await room.region.locator('[data-message-id]').first().waitFor();
  await waitForShortcuts(user.page());
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

const press = (key: string): Promise<void> => user.page().keyboard.press(key);
const field = () =>
  user.page().getByRole('combobox', { name: 'Search clients, rooms, messages and commands' });

test('Ctrl+K opens any client or room by a part of its name', async () => {
  await press('Control+k');
  await field().fill('okaf prod');
  await user
    .page()
    .getByRole('option', { selected: true })
    .filter({ hasText: 'Producers' })
    .waitFor();
  await press('Enter');
  await user.page().waitForURL(`${server.address}/chat/c_001/producers`);
  await expect.poll(() => user.page().getByRole('dialog').count()).toBe(0);
  await expect
    .poll(() => room.composer.evaluate((one) => one === document.activeElement))
    .toBe(true);
});

test('arrow keys choose, an unknown name finds nothing, Escape closes', async () => {
  await press('Control+k');
  await expect.poll(() => user.page().getByRole('option').count()).toBeGreaterThanOrEqual(14);
  // The commands appear last, once the user's store is open.
  await user.page().getByRole('option', { name: 'Sign out' }).waitFor();
  const selected = user.page().getByRole('option', { selected: true });
  const readActive = () => field().getAttribute('aria-activedescendant');
  const first = await readActive();
  await press('ArrowDown');
  await expect.poll(readActive).not.toBe(first);
  expect(await selected.getAttribute('id')).toBe(await readActive());
  await press('ArrowUp');
  await expect.poll(readActive).toBe(first);
  await press('ArrowUp');
  await expect.poll(() => selected.innerText()).toBe('Sign out');
  await field().fill('zzz');
  await user.page().getByText('No matching client, room or message.').waitFor();
  await press('Enter');
  await press('Escape');
  expect(user.path()).toBe('/chat/c_001/general');
  await expect.poll(() => user.page().getByRole('dialog').count()).toBe(0);
});

test('Alt with the arrow keys changes rooms, even while writing', async () => {
  const { rooms, clients } = toShellPage(user.page());
  const readOpen = () => rooms.locator('[aria-current="page"]').getAttribute('href');
  const links = clients.locator('a[href^="/chat/"]');
  const hrefs = await links.evaluateAll((found) => found.map((link) => link.getAttribute('href')));
  const next = hrefs[hrefs.findIndex((href) => href?.includes('/c_001')) + 1];
  await room.composer.fill('a draft');
  await press('Alt+ArrowDown');
  await expect.poll(readOpen).toBe('/chat/c_001/producers');
  await press('Alt+ArrowDown');
  await expect.poll(readOpen).toBe(`/chat/${next?.split('/')[2]}/team`);
  await press('Alt+ArrowUp');
  await expect.poll(readOpen).toBe('/chat/c_001/producers');
  await press('Alt+ArrowUp');
  await expect.poll(() => user.path()).toBe('/chat/c_001/general');
  await expect.poll(() => room.composer.inputValue()).toBe('a draft');
  await room.composer.fill('');
});

test('on a Mac ⌥ with an arrow key and ⌃K stay in the text, ⌘⌥ changes rooms', async () => {
  const tab = await user.page().context().newPage();
  await tab.addInitScript(() => {
    Object.defineProperty(navigator, 'platform', { value: 'MacIntel' });
  });
  await tab.goto(`${server.address}/chat/c_001/general`);
  const composer = toRoomPage(tab).composer;
  await composer.fill('two\nlines');
  await openByShortcut(tab, 'Meta+/');
  await tab.getByText('⌘').first().waitFor();
  await tab.keyboard.press('Escape');
  await tab.getByRole('dialog').waitFor({ state: 'detached' });
  await composer.focus();
  const isTaken = await composer.evaluate((field) =>
    [
      { key: 'ArrowUp', altKey: true },
      { key: 'ArrowDown', altKey: true },
      // Deletes to the end of the line.
      { key: 'k', ctrlKey: true },
    ].some((keys) => {
      const init = { ...keys, bubbles: true, cancelable: true };
      return !field.dispatchEvent(new KeyboardEvent('keydown', init));
    }),
  );
  expect(isTaken).toBe(false);
  expect(new URL(tab.url()).pathname).toBe('/chat/c_001/general');
  await tab.keyboard.press('Meta+Alt+ArrowDown');
  await tab.waitForURL(`${server.address}/chat/c_001/producers`);
  await tab.close();
});

const found = () => toShellPage(user.page()).clients.getByRole('link');
/** Types into the search, which gets the focus when it opens, until it finds one client. */
const typeSearch = async (name: string): Promise<void> => {
  await user.page().locator('input[type="search"]:focus').waitFor();
  await user.page().keyboard.type(name);
  await expect.poll(() => found().count()).toBe(1);
};

test('Enter in the search opens the first client found', async () => {
  const search = user.page().getByRole('button', { name: 'Search clients' });
  await search.focus();
  await press('Enter');
  await typeSearch('watan');
  await press('Enter');
  await user.page().waitForURL(`${server.address}/chat/c_009/team`);
  await search.waitFor();
  await expect.poll(() => found().count()).toBeGreaterThan(1);
});

test('the chat’s first page offers the search', async () => {
  await user.visit('/chat');
  await user.page().getByRole('button', { name: 'Find a client' }).press('Enter');
  await typeSearch('solberg');
  await press('Enter');
  await expect.poll(() => user.path()).toBe('/chat/c_013/team');
});

test('no shortcut navigates behind a dialog', async () => {
  await press('Control+k');
  const palette = user.page().getByRole('dialog', { name: 'Search' });
  await palette.getByRole('combobox').press('Alt+ArrowDown');
  await press('Escape');
  await palette.waitFor({ state: 'detached' });
  await room.composer.fill('Not sent yet.');
  await toShellPage(user.page()).chooseFromUserMenu('Logout');
  const question = user.page().getByRole('dialog', { name: 'Sign out?' });
  await question.getByRole('button', { name: 'Cancel' }).press('Control+k');
  await press('Alt+ArrowDown');
  // Escape would close a palette above it.
  await press('Escape');
  await question.waitFor({ state: 'detached' });
  expect(await user.page().getByRole('dialog').count()).toBe(0);
  await room.composer.fill('');
  expect(user.path()).toBe('/chat/c_001/general');
});

/** Runs in the page: the shortcut follows before the dialog reports that it closed. */
const closeAndPress = (): void => {
  document.querySelector<HTMLDialogElement>('dialog[open]')?.close();
  const init = { key: 'k', code: 'KeyK', ctrlKey: true, bubbles: true, cancelable: true };
  document.body.dispatchEvent(new KeyboardEvent('keydown', init));
};

test('a shortcut pressed right after another dialog closed opens its own', async () => {
  await press('Control+/');
  await user.page().locator('dialog[open]').waitFor();
  await user.page().evaluate(closeAndPress);
  await expect.poll(() => field().count()).toBe(1);
  await press('Escape');
  await field().waitFor({ state: 'detached' });
});

test('the composer shows how to list all shortcuts', async () => {
  await user.page().getByText('Ctrl + / for all shortcuts').waitFor();
  await room.composer.press('Control+/');
  await user.page().getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await press('Escape');
  expect(user.path()).toBe('/chat/c_001/general');
});

test('Escape scrolls to the latest message', async () => {
  const newest = (await room.readAll()).at(-1)?.id ?? '';
  await room.region.locator('[data-message-id]').first().scrollIntoViewIfNeeded();
  const pill = user.page().getByRole('button', { name: /latest messages/i });
  const last = room.region.locator(`[data-message-id="${newest}"]`);
  await room.readAll();
  await room.region.evaluate((region) => region.scrollBy(0, -900));
  await pill.waitFor();
  await room.composer.focus();
  await press('Escape');
  await pill.waitFor({ state: 'detached' });
  await expect.poll(() => last.count()).toBe(1);
});

test('Ctrl+/ lists the shortcuts', async () => {
  await press('Control+/');
  const dialog = user.page().getByRole('dialog', { name: 'Keyboard shortcuts' });
  await dialog.getByText('Search clients, rooms, messages and commands').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(user.path()).toBe('/chat/c_001/general');
});

interface Key {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey?: boolean;
  readonly altKey?: boolean;
}

/** Runs in the page: presses a key as soon as the frame is shown, before any late part loads. */
const pressEarly = (init: Key): void => {
  const look = new MutationObserver(() => {
    if (document.querySelector('nav[aria-label="Main"]') === null) return;
    look.disconnect();
    const event = new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true });
    document.body.dispatchEvent(event);
    document.documentElement.dataset['kept'] = String(event.defaultPrevented);
  });
  look.observe(document, { childList: true, subtree: true });
};

/** Opens the room in a new tab and presses a key early there. */
const openPressing = async (key: Key) => {
  const page = await user.openTab();
  await page.addInitScript(pressEarly, key);
  await user.visit('/chat/c_001/general');
  return page;
};

test('a shortcut pressed before its code has loaded takes effect once it has', async () => {
  const page = await openPressing({ key: 'k', code: 'KeyK', ctrlKey: true });
  await page.getByRole('dialog', { name: 'Search' }).waitFor();
  expect(await page.locator('html').getAttribute('data-kept')).toBe('true');
  const other = await openPressing({ key: 'ArrowDown', code: 'ArrowDown', altKey: true });
  await other.waitForURL(`${server.address}/chat/c_001/producers`);
});
