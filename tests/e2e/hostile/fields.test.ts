import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { PASSWORD_LENGTH_MIN } from '#domain/limits.ts';
import { HOSTILE_TEXTS } from '#tests/support/hostile-texts.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { openByShortcut, toShellPage } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

let server: ServerProcess;
let user: User;

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
});
afterEach(async () => {
  const wasHit = await user.page().evaluate(() => 'hit' in globalThis);
  expect(user.problems.take()).toEqual([]);
  expect(wasHit).toBe(false);
});

/** How a single-line field changes a text. */
const toOneLine = (text: string): string => text.toWellFormed().replaceAll(/[\r\n]/g, ' ');

/** Clients whose names are hostile texts, as the product API may list them. */
const TEAMS = HOSTILE_TEXTS.map((text, index) => ({
  client_id: `c_${String(index).padStart(3, '0')}`,
  client: { first_name: text, last_name: `${index}` },
}));

const openAmongHostileNames = async (): Promise<void> => {
  // Most of them have no rooms.
  user.problems.allow(/410/);
  const body = JSON.stringify(TEAMS);
  await user
    .page()
    .route('**/api/proxy/staff/teams', (route) =>
      route.fulfill({ contentType: 'application/json', body }),
    );
  await user.signIn(PRODUCER, '/chat/c_001/team');
};

const clientLinks = () => toShellPage(user.page()).clients.getByRole('link');
/** How many clients are listed; only some of them are rendered. */
const countListed = () =>
  toShellPage(user.page())
    .clients.locator('[aria-setsize]')
    .first()
    .getAttribute('aria-setsize', { timeout: 1000 })
    .catch(() => null);

test('clients with hostile names are listed and found', async () => {
  await openAmongHostileNames();
  await expect.poll(countListed).toBe(String(TEAMS.length));
  await user.page().getByRole('button', { name: 'Search clients' }).click();
  const search = user.page().getByRole('searchbox', { name: 'Search clients' });
  for (const text of HOSTILE_TEXTS) {
    await search.fill(text);
    // A single-line field drops line breaks, and lone surrogates are replaced in transit.
    const isWhole = text.isWellFormed() && !/[\r\n]/.test(text);
    await expect.poll(async () => (await clientLinks().count()) > 0 || !isWhole).toBe(true);
  }
  await search.fill('');
  await expect.poll(countListed).toBe(String(TEAMS.length));
});

test('a name that changes the reading direction does not affect the texts around it', async () => {
  await user.page().route('**/api/proxy/staff/teams', (route) => {
    const client = { first_name: '\u202Egnp.exe', last_name: '\u2067Smith' };
    return route.fulfill({ json: [{ client_id: 'c_001', client }] });
  });
  await user.signIn(PRODUCER, '/chat/c_001/team');
  const { composer } = toRoomPage(user.page());
  await composer.waitFor();
  expect(await composer.getAttribute('placeholder')).toBe('Message gnp.exe · Team');
  await toShellPage(user.page()).client('gnp.exe Smith').waitFor();
  await expect.poll(() => user.page().title()).toContain('gnp.exe');
  expect(await user.page().title()).not.toMatch(/\p{Bidi_Control}/u);
});

test('the palette accepts every hostile text', async () => {
  await openAmongHostileNames();
  await toRoomPage(user.page()).composer.waitFor();
  await openByShortcut(user.page(), 'Control+k');
  const dialog = user.page().getByRole('dialog');
  const field = dialog.locator('input');
  for (const text of HOSTILE_TEXTS) {
    await field.fill(text);
    await expect.poll(() => field.inputValue()).toBe(toOneLine(text));
  }
  await user.page().keyboard.press('Escape');
});

test('a password reaches the server as typed, whatever it is', async () => {
  const received: (string | null)[] = [];
  await user.page().route('**/api/auth/callback/credentials', (route) => {
    received.push(new URLSearchParams(route.request().postData() ?? '').get('password'));
    const url = `${server.address}/login?error=CredentialsSignin`;
    return route.fulfill({
      status: 401,
      contentType: 'application/json',
      body: JSON.stringify({ error: 'Wrong email or password.', url }),
    });
  });
  user.problems.allow(/401/);
  await user.visit('/login');
  const email = user.page().getByRole('textbox', { name: 'Email' });
  const password = user.page().getByLabel('Password', { exact: true });
  const button = user.page().getByRole('button', { name: 'Sign In' });
  await expect.poll(() => email.inputValue()).not.toBe('');
  await email.fill('nobody@example.com');
  // The form refuses shorter ones.
  const texts = HOSTILE_TEXTS.filter((text) => Array.from(text).length >= PASSWORD_LENGTH_MIN);
  for (const [index, text] of texts.entries()) {
    await password.fill(text);
    await button.click();
    await expect.poll(() => received.length).toBe(index + 1);
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe(null);
  }
  expect(received).toEqual(texts.map(toOneLine));
});

test('an invalid email is reported, and nothing is sent', async () => {
  let sent = 0;
  await user.page().route('**/api/auth/callback/**', (route) => {
    sent += 1;
    return route.abort();
  });
  await user.visit('/login');
  const email = user.page().getByRole('textbox', { name: 'Email' });
  await expect.poll(() => email.inputValue()).not.toBe('');
  const complaint = user.page().getByText('Enter a valid email');
  for (const text of HOSTILE_TEXTS) {
    // Clears the error about the previous text.
    await email.fill('nobody@example.com');
    await complaint.waitFor({ state: 'detached' });
    await email.fill(text);
    await user.page().getByRole('button', { name: 'Sign In' }).click();
    await complaint.waitFor();
  }
  expect(sent).toBe(0);
});

test('addresses with hostile parts are unknown pages, and the page keeps working', async () => {
  await user.signIn(PRODUCER, '/chat/c_001/team');
  const menu = user.page().getByRole('button', { name: 'User menu' });
  for (const text of HOSTILE_TEXTS) {
    const part = encodeURIComponent(text.toWellFormed());
    for (const path of [`/chat/${part}/team`, `/chat/c_001/${part}`, `/${part}?${part}#${part}`]) {
      await user.page().evaluate((next) => {
        history.pushState(null, '', next);
        dispatchEvent(new PopStateEvent('popstate', { state: null }));
      }, path);
      await menu.waitFor();
    }
  }
  await user.visit('/chat/c_001/team');
  const messages = toRoomPage(user.page()).region.locator('[data-message-id]');
  await expect.poll(() => messages.count()).toBeGreaterThan(0);
});
