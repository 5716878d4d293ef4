import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type axe from 'axe-core';
import type { AxeResults } from 'axe-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { toRoomPage } from '#tests/support/page-room.ts';
import { toShellPage } from '#tests/support/page-shell.ts';
import { type ServerProcess, startServer } from '#tests/support/server-process.ts';
import { createUser, DESKTOP, PHONE, PRODUCER, type User } from '#tests/support/user.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** WCAG 2.2, A and AA. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const NARROW = { width: 320, height: 640 };

let server: ServerProcess;
let user: User;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
  await user.page().emulateMedia({ reducedMotion: 'reduce' });
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
afterEach(async () => {
  await user.goOnline();
  expect(user.problems.take()).toEqual([]);
});

/** What axe finds on the page, as it is in every view. */
const findViolations = async (): Promise<readonly string[]> => {
  await user.page().evaluate(AXE);
  const { violations } = await user.page().evaluate<AxeResults, readonly string[]>(
    (values) =>
      (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
        runOnly: { type: 'tag', values: [...values] },
      }),
    TAGS,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  );
};

const VIEWS = [
  ['desktop, light', DESKTOP, 'light'],
  ['desktop, dark', DESKTOP, 'dark'],
  ['phone, light', PHONE, 'light'],
  ['phone, dark', PHONE, 'dark'],
  ['320 px wide', NARROW, 'light'],
] as const;

const inAllViews = async (
  settle: () => Promise<void>,
): Promise<Record<string, readonly string[]>> => {
  const found: Record<string, readonly string[]> = {};
  for (const [name, size, colorScheme] of VIEWS) {
    await user.page().setViewportSize(size);
    await user.page().emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await settle();
    const wide = await user
      .page()
      .evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    const faults = await findViolations();
    found[name] = wide > 0 ? [...faults, `wider than the window by ${wide} px`] : faults;
  }
  return found;
};

const CLEAN = Object.fromEntries(VIEWS.map(([name]) => [name, []]));

test('the sign-in page, with its complaints', async () => {
  await user.visit('/login');
  const page = user.page();
  await page.getByRole('textbox', { name: 'Email' }).fill('nobody');
  await page.getByLabel('Password', { exact: true }).fill('1');
  await page.getByLabel('Password', { exact: true }).blur();
  const complaint = page.getByText('Must be at least 5 characters');
  expect(await inAllViews(() => complaint.waitFor())).toEqual(CLEAN);
});

test('the registration page', async () => {
  await user.visit('/register');
  const heading = user.page().getByRole('heading', { level: 1 });
  expect(await inAllViews(() => heading.waitFor())).toEqual(CLEAN);
});

describe('signed in', () => {
  beforeAll(async () => {
    await user.page().setViewportSize(DESKTOP);
    await user.signIn(PRODUCER);
    await toShellPage(user.page()).main.waitFor();
  });

  test.each(['/', '/dashboard', '/videos', '/deliveries', '/settings', '/no-such-page'])(
    '%s',
    async (path) => {
      await user.visit(path);
      const heading = user.page().getByRole('main').getByRole('heading').first();
      expect(await inAllViews(() => heading.waitFor())).toEqual(CLEAN);
    },
  );

  test.each(['/chat', '/chat/c_001', '/chat/c_999'])('%s', async (path) => {
    await user.visit(path);
    const something = user.page().getByRole('main').getByRole('link').first();
    expect(await inAllViews(() => something.waitFor())).toEqual(CLEAN);
  });

  test('a room', async () => {
    await user.visit('/chat/c_001/general');
    const message = toRoomPage(user.page()).region.locator('[data-message-id]').first();
    expect(await inAllViews(() => message.waitFor())).toEqual(CLEAN);
  });

  test('an empty room', async () => {
    await user.visit('/chat/c_014/producers');
    const { composer } = toRoomPage(user.page());
    expect(await inAllViews(() => composer.waitFor())).toEqual(CLEAN);
  });

  test('a room offline, with a message that waits', async () => {
    user.problems.allow(/ERR_INTERNET_DISCONNECTED|CLIENT_FETCH_ERROR/);
    await user.visit('/chat/c_001/general');
    const room = toRoomPage(user.page());
    await room.composer.waitFor();
    await user.goOffline();
    await room.send('Waits for the network.');
    expect(await inAllViews(() => room.message('Waits for the network.').waitFor())).toEqual(CLEAN);
  });

  test('a message that failed, with its toast', async () => {
    user.problems.allow(/400/);
    await user.visit('/chat/c_002/general');
    const room = toRoomPage(user.page());
    await room.composer.waitFor();
    await user
      .page()
      .route('**/api/realtime/publish', (route) =>
        route.fulfill({ status: 400, contentType: 'application/json', body: '{}' }),
      );
    await room.send('Refused.');
    const retry = room.message('Refused.').getByRole('button', { name: 'Retry' });
    expect(await inAllViews(() => retry.waitFor())).toEqual(CLEAN);
  });

  test('the search, the user menu and the question at signing out', async () => {
    const page = user.page();
    await page.setViewportSize(DESKTOP);
    await user.visit('/chat/c_003/general');
    await toRoomPage(page).composer.waitFor();
    await page.getByRole('button', { name: 'Search clients' }).click();
    await page.getByRole('searchbox', { name: 'Search clients' }).fill('zz');
    expect(await findViolations()).toEqual([]);
    await toRoomPage(page).composer.fill('Not sent yet.');
    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).waitFor();
    expect(await findViolations()).toEqual([]);
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign out?' });
    expect(await inAllViews(() => dialog.waitFor())).toEqual(CLEAN);
    await page.getByRole('button', { name: 'Cancel' }).click();
  });

  test('the palette and the list of shortcuts', async () => {
    const page = user.page();
    await page.setViewportSize(DESKTOP);
    await user.visit('/chat/c_003/general');
    await toRoomPage(page).composer.waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('team');
    const option = page.getByRole('option').first();
    expect(await inAllViews(() => option.waitFor())).toEqual(CLEAN);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+/');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    expect(await inAllViews(() => dialog.waitFor())).toEqual(CLEAN);
    await page.keyboard.press('Escape');
  });

  test('the navigation of phones', async () => {
    const page = user.page();
    await page.setViewportSize(PHONE);
    await user.visit('/chat');
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await page.getByRole('dialog', { name: 'Navigation' }).waitFor();
    expect(await findViolations()).toEqual([]);
  });
});
