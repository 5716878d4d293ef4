import { afterAll, beforeAll, expect, test } from 'vitest';

import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { openTerminal, type Terminal } from '#tests/support/process/terminal.ts';

let server: ServerProcess;
let user: User;
let client: Terminal;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
  client = await openTerminal(server, 'c_003', 'producers');
});
afterAll(async () => {
  await client.close();
  await user.dispose();
  await server.dispose();
});

const coverage = () => user.page().getByRole('status', { name: 'Coverage' });
const waiting = () => user.page().getByRole('region', { name: 'Needs reply' });

declare global {
  /** The text of the status line, and the rooms below it, after every change. */
  var seen: { readonly known: string; readonly rooms: readonly string[] }[] | undefined;
}

/** Runs in the page. */
const recordPlaces = (): void => {
  globalThis.seen = [];
  const look = (): void => {
    const known = document.querySelector('[aria-label="Coverage"]')?.textContent ?? '';
    const links = [...document.querySelectorAll<HTMLElement>('[data-entry]')];
    const rooms = links.map((link) => link.dataset['entry'] ?? '');
    globalThis.seen?.push({ known, rooms });
  };
  look();
  new MutationObserver(look).observe(document.body, {
    childList: true,
    subtree: true,
    characterData: true,
  });
};

test('entries keep their places until all missed messages are there', async () => {
  user.problems.allow(NETWORK_AWAY);
  await user.signIn(PRODUCER);
  await expect.poll(() => coverage().innerText()).toBe('Up to date.');
  await waiting()
    .getByRole('button', { name: /^Show all/ })
    .click();
  await user.goOffline();
  await expect.poll(() => coverage().innerText()).toMatch(/^Offline/);
  client.write('While you were away.');
  await client.waitForLine('While you were away.');
  await user.page().evaluate(recordPlaces);
  await user.goOnline();
  await waiting().getByRole('link').filter({ hasText: 'While you were away.' }).waitFor();
  await expect.poll(() => coverage().innerText()).toBe('Up to date.');
  const seen = (await user.page().evaluate(() => globalThis.seen)) ?? [];
  const away = seen.filter(({ known }) => known !== 'Up to date.');
  expect(away.length).toBeGreaterThan(0);
  expect(new Set(away.map(({ rooms }) => rooms.join(' '))).size).toBe(1);
  expect(away[0]?.rooms).not.toContain('waiting:c_003/producers');
  expect(user.problems.take()).toEqual([]);
});
