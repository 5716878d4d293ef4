import { readFile } from 'node:fs/promises';

import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { createUser, DESKTOP, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { readIndexedDb } from '#tests/support/page/indexed-db-dump.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { toShellPage } from '#tests/support/page/shell.ts';
import { type FaultyServer, startFaultyServer } from '#tests/support/scenes/faulty-server.ts';

const CLIENTS = Array.from({ length: 16 }, (_, n) => `c_${String(n + 1).padStart(3, '0')}`);
const ROOMS = CLIENTS.flatMap((id) =>
  ['team', 'general', 'producers'].map((room) => `chat.${id}.${room}`),
);
const HISTORY = /\/realtime\/history/;
const COMPLETE = /^Counts the last .+ days before in 48 rooms\./;

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
const button = (name: string) => user.page().getByRole('button', { name });
const period = (name: string) => user.page().getByRole('radio', { name });

/** The figure of a tile. */
const readTotal = async (title: string): Promise<number> => {
  const tile = user
    .page()
    .locator('dl > div')
    .filter({ has: user.page().getByText(title, { exact: true }) });
  const text = await tile.locator('dd').first().innerText();
  return Number(text.replaceAll(',', ''));
};
const readCells = async (): Promise<readonly (readonly string[])[]> => {
  const rows = await user.page().getByRole('table', { name: 'Clients' }).locator('tbody tr').all();
  return Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()));
};
const countLog = async (): Promise<number> => {
  const logs = await Promise.all(ROOMS.map((channel) => backend.readLog(channel)));
  return logs.flat().length;
};
const sumColumn = async (column: number): Promise<number> => {
  const cells = await readCells();
  return cells.reduce((sum, row) => sum + Number(row[column]), 0);
};

test('loading older messages can be stopped and resumed, and shows the coverage', async () => {
  await period('7 days').press('ArrowRight');
  expect(await period('30 days').isChecked()).toBe(true);
  // The focus stays for another choice.
  await period('30 days').and(user.page().locator(':focus')).waitFor();
  await expect.poll(() => coverage().innerText()).toContain('the others have older messages');
  backend.proxy.break(HISTORY, { kind: 'mute' });
  await button('Load older messages').click();
  await user.page().getByRole('progressbar', { name: 'Rooms loaded' }).waitFor();
  await button('Stop').click();
  backend.proxy.heal();
  await button('Load older messages').click();
  const readCoverage = async (): Promise<string> => {
    // A connection that the fault left behind may fail once more.
    if ((await button('Try again').count()) > 0) await button('Try again').click();
    return coverage().innerText();
  };
  await expect.poll(readCoverage).toMatch(COMPLETE);
  expect(await button('Load older messages').count()).toBe(0);
});

test('the figures match the log, and follow new messages', async () => {
  const readMessages = async () => (await readTotal('Received')) + (await readTotal('Sent'));
  const log = await countLog();
  await expect.poll(readMessages).toBe(log);
  expect((await sumColumn(1)) + (await sumColumn(2))).toBe(log);
  const [received, sent] = [await readTotal('Received'), await readTotal('Sent')];
  const visitor = { publisher: 'client:c_003', clientName: 'Desmond Hargreaves' };
  await backend.writeAs(visitor, 'chat.c_003.team', 'Is the goal up?');
  await expect.poll(() => readTotal('Received')).toBe(received + 1);
  await backend.write('chat.c_003.team', ['It is.']);
  await expect.poll(() => readTotal('Sent')).toBe(sent + 1);
});

test('the table sorts by any column, and is exported in that order', async () => {
  await user.page().getByRole('columnheader', { name: 'Client' }).getByRole('button').click();
  const cells = await readCells();
  const names = cells.map(([name]) => name ?? '');
  const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
  expect(names).toEqual(names.toSorted(collator.compare));
  // One client has no messages.
  expect(names).toHaveLength(CLIENTS.length - 1);
  const download = user.page().waitForEvent('download');
  await button('Export CSV').click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^replay-desk-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/);
  const text = await readFile(await file.path(), 'utf8');
  const lines = text.trimEnd().split('\r\n').slice(1);
  const exported = lines.map((line) => line.split(',').slice(0, 3).join(','));
  expect(exported).toEqual(cells.map((row) => row.slice(0, 3).join(',')));
});

test.each([1440, 1024, 900, 600])('the tiles fill their lines, %d px wide', async (width) => {
  await user.page().setViewportSize({ width, height: 900 });
  const tiles = user.page().locator('dl[aria-label="Totals"] > div');
  const end = async (part: Locator) => {
    const { x, width } = (await part.boundingBox())!;
    return x + width;
  };
  await expect.poll(() => tiles.count()).toBe(5);
  expect(await end(tiles.last())).toBeCloseTo(await end(tiles.locator('..').first()), 1);
  await user.page().setViewportSize(DESKTOP);
});

/** Runs in the page: how far a chart exceeds its box on a page that is narrower than the window. */
const readExcess = (chart: Element): number => {
  const box = chart.parentElement!;
  box.style.width = '200px';
  const excess = chart.getBoundingClientRect().right - box.getBoundingClientRect().right;
  box.style.width = '';
  return excess;
};

test('a chart fits on paper', async () => {
  const chart = user.page().getByRole('region', { name: 'Messages per day' }).locator('svg');
  expect(await chart.evaluate(readExcess)).toBeGreaterThan(0);
  await user.page().emulateMedia({ media: 'print' });
  expect(await chart.evaluate(readExcess)).toBeCloseTo(0, 0);
  await user.page().emulateMedia({ media: 'screen' });
});

test('business hours and the period are remembered, even without a network', async () => {
  await user.page().getByRole('switch', { name: 'Count business hours only' }).check();
  await expect.poll(() => coverage().innerText()).toContain('Times count business hours only.');
  // A working day does not have 24 hours.
  const waiting = async () => (await readCells()).map((row) => row[5]).join();
  await expect.poll(waiting).toMatch(/\d\d h/);
  expect(await waiting()).not.toMatch(/\d d/);
  await user.page().getByRole('checkbox', { name: 'Saturday' }).check();
  // A page that closes before it has stored a choice may lose it.
  const readStored = async (): Promise<string> => (await readIndexedDb(user.page())).text;
  await expect.poll(readStored).toContain('540.1080.123456');
  const received = await readTotal('Received');
  user.problems.allow(NETWORK_AWAY);
  await user.goOffline();
  await toShellPage(user.page()).connection.filter({ hasText: 'Offline' }).waitFor();
  await user.page().reload();
  await expect.poll(() => readTotal('Received')).toBe(received);
  expect(await period('30 days').isChecked()).toBe(true);
  expect(await user.page().getByRole('checkbox', { name: 'Saturday' }).isChecked()).toBe(true);
  await expect.poll(() => coverage().innerText()).toContain("You're offline. Messages after");
  await user.goOnline();
  await expect.poll(() => coverage().innerText()).not.toContain("You're offline");
});

test('business hours that end before they begin are refused, and one day always stays checked', async () => {
  const hours = user.page().getByRole('region', { name: 'Business hours' });
  const [from, to] = [hours.getByLabel('From'), hours.getByLabel('To')];
  await from.fill('18:00');
  await hours.getByText('Choose an end later than the start').waitFor();
  expect(await from.inputValue()).toBe('18:00');
  await to.fill('22:30');
  await hours.getByText('Choose an end later than the start').waitFor({ state: 'hidden' });
  const { main } = toShellPage(user.page());
  await main.getByRole('link', { name: 'Home' }).click();
  await from.waitFor({ state: 'hidden' });
  await main.getByRole('link', { name: 'Dashboard' }).click();
  await expect.poll(() => from.inputValue()).toBe('18:00');
  expect(await to.inputValue()).toBe('22:30');
  const days = hours.getByRole('checkbox');
  for (const day of await days.all()) {
    if ((await day.isChecked()) && (await day.isEnabled())) await day.uncheck();
  }
  await expect.poll(() => days.and(user.page().locator(':checked:disabled')).count()).toBe(1);
});

test('a client links to its rooms, and each chart has a table', async () => {
  await user.page().getByText('Show as a table').click();
  const days = user.page().getByRole('table', { name: 'Messages per day' });
  expect(await days.locator('tbody tr').count()).toBe(30);
  const hours = user.page().getByRole('table', { name: 'Messages received by weekday and hour' });
  const counts = await hours.locator('tbody td').allTextContents();
  expect(counts).toHaveLength(7 * 24);
  expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(await readTotal('Received'));
  await user.page().getByRole('link', { name: 'Maya Okafor' }).first().click();
  await user.page().waitForURL('**/chat/c_001**');
});
