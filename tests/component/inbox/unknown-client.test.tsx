import 'fake-indexeddb/auto';

import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { toRoomKey } from '#domain/rooms.ts';
import { navigate } from '#src/ui/address.tsx';
import { createDeskPage } from '#tests/support/scenes/desk-page.tsx';

import { wire, withoutLayout } from '../prepare-page.ts';

withoutLayout();

it('“Show all clients” also shows those that a filter hides', async () => {
  createDeskPage().open('/chat/c_001/team');
  fireEvent.click(await screen.findByRole('button', { name: 'Expand clients' }));
  const unread = await screen.findByRole('radio', { name: 'Unread' });
  fireEvent.click(unread);
  act(() => navigate('/chat/c_999/team'));
  const clients = screen.getByRole('navigation', { name: 'Clients' });
  await within(clients).findByText(/^Nothing unread/);
  fireEvent.click(await screen.findByRole('link', { name: 'Show all clients' }));
  expect(window.location.pathname).toBe('/chat');
  await within(clients).findByRole('link', { name: 'Maya Okafor' });
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'All' }).checked).toBe(true);
});

it('“Show all clients” also ends a search', async () => {
  createDeskPage().open('/chat/c_001/team');
  fireEvent.click(await screen.findByRole('button', { name: 'Search clients' }));
  const field = await screen.findByRole('searchbox', { name: 'Search clients' });
  fireEvent.change(field, { target: { value: 'zzz' } });
  act(() => navigate('/chat/c_999/team'));
  const clients = screen.getByRole('navigation', { name: 'Clients' });
  await within(clients).findByText(/^No clients match/);
  fireEvent.click(await screen.findByRole('link', { name: 'Show all clients' }));
  expect(window.location.pathname).toBe('/chat');
  await within(clients).findByRole('link', { name: 'Maya Okafor' });
});

/** When the list may be fetched again, ms. */
const AGAIN_MS = 11_000;

describe('a client that is created after the list was fetched', () => {
  /** Opens a page at its address just before it is listed; `later` ends the wait for a second fetch. */
  const openUnknown = async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const held: (() => void)[] = [];
    const wait = globalThis.setTimeout;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) => {
      if (ms !== AGAIN_MS) return wait(run, ms);
      held.push(run);
      return 0;
    }) as typeof setTimeout);
    onTestFinished(() => {
      vi.restoreAllMocks();
      vi.useRealTimers();
    });
    const page = createDeskPage();
    page.open('/chat/c_999/team');
    await screen.findByText('Client not found');
    const client = { first_name: 'Nadia', last_name: 'Berg' };
    page.world.server.teams = [...page.world.server.teams, { client_id: 'c_999', client }];
    vi.setSystemTime(Date.now() + AGAIN_MS);
    return { later: () => act(() => held.splice(0).forEach((run) => run())) };
  };
  const field = () => screen.queryByRole('textbox', { name: 'Message' });

  it('is found when the page is shown again', async () => {
    await openUnknown();
    fireEvent(document, new Event('visibilitychange'));
    await waitFor(() => expect(field()).not.toBeNull());
  });

  it('leaves the focus in a search that was begun meanwhile', async () => {
    await openUnknown();
    fireEvent.click(screen.getByRole('button', { name: 'Search clients' }));
    const search = await screen.findByRole('searchbox', { name: 'Search clients' });
    await waitFor(() => expect(document.activeElement).toBe(search));
    fireEvent(document, new Event('visibilitychange'));
    await waitFor(() => expect(field()).not.toBeNull());
    expect(document.activeElement).toBe(search);
  });

  it('is found with its first message', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const page = createDeskPage();
    const { world } = page;
    page.open('/chat/c_001/team');
    await waitFor(() => expect(world.engine.openStreams).toBe(1));
    const client = { first_name: 'Nadia', last_name: 'Berg' };
    world.server.teams = [...world.server.teams, { client_id: 'c_999', client }];
    vi.setSystemTime(Date.now() + AGAIN_MS);
    act(() => void world.engine.write(toRoomKey('c_999', 'team'), wire('one', 'Hello?')));
    await waitFor(() => expect(document.title).toMatch(/^\(1\)/));
  });

  it('is found some seconds later', async () => {
    const { later } = await openUnknown();
    later();
    await waitFor(() => expect(field()).not.toBeNull());
  });
});
