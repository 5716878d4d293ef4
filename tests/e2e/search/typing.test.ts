import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { createUser, DESKTOP, PHONE, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { openByShortcut } from '#tests/support/page/shell.ts';
import { DESKTOP_DEVICE, PHONE_DEVICE, setDevice } from '#tests/support/screens/device.ts';
import { type FaultyServer, startFaultyServer } from '#tests/support/scenes/faulty-server.ts';

const FILLER = Array.from({ length: 60 }, (_, n) => `Clip ${n + 1} of 60 is up.`);

let backend: FaultyServer;
let user: User;
let room: RoomPage;

beforeAll(async () => {
  backend = await startFaultyServer();
  await backend.write('chat.c_005.general', FILLER);
  user = await createUser(backend.server);
  room = toRoomPage(user.page());
  await user.signIn(PRODUCER, '/chat/c_005/general');
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

const openSearch = async (): Promise<void> => {
  await user.visit('/search');
  await expect
    .poll(() => user.page().getByRole('status', { name: 'Coverage' }).innerText())
    .toMatch(/Searched [\d,]+ messages on this device/);
};
const expectOpenAt = async (text: string): Promise<void> => {
  const marked = room.region.locator('[data-message-id][aria-current="true"]');
  await marked.waitFor();
  expect(await marked.innerText()).toContain(text);
};

test('the palette shows a hit late in a text, also on a phone', async () => {
  await backend.write('chat.c_013.general', [
    'The list is complete too: twelve names, one teacher, one very curious quartermaster.',
  ]);
  for (const size of [DESKTOP, PHONE]) {
    await user.page().setViewportSize(size);
    await user.visit('/');
    await openByShortcut(user.page(), 'Control+k');
    await user.page().getByRole('combobox').fill('quartermaster');
    const option = user.page().getByRole('option', { name: /quartermaster/ });
    await option.waitFor();
    const isShown = await option.locator('mark').evaluate((mark) => {
      const line = mark.closest('[dir="auto"]')!.getBoundingClientRect();
      return mark.getBoundingClientRect().right <= line.right;
    });
    expect(isShown).toBe(true);
  }
  await user.page().setViewportSize(DESKTOP);
});

test('clients are found by name above the messages, and Enter opens the first message', async () => {
  await backend.write('chat.c_013.general', ['Please ask Tomás for the corner flags.']);
  await setDevice(user.page(), PHONE_DEVICE);
  await user.visit('/');
  await user.page().getByRole('link', { name: 'Search messages' }).click();
  await field().fill('tomas');
  const clients = user.page().getByRole('list', { name: 'Clients' }).getByRole('link');
  const client = clients.filter({ hasText: 'Tomás Echeverría' });
  await client.waitFor();
  await results().filter({ hasText: 'corner flags' }).first().waitFor();
  await client.click();
  await expect.poll(() => user.path()).toBe('/chat/c_005/general');
  await setDevice(user.page(), DESKTOP_DEVICE);
  await openSearch();
  await field().fill('tomas');
  await results().filter({ hasText: 'corner flags' }).first().waitFor();
  const first = (await results().first().getAttribute('href')) ?? '';
  await user.page().keyboard.press('Enter');
  await user.page().waitForURL((url) => `${url.pathname}${url.search}` === first);
});

/** Runs in the page: replaces the text of the focused field and presses a key, with no pause. */
const typeAndPress = ([text, keyCode]: readonly [string, number]): void => {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement)) throw new Error('no field has the focus');
  field.select();
  document.execCommand('insertText', false, text);
  const press = { key: 'Enter', keyCode, bubbles: true, cancelable: true };
  field.dispatchEvent(new KeyboardEvent('keydown', press));
};
const ENTER = 13;
/** What Safari reports for the Enter that accepts the text of an input method. */
const COMPOSING = 229;

test('Enter opens a message that matches the present text, not the previous one', async () => {
  const option = user.page().getByRole('option', { name: /Clip 5\d of 60/ });
  await user.visit('/');
  await openByShortcut(user.page(), 'Control+k');
  await user.page().getByRole('combobox').fill('"clip 51"');
  await option.waitFor();
  await user.page().evaluate(typeAndPress, ['"clip 52"', ENTER] as const);
  await expectOpenAt('Clip 52 of 60');
  await openSearch();
  await field().fill('"clip 53"');
  await expect.poll(() => results().count()).toBe(1);
  await field().focus();
  await user.page().evaluate(typeAndPress, ['"clip 54"', ENTER] as const);
  await expectOpenAt('Clip 54 of 60');
});

test('the search key of a touch keyboard closes it, and opens nothing', async () => {
  await setDevice(user.page(), PHONE_DEVICE);
  await openSearch();
  await field().fill('"clip 53"');
  await expect.poll(() => results().count()).toBe(1);
  await field().press('Enter');
  await expect.poll(() => user.page().locator('input:focus').count()).toBe(0);
  expect(user.path()).toBe('/search');
  // A search that was opened with its text shows the results, not the keyboard.
  await user.visit(`/search?q=${encodeURIComponent('"clip 53"')}`);
  await expect.poll(() => results().count()).toBe(1);
  expect(await user.page().locator('input:focus').count()).toBe(0);
  await user.page().keyboard.press('ArrowDown');
  await results().first().and(user.page().locator(':focus')).waitFor();
  await setDevice(user.page(), DESKTOP_DEVICE);
});

test('Enter that accepts the text of an input method opens nothing', async () => {
  await user.visit('/');
  await openByShortcut(user.page(), 'Control+k');
  await user.page().evaluate(typeAndPress, ['"clip 51"', COMPOSING] as const);
  await user
    .page()
    .getByRole('option', { name: /Clip 51 of 60/ })
    .waitFor();
  await user.page().evaluate(typeAndPress, ['"clip 51"', COMPOSING] as const);
  expect(await user.page().getByRole('dialog', { name: 'Search' }).isVisible()).toBe(true);
  await openSearch();
  await field().fill('"clip 53"');
  await expect.poll(() => results().count()).toBe(1);
  await field().focus();
  await user.page().evaluate(typeAndPress, ['"clip 53"', COMPOSING] as const);
  expect(await field().inputValue()).toBe('"clip 53"');
});

test('half an emoji in the text changes nothing', async () => {
  const insertHalf = (): boolean =>
    document.execCommand('insertText', false, ` ${String.fromCharCode(0xd8_00)}`);
  await user.visit('/');
  await openByShortcut(user.page(), 'Control+k');
  await user.page().getByRole('combobox').fill('"clip 51"');
  await user.page().getByRole('option', { name: 'All matching messages' }).waitFor();
  expect(await user.page().evaluate(insertHalf)).toBe(true);
  expect(await user.page().getByRole('combobox').inputValue()).toMatch(/^"clip 51" ./);
  await openSearch();
  await field().fill('"clip 51"');
  await field().press('End');
  expect(await user.page().evaluate(insertHalf)).toBe(true);
  await expect
    .poll(() => new URL(user.page().url()).searchParams.get('q'))
    .toBe('"clip 51" \uFFFD');
});

test('a mouse alone opens the search and closes it', async () => {
  const page = user.page();
  const palette = page.getByRole('dialog', { name: 'Search' });
  const open = page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('button', { name: 'Search' });
  await open.click();
  await palette.getByRole('option').first().waitFor();
  // The page behind it gets no click.
  const path = user.path();
  await page.mouse.click(40, 200);
  await palette.waitFor({ state: 'detached' });
  expect(user.path()).toBe(path);
  await open.click();
  await palette.getByRole('option', { name: 'Search messages' }).click();
  await expect.poll(() => user.path()).toBe('/search');
});

test('another text shows its first results, wherever the list was scrolled', async () => {
  await openSearch();
  await field().fill('the');
  const main = user.page().getByRole('main');
  const readTop = (element: Element): number => element.scrollTop;
  await expect.poll(() => results().count()).toBe(25);
  await user.page().locator('[aria-busy="false"]').filter({ has: results().first() }).waitFor();
  await main.evaluate((element) => element.scrollTo({ top: 300 }));
  expect(await main.evaluate(readTop)).toBe(300);
  await field().fill('and');
  await expect.poll(() => main.evaluate(readTop)).toBe(0);
  await openByShortcut(user.page(), 'Control+k');
  const palette = user.page().getByRole('dialog', { name: 'Search' });
  const options = palette.getByRole('listbox', { name: 'Results' });
  const first = options.getByRole('option').first();
  // Any list is longer than this.
  await options.evaluate((element: HTMLElement) => (element.style.maxHeight = '2rem'));
  await palette.getByRole('combobox').fill('may');
  await expect.poll(() => first.getAttribute('aria-label')).toContain('Maya Okafor');
  await options.evaluate((element) => element.scrollTo({ top: 40 }));
  expect(await options.evaluate(readTop)).toBe(40);
  await palette.getByRole('combobox').fill('maya');
  await expect.poll(() => options.evaluate(readTop)).toBe(0);
});
