import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { toShellPage } from '#tests/support/page/shell.ts';
import { type FaultyServer, startFaultyServer } from '#tests/support/scenes/faulty-server.ts';

let backend: FaultyServer;
let user: User;

beforeAll(async () => {
  backend = await startFaultyServer();
  user = await createUser(backend.server);
  await user.signIn(PRODUCER, '/dashboard');
});
afterAll(async () => {
  await user.dispose();
  await backend.dispose();
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

const coverage = () => user.page().getByRole('status', { name: 'Coverage' });
const period = (name: string) => user.page().getByRole('radio', { name });

test('a chosen period keeps the focus, so that arrow keys still work', async () => {
  await user.page().getByRole('table', { name: 'Clients' }).waitFor();
  await period('7 days').focus();
  await user.page().keyboard.press('ArrowRight');
  await expect.poll(() => coverage().innerText()).toContain('the others have older messages');
  await period('30 days').and(user.page().locator(':focus')).waitFor();
  // The trends also need the period before it.
  expect(await coverage().innerText()).toMatch(
    /^Counts the last 30 days and the 30 days before in/,
  );
});

test('a screen reader announces once, not for every room, that older messages are loaded', async () => {
  await period('30 days').check();
  const load = user.page().getByRole('button', { name: 'Load older messages' });
  await load.waitFor();
  await coverage().evaluate((status) => {
    const announced = new Set<string>();
    const toAnnounced = (node: Node): string => {
      if (node instanceof Element && node.getAttribute('aria-hidden') === 'true') return '';
      if (node instanceof Text) return node.data;
      return [...node.childNodes].map((child) => toAnnounced(child)).join('');
    };
    const note = (): void => {
      announced.add(toAnnounced(status));
      document.body.dataset['announced'] = [...announced].join('|');
    };
    new MutationObserver(note).observe(status, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  await load.press('Enter');
  await expect
    .poll(() => coverage().innerText())
    .toMatch(/^Counts the last .+ days before in 48 rooms\./);
  // Its button is gone, but the focus stays in its place.
  await coverage().and(user.page().locator(':focus')).waitFor();
  const announced = await user.page().evaluate(() => document.body.dataset['announced'] ?? '');
  expect(announced.split('|').filter((text) => text.startsWith('Loading'))).toEqual([
    'Loading older messages',
  ]);
});

test('while the server is unreachable, the figures show the time up to which they count', async () => {
  user.problems.allow(NETWORK_AWAY);
  backend.proxy.break(/\/api\//, { kind: 'refuse' });
  // The open stream would continue.
  await user.visit('/dashboard');
  await toShellPage(user.page()).connection.filter({ hasText: "Can't reach the server" }).waitFor();
  await expect.poll(() => coverage().innerText()).toContain('Messages after');
  backend.proxy.heal();
  await expect.poll(() => coverage().innerText()).not.toContain('Messages after');
});
