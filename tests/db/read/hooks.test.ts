// @vitest-environment happy-dom
import 'fake-indexeddb/auto';

import { act, cleanup, render, renderHook, waitFor } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { StoreProvider } from '#db/hooks/store-context.ts';
import { useMissedCommits } from '#db/hooks/use-missed-commits.ts';
import { useProducers, useTeams } from '#db/hooks/use-stored.ts';
import { useQueuedCount } from '#db/hooks/use-unsent.ts';
import { useThread } from '#db/hooks/use-thread.ts';
import { threadsOf } from '#db/read/threads.ts';
import type { UserStore } from '#db/user/user-store.ts';
import type { Fact } from '#domain/events.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { Team } from '#domain/schemas/team.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, ME, published, queued, received, ROOM, roomRead } from '#tests/support/facts.ts';
import '#tests/support/patient-queries.ts';

import { countReads } from '../count-reads.ts';

afterEach(cleanup);

const within = (store: UserStore | undefined) => ({
  wrapper: ({ children }: { readonly children: ReactNode }) =>
    createElement(StoreProvider, { store }, children),
});

const append = (store: UserStore, ...facts: Parameters<UserStore['append']>[0]) =>
  act(async () => {
    await store.append(facts);
  });

interface Question {
  readonly room: RoomKey;
  readonly from: Timetoken | undefined;
}

const renderThread = (store: UserStore, first: Question) =>
  renderHook(({ room, from }: Question) => useThread(room, from, ME), {
    initialProps: first,
    ...within(store),
  });

describe('useThread', () => {
  it('shows stored messages, then new ones, and leaves the others unchanged', async () => {
    const store = await createDevice().openTab();
    await store.append([received(at(1)), received(at(2)), queued('a')]);
    const { result } = renderThread(store, { room: ROOM, from: at(0) });
    expect(result.current).toBeUndefined();
    await waitFor(() => expect(result.current).toHaveLength(3));
    const before = result.current;
    await append(store, received(at(3)));
    await waitFor(() => expect(result.current).toHaveLength(4));
    expect(result.current?.[0]).toBe(before?.[0]);
    expect(result.current?.[1]).toBe(before?.[1]);
    expect(result.current?.[3]).toBe(before?.[2]);
    expect(result.current?.map(({ source }) => source)).toEqual(['log', 'log', 'log', 'outbox']);
  });

  it('keeps the key of an outgoing message when it arrives', async () => {
    const store = await createDevice().openTab();
    await store.append([queued('a')]);
    const { result } = renderThread(store, { room: ROOM, from: at(0) });
    await waitFor(() => expect(result.current?.[0]?.source).toBe('outbox'));
    const key = result.current?.[0]?.key;
    await append(store, published('a', at(5)));
    await waitFor(() => expect(result.current?.[0]?.source).toBe('log'));
    expect(result.current).toMatchObject([{ key, own: true }]);
  });

  it('never shows one room under the name of another', async () => {
    const store = await createDevice().openTab();
    await store.append([received(at(1)), received(at(2), { room: 'c_002/team', text: 'other' })]);
    const seen: string[] = [];
    const Probe = ({ room }: { readonly room: RoomKey }) => {
      const thread = useThread(room, at(0), ME);
      const texts = thread?.map((item) => (item.source === 'log' ? item.row.room : ''));
      seen.push(`${room}: ${texts?.join() ?? 'loading'}`);
      return null;
    };
    const probe = (room: RoomKey) =>
      createElement(StoreProvider, { store }, createElement(Probe, { room }));
    const { rerender } = render(probe(ROOM));
    await waitFor(() => expect(seen).toContain(`${ROOM}: ${ROOM}`));
    rerender(probe('c_002/team'));
    await waitFor(() => expect(seen).toContain('c_002/team: c_002/team'));
    expect(seen).not.toContain(`c_002/team: ${ROOM}`);
    expect(seen).toContain('c_002/team: loading');
  });

  it('keeps showing a room while its older messages load', async () => {
    const store = await createDevice().openTab();
    await store.append([received(at(1)), received(at(2)), received(at(3))]);
    const { result, rerender } = renderThread(store, { room: ROOM, from: at(3) });
    await waitFor(() => expect(result.current).toHaveLength(1));
    const [newest] = result.current ?? [];
    rerender({ room: ROOM, from: at(1) });
    expect(result.current).toHaveLength(1);
    await waitFor(() => expect(result.current).toHaveLength(3));
    expect(result.current?.at(-1)).toBe(newest);
  });

  it('does not render again for changes elsewhere', async () => {
    const store = await createDevice().openTab();
    await store.append([received(at(1))]);
    let draws = 0;
    const { result } = renderHook(() => {
      draws += 1;
      return useThread(ROOM, at(0), ME);
    }, within(store));
    await waitFor(() => expect(result.current).toHaveLength(1));
    const before = draws;
    await append(store, received(at(2), { room: 'c_002/team' }));
    await append(store, queued('a', { room: 'c_002/team' }));
    // So many at once that Dexie no longer tracks their rooms, and queries again.
    const many = Array.from({ length: 60 }, (_, n) => received(at(n), { room: 'c_003/team' }));
    await append(store, ...many);
    await append(store, received(at(3)));
    await waitFor(() => expect(result.current).toHaveLength(2));
    expect(draws).toBe(before + 1);
  });

  it.each([25, 5000])('renders once per change with %d messages', async (count) => {
    const store = await createDevice().openTab();
    await store.append(Array.from({ length: count }, (_, n) => received(at(n))));
    let draws = 0;
    const { result } = renderHook(() => {
      draws += 1;
      return useThread(ROOM, at(0), ME);
    }, within(store));
    await waitFor(() => expect(result.current).toHaveLength(count));
    const drawsOf = async (...facts: readonly Fact[]): Promise<number> => {
      const before = draws;
      await append(store, ...facts);
      return draws - before;
    };
    expect(await drawsOf(queued('a'))).toBe(1);
    expect(await drawsOf(published('a', at(count)))).toBe(1);
    expect(await drawsOf(received(at(count), { publisher: ME, id: 'a', text: 'text of a' }))).toBe(
      1,
    );
    expect(await drawsOf(received(at(count + 1)))).toBe(1);
    expect(await drawsOf(roomRead(at(count + 1)))).toBe(0);
    expect(result.current).toHaveLength(count + 2);
  });

  it('reads messages that another tab wrote while the page was hidden', async () => {
    const device = createDevice();
    const [store, other] = [await device.openTab(), await device.openTab()];
    const { result } = renderHook(() => {
      useMissedCommits();
      return useThread(ROOM, at(0), ME);
    }, within(store));
    await waitFor(() => expect(result.current).toEqual([]));
    const silent = vi.spyOn(store.database.rows, 'reportAll');
    const model = threadsOf(store.database).open(ROOM);
    const missed = vi.spyOn(model, 'apply').mockImplementation(() => undefined);
    await append(other, received(at(1)));
    missed.mockRestore();
    expect(result.current).toEqual([]);
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    expect(silent).toHaveBeenCalledTimes(1);
    await waitFor(() => expect(result.current).toHaveLength(1));
  });

  it('survives a closed store and a malformed row', async () => {
    const device = createDevice();
    const store = await device.openTab();
    await store.append([received(at(1))]);
    await store.database.table('messages').put({ key: 'x', room: ROOM, timetoken: at(2) });
    const { result } = renderThread(store, { room: ROOM, from: at(0) });
    await waitFor(() => expect(result.current).toHaveLength(1));
    store.close();
    await append(await device.openTab(), received(at(3)));
    expect(result.current).toHaveLength(1);
  });
});

describe('useTeams and useProducers', () => {
  it('are undefined before any fetch and without a store', async () => {
    const store = await createDevice().openTab();
    const { result } = renderHook(() => [useTeams(), useProducers()], within(store));
    const { result: without } = renderHook(() => useTeams(), within(undefined));
    await act(async () => {
      await store.saveProducers([{ uid: 'u_1', name: 'Ana' }], 1);
    });
    await waitFor(() => expect(result.current).toEqual([undefined, [{ uid: 'u_1', name: 'Ana' }]]));
    expect(without.current).toBeUndefined();
  });

  it('drop entries of another shape one by one', async () => {
    const store = await createDevice().openTab();
    const team = { client_id: 'c_001', client: { first_name: 'Maya', last_name: 'Okafor' } };
    await store.database.documents.put({ key: 'teams', value: [team, 7], fetchedAt: 1, v: 1 });
    const { result } = renderHook(() => useTeams(), within(store));
    await waitFor(() => expect(result.current).toEqual([team]));
  });
});

describe('several uses of one list', () => {
  afterEach(() => vi.restoreAllMocks());

  it('read and parse it once per change, and keep unchanged clients', async () => {
    // Other tests' lists are still open, under the name of another user.
    const store = await createDevice().openTab('u_lists');
    const [maya, soren] = ['Maya', 'Soren'].map((first_name, n) => ({
      client_id: `c_00${n}`,
      client: { first_name, last_name: 'Okafor' },
    })) as [Team, Team];
    await store.saveTeams([maya], 1);
    const reads = countReads(store.database);
    const { result } = renderHook(
      () => [useTeams(), useTeams(), useTeams(), useTeams(), useTeams(), useTeams()],
      within(store),
    );
    await waitFor(() => expect(result.current[0]).toEqual([maya]));
    expect(reads()).toBe(1);
    const before = result.current[0];
    await act(async () => {
      await store.saveTeams([maya], 2);
    });
    await act(async () => {
      await store.saveTeams([maya, soren], 3);
    });
    await waitFor(() => expect(result.current[0]).toHaveLength(2));
    expect(new Set(result.current).size).toBe(1);
    expect(result.current[0]?.[0]).toBe(before?.[0]);
  });
});

describe('useQueuedCount', () => {
  it('follows the outbox over all rooms', async () => {
    const store = await createDevice().openTab();
    const { result } = renderHook(() => useQueuedCount(), within(store));
    expect(result.current).toBe(0);
    await append(store, queued('a'), queued('b', { room: 'c_002/team' }));
    await waitFor(() => expect(result.current).toBe(2));
    await append(store, published('a', at(1)));
    await waitFor(() => expect(result.current).toBe(1));
  });
});
