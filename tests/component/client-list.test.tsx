import 'fake-indexeddb/auto';

import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createElement, createRef } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { StoreProvider } from '#db/hooks/store-context.ts';
import { threadsOf } from '#db/read/threads.ts';
import type { UserStore } from '#db/user/user-store.ts';
import type { Team } from '#domain/schemas/team.ts';
import { ClientList } from '#src/chat/clients/client-list.tsx';
import type { Line } from '#src/chat/inbox/use-lines.ts';
import { RoomColumn } from '#src/chat/room/room-column.tsx';
import { navigate, usePathname } from '#src/ui/address.tsx';
import { createDevice } from '#tests/support/device.ts';
import { at, received } from '#tests/support/facts.ts';
import { type PageFrame, PageFrameContext } from '#src/ui/page-frame.ts';
import '#tests/support/patient-queries.ts';

afterEach(cleanup);

const COUNT = 5000;
/** A window of 900 px, and the same height of rows beyond it. */
const RENDERED_MAX = 40;
/** Rows of 56 px in that window, and the most of a first paint. */
const VISIBLE_MIN = 15;
const FIRST_MAX = 21;

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
const LINE: Line = {
  lead: 'Maya',
  text: 'Is it ready?',
  kind: 'message',
  time: '14:05',
  wait: '3 h',
  said: 'Maya: Is it ready?',
  note: '14:05, waiting 3 h',
};
const LINES = { ofClient: () => undefined };
const WAITING = {
  ofClient: ({ client_id }: Team) => (client_id === 'c_2' ? LINE : undefined),
};

const FRAME: PageFrame = {
  phone: false,
  bar: null,
  isCounted: true,
  shownUnread: NOTHING,
  total: 0,
  caughtUp: true,
  onAttended: () => undefined,
  onRead: () => undefined,
};

const Address = () => createElement('output', {}, usePathname());

const renderList = (teams: readonly Team[], store?: UserStore, tall = false) => {
  navigate('/chat/c_1/team');
  const scroller = createRef<HTMLDivElement>();
  const unread = tall
    ? new Map([['c_2/team' as const, { count: 2, first: at(1), newest: at(2) }]])
    : NOTHING;
  render(
    <StoreProvider store={store}>
      <Address />
      <div ref={scroller}>
        <ClientList
          teams={teams}
          unread={unread}
          lines={tall ? WAITING : LINES}
          tall={tall}
          filter="all"
          scroller={scroller}
        />
      </div>
    </StoreProvider>,
  );
};
const links = () => [...document.querySelectorAll('a')];
const link = (n: number) => screen.findByRole('link', { name: `Client No ${n}` });

describe('a list of many clients', () => {
  it('renders the clients near the visible part, and has their total number', async () => {
    const { teams, countReads } = toCountedTeams();
    renderList(teams);
    const item = (await link(3)).closest('li');
    expect(item?.getAttribute('aria-setsize')).toBe(String(COUNT));
    expect(item?.getAttribute('aria-posinset')).toBe('4');
    expect(links().length).toBeGreaterThan(VISIBLE_MIN);
    expect(links().length).toBeLessThan(RENDERED_MAX);
    expect(countReads()).toBeLessThan(RENDERED_MAX * 4);
  });

  it('renders few clients beyond the visible part for the first paint, then more', async () => {
    renderList(toCountedTeams().teams);
    expect(links().length).toBeGreaterThan(VISIBLE_MIN);
    expect(links().length).toBeLessThan(FIRST_MAX);
    await waitFor(() => expect(links().length).toBeGreaterThan(FIRST_MAX));
  });

  it('renders only two clients again when another one is opened', async () => {
    const { teams, countReads } = toCountedTeams();
    renderList(teams);
    await waitFor(() => expect(links().length).toBeGreaterThan(FIRST_MAX));
    const second = await link(2);
    const before = countReads();
    act(() => void fireEvent.click(second));
    expect(screen.getByRole('status').textContent).toBe('/chat/c_2');
    expect((await link(1)).getAttribute('aria-current')).toBeNull();
    expect(second.getAttribute('aria-current')).toBe('page');
    // The name of both.
    expect(countReads() - before).toBe(2);
  });

  it('describes below the name the sender, text and time, the wait, and the unread count', async () => {
    renderList(toCountedTeams().teams.slice(0, 3), undefined, true);
    const waiting = await link(2);
    expect(waiting.textContent).toBe('Client No 214:05Maya: Is it ready?3 h');
    expect(waiting.getAttribute('aria-description')).toBe(
      '2 unread, Maya: Is it ready?, 14:05, waiting 3 h',
    );
    expect((await link(1)).getAttribute('aria-description')).toBeNull();
  });

  it('leaves a click with a modifier key to the browser', async () => {
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

describe('the rooms of a client', () => {
  it('reads a room while the pointer is over its link', async () => {
    const store = await createDevice().openTab();
    await store.append([received(at(1), { room: 'c_2/general' })]);
    const [, , team] = toCountedTeams().teams;
    if (team === undefined) throw new Error('no client');
    render(
      <StoreProvider store={store}>
        <PageFrameContext value={FRAME}>
          <RoomColumn team={team} replace={false} />
        </PageFrameContext>
      </StoreProvider>,
    );
    const open = vi.spyOn(threadsOf(store.database), 'open');
    fireEvent.pointerEnter(screen.getByRole('link', { name: 'General' }));
    expect(open.mock.calls).toEqual([['c_2/general']]);
    await waitFor(() => expect(open.mock.results[0]?.value.get()).toHaveLength(1));
  });
});
