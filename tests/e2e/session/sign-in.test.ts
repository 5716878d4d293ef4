import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, PRODUCER, submitSignIn, type User } from '#tests/support/browser/user.ts';

let server: ServerProcess;
let user: User;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.dispose());

const arrive = async (path: string): Promise<void> => {
  user = await createUser(server);
  await user.visit(path);
};
afterEach(async () => {
  const problems = user.problems.take();
  await user.dispose();
  expect(problems).toEqual([]);
});

const alertText = (): Promise<string> => user.page().getByRole('alert').innerText();

test(
  'a page that requires a session redirects to the form and back',
  { tags: ['S2.17', 'S6.2'] },
  async () => {
    await arrive('/chat/c_001/general');
    await user.page().waitForURL((url) => url.pathname === '/login');
    const query = new URL(user.page().url()).searchParams;
    expect(query.get('error')).toBe('SessionRequired');
    expect(query.get('callbackUrl')).toBe(`${server.address}/chat/c_001/general`);

    await submitSignIn(user.page(), PRODUCER);
    await user.page().waitForURL(`${server.address}/chat/c_001/general`);
    await user.page().getByRole('heading', { name: 'Maya Rooms' }).waitFor();
  },
);

test('without a return address, sign-in continues to Home', { tags: ['S2.8'] }, async () => {
  await arrive('/login');
  await submitSignIn(user.page(), PRODUCER);
  await expect.poll(() => user.path()).toBe('/');
  await user.page().getByRole('navigation', { name: 'Main' }).waitFor();
});

test('a return address of another origin is not followed', { tags: ['S2.8'] }, async () => {
  await arrive('/login?callbackUrl=https%3A%2F%2Fexample.org%2F');
  await submitSignIn(user.page(), PRODUCER);
  await expect.poll(() => user.page().url()).toBe(`${server.address}/`);
});

test('the demo form is prefilled with the first account', { tags: ['S2.9'] }, async () => {
  await arrive('/login');
  const email = user.page().getByRole('textbox', { name: 'Email' });
  await expect.poll(() => email.inputValue()).toBe(PRODUCER.email);
});

test(
  'fields are validated once touched, with the texts of the spec',
  { tags: ['S5.1', 'S5.2', 'S9.5'] },
  async () => {
    await arrive('/login');
    const page = user.page();
    const email = page.getByRole('textbox', { name: 'Email' });
    const password = page.getByLabel('Password', { exact: true });
    const complaints = page.getByText(/^(?:Required|Enter a valid email|Must be at least .*)$/);
    // The demo account is filled in once the settings have loaded.
    await expect.poll(() => email.inputValue()).toBe(PRODUCER.email);
    await email.fill('');
    expect(await complaints.count()).toBe(0);
    await email.blur();
    await page.getByText('Required', { exact: true }).waitFor();
    await email.fill('nobody');
    await page.getByText('Enter a valid email', { exact: true }).waitFor();
    await password.fill('1234');
    await password.blur();
    await page.getByText('Must be at least 5 characters', { exact: true }).waitFor();
    await email.fill('nobody@example.com');
    await password.fill('12345');
    await expect.poll(() => complaints.count()).toBe(0);
    await password.fill('');
    await page.getByText('Required', { exact: true }).waitFor();
    await expect.poll(() => password.getAttribute('aria-invalid')).toBe('true');
  },
);

test.each([
  ['a wrong password', { email: PRODUCER.email, password: 'not-the-password' }],
  ['an unknown address', { email: 'nobody@example.com', password: 'producer' }],
])(
  '%s shows the banner and keeps the fields',
  { tags: ['S4.5', 'S8.6'] },
  async (_what, account) => {
    await arrive('/login');
    user.problems.allow(/401/);
    await submitSignIn(user.page(), account);
    await expect.poll(alertText).toContain('Error occurred!');
    const email = user.page().getByRole('textbox', { name: 'Email' });
    expect(await email.inputValue()).toBe(account.email);
    expect(new URL(user.page().url()).pathname).toBe('/login');

    await submitSignIn(user.page(), PRODUCER);
    await user.page().waitForURL(`${server.address}/`);
  },
);

test('the header offers the other form', { tags: ['S2.4', 'S2.7'] }, async () => {
  await arrive('/login');
  await user.page().getByRole('link', { name: 'Register' }).click();
  await user.page().waitForURL(`${server.address}/register`);
  await user.page().getByRole('link', { name: 'Login' }).click();
  await expect.poll(() => user.path()).toBe('/login');
});

test('the way through the other form keeps the page to return to', { tags: ['S2.8'] }, async () => {
  await arrive('/chat/c_003/general');
  await user.page().getByRole('link', { name: 'Register' }).click();
  await user.page().getByRole('link', { name: 'Sign in' }).click();
  await submitSignIn(user.page(), PRODUCER);
  await expect.poll(() => user.path()).toBe('/chat/c_003/general');
});
