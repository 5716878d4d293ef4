import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { holdRequests } from '#tests/support/browser/hold-requests.ts';
import { createUser, PRODUCER, TEAM, type User } from '#tests/support/browser/user.ts';
import { hasStoreFlag } from '#tests/support/page/indexed-db-dump.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';

const ROOM = '/chat/c_001/general';
const SCRIPTS = '**/assets/*.js';

let server: ServerProcess;
let user: User;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.dispose());
beforeEach(async () => {
  user = await createUser(server);
});
afterEach(async () => {
  const problems = user.problems.take();
  await user.dispose();
  // A difference between the document and the page would be reported here.
  expect(problems).toEqual([]);
});

/** Opens a path without waiting for the code of its page. */
const visitEarly = async (path: string): Promise<void> => {
  await user.page().goto(server.address + path, { waitUntil: 'commit' });
};

const findForm = (page: Page) => ({
  email: page.getByRole('textbox', { name: 'Email' }),
  password: page.getByRole('textbox', { name: 'Password' }),
  submit: page.getByRole('button', { name: 'Sign In' }),
});

test('the form is there before any code, and keeps what was typed into it', async () => {
  const page = user.page();
  const { release } = await holdRequests(page, SCRIPTS);
  await visitEarly(ROOM);
  // Its style sheets are enough to paint it.
  await page.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint').length === 1,
  );
  const { email, password, submit } = findForm(page);
  await email.fill(TEAM.email);
  await password.fill(TEAM.password);
  // A screen reader announces toasts only in a status that it knows.
  expect(await page.locator('#root > [role=status]').count()).toBe(1);
  // Without code it could only leave the page.
  expect(await submit.isDisabled()).toBe(true);
  expect(await page.locator('form').getAttribute('method')).toBe('post');
  const field = await email.elementHandle();
  const place = await submit.boundingBox();
  release();

  await expect.poll(() => submit.isEnabled()).toBe(true);
  expect(await field?.evaluate((element) => element.isConnected)).toBe(true);
  expect(await submit.boundingBox()).toEqual(place);
  expect(await password.evaluate((element) => element === document.activeElement)).toBe(true);
  const query = new URL(page.url()).searchParams;
  expect(user.path()).toBe('/login');
  expect(query.get('error')).toBe('SessionRequired');
  expect(query.get('callbackUrl')).toBe(`${server.address}${ROOM}`);
  await page.getByText('Sign in to continue to your page.').waitFor();
  // The public settings, which prefill an empty form, have arrived with this answer.
  await page.getByRole('link', { name: 'Register' }).waitFor();
  expect([await email.inputValue(), await password.inputValue()]).toEqual([
    TEAM.email,
    TEAM.password,
  ]);
  await submit.click();
  await toRoomPage(page).composer.waitFor();
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByText(TEAM.email).waitFor();
});

test('text in one field keeps the demo account out of both', async () => {
  const page = user.page();
  const { release } = await holdRequests(page, SCRIPTS);
  await visitEarly('/login');
  const { email, password, submit } = findForm(page);
  await email.fill('some');
  const settings = page.waitForResponse('**/api/config');
  release();
  await (await settings).finished();
  await expect.poll(() => submit.isEnabled()).toBe(true);
  await submit.click();
  await page.getByText('Required').waitFor();
  expect([await email.inputValue(), await password.inputValue()]).toEqual(['some', '']);
});

test('an empty form is still prefilled, and its link keeps the query', async () => {
  const page = user.page();
  await user.visit('/login?callbackUrl=%2Fvideos');
  await expect.poll(() => findForm(page).email.inputValue()).toBe(PRODUCER.email);
  const link = page.getByRole('link', { name: 'Register' });
  expect(await link.getAttribute('href')).toBe('/register?callbackUrl=%2Fvideos');
});

test('the demo account is complete after a return to the form', async () => {
  const page = user.page();
  // A worker would serve another document.
  await page.route('**/sw.js', (route) => route.abort());
  await user.visit('/login');
  const { email, password } = findForm(page);
  await expect.poll(() => password.inputValue()).toBe(PRODUCER.password);
  await page.goto('about:blank');
  await page.goBack();
  await expect.poll(() => password.inputValue()).toBe(PRODUCER.password);
  expect(await email.inputValue()).toBe(PRODUCER.email);
});

test('React adopts the form with every attribute that it would have rendered', async () => {
  const page = user.page();
  /** The elements with their attributes, without the ids, which React makes in two ways. */
  const listElements = (): Promise<readonly string[]> =>
    page.evaluate(() =>
      [...document.querySelectorAll('#root > :first-child *')].map((element) => {
        const attributes = [...element.attributes].map(({ name, value }) => `${name}=${value}`);
        return [element.tagName, ...attributes.toSorted()].join(' ').replaceAll(/_r_?\w*_/gi, 'id');
      }),
    );
  const untilPrefilled = async (): Promise<void> => {
    await expect.poll(() => findForm(page).password.inputValue()).toBe(PRODUCER.password);
  };
  await user.visit('/login');
  await untilPrefilled();
  const adopted = await listElements();
  await page.getByRole('link', { name: 'Register' }).click();
  await page.getByRole('link', { name: 'Login' }).click();
  await untilPrefilled();
  expect(await listElements()).toEqual(adopted);
});

test('the registration page has no form in its document', async () => {
  const page = user.page();
  const { release } = await holdRequests(page, SCRIPTS);
  await visitEarly('/Register');
  await page.locator('#root').waitFor({ state: 'attached' });
  expect(await page.locator('#root > *').count()).toBe(0);
  release();
  await page.getByRole('heading', { name: 'Get an account' }).waitFor();
});

test('a part of the code that fails to load replaces the form by an offer to reload, which works', async () => {
  const page = user.page();
  await page.route('**/assets/auth-*.js', (route) => route.abort());
  await user.visit('/login');
  await page.getByRole('button', { name: 'Reload the page' }).waitFor();
  await page.unroute('**/assets/auth-*.js');
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await expect.poll(() => findForm(page).submit.isEnabled()).toBe(true);
  expect(user.problems.take()).not.toEqual([]);
});

test('a device with an open store shows its room, whatever the document contains', async () => {
  const page = user.page();
  await user.signInByForm(PRODUCER, ROOM);
  await toRoomPage(page).composer.waitFor();
  await page.waitForFunction(hasStoreFlag);
  await page.context().clearCookies();
  await page.evaluate(async () => (await navigator.serviceWorker.ready).unregister());
  const { release } = await holdRequests(page, '**/api/auth/session');
  await page.addInitScript(() => {
    addEventListener('replaceState', () => sessionStorage.setItem('left', location.href));
  });
  const document = page.waitForResponse((answer) => answer.request().isNavigationRequest());
  await page.reload();
  expect(await (await document).text()).toContain('<form');
  await toRoomPage(page).composer.waitFor();
  expect(user.path()).toBe(ROOM);
  // Not by way of the sign-in page either.
  expect(await page.evaluate(() => sessionStorage.getItem('left'))).toBeNull();
  release();
  await page.waitForURL((url) => url.pathname === '/login');
  for (const problem of user.problems.take()) expect(problem).toContain('401 (Unauthorized)');
});
