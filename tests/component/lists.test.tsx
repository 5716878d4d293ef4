import 'fake-indexeddb/auto';

import { useState } from 'react';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { ClientFigures } from '#domain/dashboard/figures.ts';
import { fail } from '#domain/result.ts';
import { ClientsTable, FIRST_TABLE } from '#src/sections/dashboard/clients-table.tsx';
import { navigate } from '#src/ui/address.tsx';
import { at, received } from '#tests/support/facts.ts';
import { createDeskPage, type DeskPage } from '#tests/support/scenes/desk-page.tsx';

import { withoutLayout } from './prepare-page.ts';

withoutLayout();

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it('the clients are ordered as chosen, even if the choice cannot be stored', async () => {
  const page = createDeskPage();
  page.open('/chat/c_001/team');
  const store = await waitFor(() => page.mustGetStore());
  const keep = vi.spyOn(store, 'saveInboxChoice').mockResolvedValue(fail({ kind: 'quota' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Expand clients' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Order by name' }));
  await screen.findByRole('button', { name: 'Order by last activity' });
  expect(keep).toHaveBeenCalledTimes(1);
});

describe('the filters', () => {
  const show = async (name: string): Promise<void> =>
    void fireEvent.click(await screen.findByRole('radio', { name }));
  const client = (name: string) => screen.findByRole('link', { name });

  it('a client who needs a reply is listed with the room that waits, and its link opens that room', async () => {
    const page = createDeskPage();
    page.open('/chat/c_002/team');
    fireEvent.click(await screen.findByRole('button', { name: 'Expand clients' }));
    const store = await waitFor(() => page.mustGetStore());
    const [room, publisher] = ['c_001/general', 'client:c_001'] as const;
    const waiting = { room, publisher, text: 'Any news?' };
    await act(() => store.append([received(at(1), waiting), received(at(2), { text: 'Bye.' })]));
    const maya = await client('Maya Okafor');
    await waitFor(() => expect(maya.textContent).toContain('Leila: Bye.'));
    await show('Needs reply');
    await waitFor(() => expect(maya.textContent).toContain('Maya: Any news?'));
    fireEvent.click(maya);
    expect(window.location.pathname).toBe('/chat/c_001/general');
    await show('All');
    await waitFor(() => expect(maya.textContent).toContain('Leila: Bye.'));
  });

  it('without unread messages the open client is not among the unread ones', async () => {
    createDeskPage().open('/chat/c_001/team');
    fireEvent.click(await screen.findByRole('button', { name: 'Expand clients' }));
    await client('Maya Okafor');
    await show('Unread');
    await screen.findByText('Nothing unread.');
    // An open search covers all clients.
    fireEvent.click(screen.getByRole('button', { name: 'Search clients' }));
    await client('Maya Okafor');
    fireEvent.click(await screen.findByRole('button', { name: 'Close search' }));
    await screen.findByText('Nothing unread.');
    expect(screen.queryByRole('link', { name: 'Maya Okafor' })).toBeNull();
  });

  it('an open client stays until another one is opened, although it is no longer selected', async () => {
    const page = createDeskPage();
    page.open('/chat/c_001/general');
    fireEvent.click(await screen.findByRole('button', { name: 'Expand clients' }));
    const store = await waitFor(() => page.mustGetStore());
    const write = (n: number, publisher: string) =>
      act(() => store.append([received(at(n), { room: 'c_001/general', publisher })]));
    await write(1, 'client:c_001');
    await show('Needs reply');
    const shown = () => document.querySelectorAll('nav[aria-label="Clients"] li');
    await waitFor(() => expect(shown()).toHaveLength(1));
    await write(2, 'u_me');
    await waitFor(() => expect(shown()[0]?.textContent).toContain('You: '));
    expect(shown()).toHaveLength(1);
    act(() => navigate('/chat/c_002/team'));
    await waitFor(() => expect(shown()).toHaveLength(0));
  });
});

it('an empty filter says so if this device lacks rooms: only the first 100 clients are read', async () => {
  const page = createDeskPage();
  const client = { first_name: 'Maya', last_name: 'Okafor' };
  page.world.server.teams = Array.from({ length: 101 }, (_, n) => {
    return { client_id: `c_${n}`, client };
  });
  page.open('/chat');
  await userEvent.click(await screen.findByRole('button', { name: 'Expand clients' }));
  await userEvent.click(await screen.findByRole('radio', { name: 'Needs reply' }));
  const none = 'No client is waiting for a reply in the messages on this device.';
  expect(await screen.findByText(none)).not.toBeNull();
});

describe('without clients', () => {
  const NONE = 'You have no clients yet.';

  const openWithoutClients = (path: string): void => {
    const page = createDeskPage();
    page.world.server.teams = [];
    page.open(path);
  };

  it.each(['/', '/dashboard'])('without any client, %s reports it', async (path) => {
    openWithoutClients(path);
    expect(await screen.findByText(NONE)).not.toBeNull();
  });

  it('without any client, the chat reports it in the list and beside it', async () => {
    openWithoutClients('/chat');
    await screen.findByRole('heading', { name: NONE });
    expect(screen.queryByRole('button', { name: 'Find a client' })).toBeNull();
    await userEvent.click(await screen.findByRole('button', { name: 'Expand clients' }));
    const clients = screen.getByRole('navigation', { name: 'Clients' });
    expect((await screen.findAllByText(NONE)).some((text) => clients.contains(text))).toBe(true);
  });

  /** The server cannot list the clients until it is repaired. */
  const breakTeams = ({ world: { server } }: DeskPage): (() => void) => {
    const ask = server.ask.bind(server);
    let isBroken = true;
    server.ask = async (name, answer) =>
      name === 'teams' && isBroken ? fail({ kind: 'server', status: 503 }) : ask(name, answer);
    return () => {
      isBroken = false;
    };
  };

  it('clients that cannot be loaded are reported on the dashboard, which tries again', async () => {
    const page = createDeskPage();
    const repair = breakTeams(page);
    page.open('/dashboard');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Error loading clients');
    repair();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('radiogroup', { name: 'Period' });
    expect(document.activeElement).toBe(screen.getByRole('main'));
  });

  it('an unknown list is not called empty, and a retry passes its focus to the page', async () => {
    const page = createDeskPage();
    const repair = breakTeams(page);
    page.open('/chat');
    const clients = await screen.findByRole('navigation', { name: 'Clients' });
    const retry = await within(clients).findByRole('button', { name: /Error loading clients/ });
    await within(clients).findByRole('status');
    expect(within(clients).queryByText(NONE)).toBeNull();
    repair();
    await userEvent.click(retry);
    await within(clients).findByRole('link', { name: /Maya Okafor/ });
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')));
  });
});

describe('the address of a client that the list lacks', () => {
  const LATER_MS = 11_000;
  const ADDED = { client_id: 'c_003', client: { first_name: 'Kenji', last_name: 'Watanabe' } };
  const findTitle = (name: string | RegExp) => screen.findByRole('heading', { name, level: 1 });

  /** Opens a page that shows a room, some time after its list was loaded. */
  const openLater = async (): Promise<DeskPage> => {
    const page = createDeskPage();
    page.open('/chat/c_001/team');
    await screen.findByRole('textbox', { name: 'Message' });
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + LATER_MS);
    return page;
  };
  const follow = (path: string): void => {
    act(() => navigate(path));
    expect(screen.queryByText('Client not found')).toBeNull();
  };

  it('opens its room if it was added meanwhile', async () => {
    const { world } = await openLater();
    world.server.teams = [...world.server.teams, ADDED];
    follow('/chat/c_003/team');
    expect(await screen.findByRole('heading', { name: 'Kenji Rooms' })).not.toBeNull();
  });

  it('is reported as missing after one more request', async () => {
    const { world } = await openLater();
    follow('/chat/c_999');
    await findTitle('Client not found');
    expect(world.server.calls.filter((name) => name === 'teams')).toHaveLength(2);
  });

  it('is not reported as missing while the server is unreachable', async () => {
    const { world } = await openLater();
    world.server.failure = { kind: 'unreachable' };
    follow('/chat/c_003/team');
    await findTitle('Error loading clients');
    world.server.failure = undefined;
    world.server.teams = [...world.server.teams, ADDED];
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'Kenji Rooms' })).not.toBeNull();
  });
});

describe('a table of many clients', () => {
  const COUNT = 60;
  const clients = Array.from({ length: COUNT }, (_, n): ClientFigures => {
    const figures = { received: 1, sent: 1, answers: 0, median: undefined, p90: undefined };
    return { clientId: `c_${n}`, ...figures, waitingSince: undefined };
  });
  const names = new Map(clients.map(({ clientId }, n) => [clientId, `Client ${100 + n}`]));
  const links = () => screen.getAllByRole('link');

  beforeEach(() => {
    const waits = { now: 0, hours: undefined };
    const Held = () => {
      const [table, setTable] = useState(FIRST_TABLE);
      return <ClientsTable {...{ clients, names, waits, table }} onChange={setTable} />;
    };
    render(<Held />);
  });

  it('has the focus in its next row once the last ones are shown', async () => {
    const more = screen.getByRole('button', { name: 'Show 10 more' });
    expect(links()).toHaveLength(50);
    more.focus();
    await userEvent.keyboard('{Enter}');
    expect(links()).toHaveLength(COUNT);
    expect(more.isConnected).toBe(false);
    expect(document.activeElement).toBe(links()[50]);
  });

  it('is printed with all of its rows', () => {
    act(() => void window.dispatchEvent(new Event('beforeprint')));
    expect(links()).toHaveLength(COUNT);
    expect(screen.queryByRole('button', { name: 'Show 10 more' })).toBeNull();
    act(() => void window.dispatchEvent(new Event('afterprint')));
    expect(links()).toHaveLength(50);
  });
});
