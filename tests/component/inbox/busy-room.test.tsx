import 'fake-indexeddb/auto';

import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { toRoomKey } from '#domain/rooms.ts';

import { openWithClients, wire, withoutLayout } from '../prepare-page.ts';

withoutLayout();

const ROOM = toRoomKey('c_001', 'general');
/** The lists change at most this often, ms. */
const PAUSE_MS = 200;

/** The ends of the pauses since the test began: none of them comes by itself. */
let pauses: (() => void)[];

beforeEach(() => {
  pauses = [];
  const { setTimeout: start } = globalThis;
  const hold = ((run: () => void, ms: number) =>
    ms === PAUSE_MS ? pauses.push(run) : start(run, ms)) as typeof setTimeout;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(hold);
});
afterEach(() => void vi.restoreAllMocks());

const endPause = (): void => act(() => pauses.shift()?.());

const describeRow = async (): Promise<string> => {
  const clients = screen.getByRole('navigation', { name: 'Clients' });
  const row = await within(clients).findByRole('link', { name: 'Maya Okafor' });
  return row.getAttribute('aria-description') ?? '';
};
const untilShown = (text: string) =>
  waitFor(async () => expect(await describeRow()).toContain(text));

const open = async () => {
  const page = await openWithClients('/chat/c_002/team');
  const write = (text: string): void =>
    act(() => void page.world.engine.write(ROOM, wire(text, text)));
  return { page, write };
};

it('the lists show messages that follow one soon together, at the end of a pause', async () => {
  const { write } = await open();
  write('First');
  await expect.poll(() => (endPause(), describeRow())).toContain('First');
  // The pause of these lists has begun.
  expect(pauses).not.toEqual([]);
  for (const text of ['Second', 'Third']) write(text);
  await waitFor(() => expect(document.title).toContain('(3) '));
  expect(await describeRow()).toContain('Leila: First, ');
  await expect.poll(() => (endPause(), describeRow())).toMatch(/^3 unread, Leila: Third, /);
});

it('a start shows stored messages in the lists without a pause', async () => {
  const { page, write } = await open();
  write('First');
  await expect.poll(() => (endPause(), describeRow())).toContain('First');
  cleanup();
  page.mustGetRuntime().app.stop();
  pauses = [];
  page.open('/chat/c_002/team');
  await screen.findByRole('navigation', { name: 'Clients' });
  await untilShown('First');
});
