import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { waitUntilCurrent } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';

/** Everything that a page showed of its totals, and where its parts were. */
interface Shown {
  /** The figures of all tiles, separated by commas. */
  readonly totals: string[];
  /** The clients below them. */
  readonly clients: string[];
  /** The distance of each part from the top, CSS pixels. */
  readonly places: Record<string, number[]>;
}

declare global {
  var shown: Shown | undefined;
}

const COMPLETE = /^Counts the last .+ days before in 48 rooms\./;

let server: ServerProcess;
let user: User;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
  await user.signIn(PRODUCER);
  await waitUntilCurrent(user.page());
  // Everything is on this device, as on most days.
  await user.visit('/dashboard');
  await user.page().getByRole('button', { name: 'Load older messages' }).click();
  await user
    .page()
    .getByRole('status', { name: 'Coverage' })
    .filter({ hasText: COMPLETE })
    .waitFor();
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

/** Runs in the page: notes each state of the dashboard, however short. */
const watchShown = (): void => {
  const PARTS = {
    totals: 'dl[aria-label="Totals"]',
    days: '[aria-labelledby="day-chart-title"]',
    hours: '[aria-labelledby="busy-hours-title"]',
    clients: '[aria-labelledby="clients-title"]',
    settings: '[aria-label="Business hours"]',
  };
  const shown: Shown = { totals: [], clients: [], places: {} };
  globalThis.shown = shown;
  const note = <T>(list: T[], next: T): void => {
    if (list.at(-1) !== next) list.push(next);
  };
  new MutationObserver(() => {
    // A line about the connection may move the whole page.
    const page = document.querySelector('main')?.getBoundingClientRect().top ?? 0;
    const figures = [...document.querySelectorAll<HTMLElement>('dl[aria-label="Totals"] dt + dd')];
    if (figures.length > 0) note(shown.totals, figures.map((each) => each.innerText).join());
    for (const [name, selector] of Object.entries(PARTS)) {
      const part = document.querySelector<HTMLElement>(selector);
      if (part === null) continue;
      if (name === 'clients') note(shown.clients, part.innerText);
      note(
        (shown.places[name] ??= []),
        Math.round((part.getBoundingClientRect().top - page) * 100),
      );
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
};

test.each([
  ['a desktop', { width: 1440, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
])('shows no figure before the messages are counted, and moves nothing, on %s', async (_, size) => {
  await user.page().setViewportSize(size);
  await user.page().addInitScript(watchShown);
  await user.page().reload();
  await user.page().getByRole('table', { name: 'Clients' }).waitFor();
  const { totals, clients, places } = (await user.page().evaluate(() => globalThis.shown))!;
  const counted = totals.at(-1) ?? '';
  expect(counted).toMatch(/^[1-9].*,[1-9].*,[1-9].*,.*\d.*,.*\d/);
  expect(totals.filter((text) => text !== counted).join('')).not.toMatch(/[^\s,]/);
  expect(clients).toHaveLength(1);
  for (const tops of Object.values(places)) expect(tops).toHaveLength(1);
  expect(Object.keys(places)).toHaveLength(5);
});
