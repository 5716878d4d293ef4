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

const describeRow = (): string => {
  const clients = screen.getByRole('navigation', { name: 'Clients' });
  const row = within(clients).queryByRole('link', { name: 'Maya Okafor' });
  return row?.getAttribute('aria-description') ?? '';
};
/** Ends pauses until the row shows the text, but not the pause that begins then. */
const endPausesUntil = (text: string) =>
  waitFor(() => {
    if (!describeRow().includes(text)) endPause();
    expect(describeRow()).toContain(text);
  });

const open = async () => {
  const page = await openWithClients('/chat/c_002/team');
  const write = (text: string): void =>
    act(() => void page.world.engine.write(ROOM, wire(text, text)));
  return { page, write };
};

it('the lists show messages that follow one soon together, at the end of a pause', async () => {
  const { write } = await open();
  write('First');
  await endPausesUntil('First');
  expect(pauses).not.toEqual([]);
  for (const text of ['Second', 'Third']) write(text);
  await waitFor(() => expect(document.title).toContain('(3) '));
  expect(describeRow()).toContain('Leila: First, ');
  await endPausesUntil('3 unread, Leila: Third, ');
});

it('a start shows stored messages in the lists without a pause', async () => {
  const { page, write } = await open();
  write('First');
  await endPausesUntil('First');
  cleanup();
  page.mustGetRuntime().app.stop();
  pauses = [];
  page.open('/chat/c_002/team');
  await screen.findByRole('navigation', { name: 'Clients' });
  await waitFor(() => expect(describeRow()).toContain('First'));
});
