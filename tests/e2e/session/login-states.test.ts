import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { holdRequests } from '#tests/support/browser/hold-requests.ts';
import {
  createUser,
  PRODUCER,
  submitSignIn,
  type User,
  waitForWorker,
} from '#tests/support/browser/user.ts';

const CALLBACK = '**/api/auth/callback/credentials';

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
  await user.visit('/login');
  await waitForWorker(user.page());
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

const alert = () => user.page().getByRole('alert');
const signInButton = () => user.page().getByRole('button', { name: 'Sign In' });

test(
  'the button is idle, shows progress while signing in, and then continues',
  { tags: ['S2.6', 'S4.5'] },
  async () => {
    const { release } = await holdRequests(user.page(), CALLBACK);
    expect(await signInButton().getAttribute('aria-disabled')).toBe(null);
    await submitSignIn(user.page(), PRODUCER);
    await user.page().locator('button[type="submit"][aria-disabled]').waitFor();
    release();
    await expect.poll(() => user.path()).toBe('/');
  },
);

test(
  'the posted form contains the token, the return address and both fields',
  { tags: ['S1.6', 'S3.7', 'S7.6'] },
  async () => {
    const posted = user.page().waitForRequest((one) => one.url().endsWith('/callback/credentials'));
    await submitSignIn(user.page(), PRODUCER);
    const request = await posted;
    expect(request.headers()['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
    const fields = Object.fromEntries(new URLSearchParams(request.postData() ?? ''));
    expect(fields).toEqual({
      email: PRODUCER.email,
      password: PRODUCER.password,
      callbackUrl: `${server.address}/`,
      csrfToken: expect.stringMatching(/.{20,}/),
      json: 'true',
    });
    const response = await request.response();
    expect(await response?.json()).toEqual({ url: `${server.address}/` });
  },
);

test.each([
  [
    'its words when they are a string',
    { error: 'The desk is closed today.' },
    'The desk is closed today.',
  ],
  ['the default when they are not', { error: { code: 7 } }, 'An error occurred!'],
  ['the default when there are none', {}, 'An error occurred!'],
])(
  'a failing server: the banner shows %s',
  { tags: ['S8.3', 'S8.4'] },
  async (_what, body, text) => {
    user.problems.allow(/500/);
    await user.page().route(CALLBACK, (route) =>
      route.fulfill({
        status: 500,
        contentType: 'application/json',
        body: JSON.stringify(body),
      }),
    );
    await submitSignIn(user.page(), PRODUCER);
    await alert().waitFor();
    expect(await alert().locator('p').allInnerTexts()).toEqual(['Error occurred!', text]);
  },
);

test('the card stays in place when a message makes it taller', async () => {
  user.problems.allow(/401/);
  const card = user.page().getByRole('main').locator('> div');
  const top = async () => (await card.boundingBox())?.y;
  await signInButton().waitFor();
  const before = await top();
  const email = user.page().getByRole('textbox', { name: 'Email' });
  await email.fill('nobody');
  await email.blur();
  await user.page().getByText('Enter a valid email').waitFor();
  expect(await top()).toBe(before);
  await submitSignIn(user.page(), { ...PRODUCER, password: 'not this one' });
  await alert().waitFor();
  expect(await top()).toBe(before);
});

test('typing can begin at once, also after a refusal', async () => {
  user.problems.allow(/401/);
  const isFocused = (name: string) =>
    user
      .page()
      .getByLabel(name, { exact: true })
      .evaluate((field) => field === document.activeElement);
  await expect.poll(() => isFocused('Email')).toBe(true);
  await submitSignIn(user.page(), { ...PRODUCER, password: 'not this one' });
  await alert().waitFor();
  await expect.poll(() => isFocused('Password')).toBe(true);
  await user.page().keyboard.type(PRODUCER.password);
  expect(await user.page().getByLabel('Password', { exact: true }).inputValue()).toBe(
    PRODUCER.password,
  );
});

test('a browser that drops the session cookie gets instructions, and can retry', async () => {
  await user.page().route('**/api/auth/session', (route) => route.fulfill({ json: {} }));
  await submitSignIn(user.page(), PRODUCER);
  await alert().getByText('Allow cookies for this site, then sign in again.').waitFor();
  await user.page().unroute('**/api/auth/session');
  await signInButton().click();
  await expect.poll(() => user.path()).toBe('/');
});

test('the error in the returned url decides', { tags: ['S3.5', 'S7.10', 'S8.7'] }, async () => {
  await user.page().route(CALLBACK, (route) =>
    route.fulfill({
      contentType: 'application/json',
      body: JSON.stringify({ url: `${server.address}/api/auth/error?error=MissingSecretError` }),
    }),
  );
  await submitSignIn(user.page(), PRODUCER);
  await alert().waitFor();
  expect(user.path()).toBe('/login');
});

test(
  'the return address is the returned url, of this origin only',
  { tags: ['S2.8'] },
  async () => {
    await user.page().route(CALLBACK, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { url: `${server.address}/deliveries` } });
    });
    await submitSignIn(user.page(), PRODUCER);
    await user.page().getByRole('heading', { name: 'Deliveries' }).waitFor();
    expect(user.page().url()).toBe(`${server.address}/deliveries`);
  },
);

test('outside demo and development the form is empty', { tags: ['S2.9'] }, async () => {
  const plain = await startServer({ DEMO: 'false' });
  try {
    await user.page().goto(`${plain.address}/login`);
    await signInButton().waitFor();
    await waitForWorker(user.page());
    await user.page().waitForLoadState('networkidle');
    expect(await user.page().getByRole('textbox', { name: 'Email' }).inputValue()).toBe('');
    expect(await user.page().getByLabel('Password', { exact: true }).inputValue()).toBe('');
  } finally {
    await plain.dispose();
  }
});

test('a form that was opened offline has the demo account once the network is back', async () => {
  user.problems.allow(/ERR_INTERNET_DISCONNECTED|Failed to load resource|CLIENT_FETCH_ERROR/);
  const page = user.page();
  await waitForWorker(page);
  await user.goOffline();
  const failed = page.waitForEvent('requestfailed', (one) => one.url().endsWith('/api/config'));
  await user.visit('/login');
  await failed;
  const email = page.getByRole('textbox', { name: 'Email' });
  expect(await email.inputValue()).toBe('');
  await user.goOnline();
  await expect.poll(() => email.inputValue()).toBe(PRODUCER.email);
});
