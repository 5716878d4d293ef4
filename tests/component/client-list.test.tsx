import 'fake-indexeddb/auto';

import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createElement } from 'react';
import { afterEach, describe, expect, it } from 'vitest';

import { StoreProvider } from '#db/hooks/store-context.ts';
import { threadsOf } from '#db/read/threads.ts';
import type { UserStore } from '#db/user/user-store.ts';
import type { Team } from '#domain/schemas/team.ts';
import { ClientList } from '#src/chat/clients/client-list.tsx';
import { navigate, usePathname } from '#src/ui/address.tsx';
import { createDevice } from '#tests/support/device.ts';
import { at, received } from '#tests/support/facts.ts';
import '#tests/support/patient-queries.ts';

afterEach(cleanup);

const COUNT = 300;

/** Clients that count how often their name is read for the screen. */
const toCountedTeams = () => {
  let reads = 0;
  const teams = Array.from({ length: COUNT }, (_, n): Team => {
    const client = { first_name: `Client`, last_name: `No ${n}` };
    return Object.defineProperty({ client_id: `c_${n}`, client }, 'client', {
      enumerable: true,
      get: () => {
        reads += 1;
        return client;
      },
    });
  });
  return { teams, countReads: () => reads };
};

const NOTHING = new Map();

const Address = () => createElement('output', {}, usePathname());

const renderList = (teams: readonly Team[], store?: UserStore) => {
  navigate('/chat/c_1/team');
  render(
    <StoreProvider store={store}>
      <Address />
      <ClientList teams={teams} query="" unread={NOTHING} />
    </StoreProvider>,
  );
};
const links = () => [...document.querySelectorAll('a')];
const link = (n: number) => screen.findByRole('link', { name: `Client No ${n}` });

describe('a list of many clients', () => {
  it('grows to all of them', async () => {
    renderList(toCountedTeams().teams);
    await waitFor(() => expect(links()).toHaveLength(COUNT));
  });

  it('renders only two clients again when another one is opened', async () => {
    const { teams, countReads } = toCountedTeams();
    renderList(teams);
    await waitFor(() => expect(links()).toHaveLength(COUNT));
    expect((await link(1)).getAttribute('aria-current')).toBe('page');
    const second = await link(2);
    const before = countReads();
    act(() => void fireEvent.click(second));
    expect(screen.getByRole('status').textContent).toBe('/chat/c_2');
    expect((await link(1)).getAttribute('aria-current')).toBeNull();
    expect(second.getAttribute('aria-current')).toBe('page');
    // The first and the last name of both.
    expect(countReads() - before).toBe(4);
  });

  it('leaves a click with a key held to the browser', async () => {
    renderList(toCountedTeams().teams.slice(0, 3));
    fireEvent.click(await link(2), { ctrlKey: true });
    expect(screen.getByRole('status').textContent).toBe('/chat/c_1/team');
  });

  it('reads the room of a client whose link is pressed', async () => {
    const store = await createDevice().openTab();
    await store.append([received(at(1), { room: 'c_2/team' })]);
    renderList(toCountedTeams().teams.slice(0, 3), store);
    fireEvent.pointerDown(await link(2));
    await waitFor(() => expect(threadsOf(store.database).open('c_2/team').get()).toHaveLength(1));
  });
});
