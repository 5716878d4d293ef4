import 'fake-indexeddb/auto';

import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { fromEpochMs } from '#domain/timetoken.ts';
import type { SearchHit, SearchRequest, SearchResponse } from '#src/search/protocol.ts';
import { createDeskPage } from '#tests/support/scenes/desk-page.tsx';

import { ROOM, withoutLayout } from '../prepare-page.ts';

withoutLayout();

const AT = fromEpochMs(Date.parse('2026-02-25T06:00:00.000Z'));
const HIT: SearchHit = {
  key: 'm_1',
  room: ROOM,
  client: 'Ada Keane',
  at: AT,
  sender: { role: 'client', name: 'Ada Keane', seed: 'c_001' },
  excerpt: { text: 'The goal is up.', ranges: [{ start: 4, end: 8 }] },
  before: undefined,
  after: undefined,
};

type Search = Extract<SearchRequest, { readonly kind: 'search' }>;

/** A worker that has read 2,000 messages; it answers the empty search, which all of them match. */
class Worker extends EventTarget {
  static last: Worker;
  search: Search | undefined;
  constructor() {
    super();
    Worker.last = this;
  }
  postMessage(request: SearchRequest): void {
    if (request.kind !== 'search') return;
    this.search = request;
    if (request.query.terms.length === 0) queueMicrotask(() => this.answer(request, [], 2000));
  }
  answer({ subscriberId, id }: Search, hits: readonly SearchHit[], total: number): void {
    const coverage = { messages: 2000, since: AT, isWhole: false };
    const data: SearchResponse = { kind: 'answer', subscriberId, id, hits, total, coverage };
    act(() => void this.dispatchEvent(new MessageEvent('message', { data })));
  }
  terminate(): void {
    this.search = undefined;
  }
}

beforeEach(() => {
  vi.stubGlobal('Worker', Worker);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** The worker answers the last search. */
const answer = (hits: readonly SearchHit[]): void => {
  const { last } = Worker;
  if (last.search === undefined) throw new Error('nothing is searched');
  last.answer(last.search, hits, hits.length);
};
const search = () => window.location.pathname + window.location.search;

it('a text that was pasted after Enter opens no result', async () => {
  createDeskPage().open('/search');
  const field = await screen.findByRole('searchbox', { name: 'Search messages' });
  await userEvent.type(field, 'goal{Enter}');
  // As from a menu: no key is pressed.
  fireEvent.change(field, { target: { value: 'goal kick' } });
  await waitFor(() => expect(Worker.last.search?.query.terms).toHaveLength(2));
  answer([HIT]);
  await screen.findByRole('list', { name: 'Results' });
  expect(search()).toMatch(/^\/search/);
});

it('Enter waits while the messages read so far have no hit, and opens the first one', async () => {
  createDeskPage().open('/search');
  const field = await screen.findByRole('searchbox', { name: 'Search messages' });
  await userEvent.type(field, 'goal');
  const coverage = screen.getByRole('status', { name: 'Coverage' });
  await waitFor(() => expect(coverage.textContent).toContain('Searched 2,000 messages so far'));
  // The number of all messages is not that of the hits.
  expect(coverage.textContent).not.toContain('2,000 messages. ');
  answer([]);
  await userEvent.keyboard('{Enter}');
  expect(search()).toMatch(/^\/search/);
  answer([HIT]);
  await waitFor(() => expect(search()).toContain(AT));
});

const openPalette = () =>
  waitFor(async () => {
    await userEvent.keyboard('{Control>}k{/Control}');
    expect(screen.queryByRole('dialog', { name: 'Search' })).not.toBeNull();
  });

it('the palette does not report that nothing matches before all messages are read', async () => {
  createDeskPage().open('/');
  await openPalette();
  await userEvent.type(screen.getByRole('combobox'), 'goal');
  answer([]);
  await screen.findByText('Reading the messages on this device…');
  await userEvent.keyboard('{Enter}');
  answer([HIT]);
  await waitFor(() => expect(search()).toContain(AT));
});

it('Enter opens no message of an earlier search after a failure', async () => {
  createDeskPage().open('/');
  await openPalette();
  await userEvent.type(screen.getByRole('combobox'), 'goal');
  answer([HIT]);
  await screen.findByRole('option', { name: /The goal is up\./ });
  await userEvent.type(screen.getByRole('combobox'), ' kick');
  await userEvent.keyboard('{Enter}');
  act(() => void Worker.last.dispatchEvent(new Event('error')));
  await screen.findByText(/Couldn't search the messages on this device\.$/);
  await userEvent.keyboard('{Enter}');
  expect(search()).toBe('/');
});
