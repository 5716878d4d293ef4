import 'fake-indexeddb/auto';

import { makeSpace } from '#db/log/retention.ts';
import type { UserStore } from '#db/user/user-store.ts';
import { unreadOf } from '#db/read/unread-model.ts';
import { type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { TIMETOKEN_ZERO } from '#domain/timetoken.ts';
import { prefetchRooms } from '#machines/connection/prefetch-rooms.ts';
import { createMessageCommands } from '#machines/outbox/commands.ts';
import { selectHistory } from '#machines/history/history.machine.ts';
import { createHistoryMachine } from '#machines/history/history.machine.ts';
import { createWholeApp } from '#tests/support/machines/whole-app.ts';
import { createDevice } from '#tests/support/device.ts';
import { MemoryWorld, sessionOf } from '#tests/support/memory-ports/memory-ports.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { createActor } from 'xstate';
import { afterEach, describe, expect, it } from 'vitest';

const TEAM = toRoomKey('c_001', 'team');

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Tabs of one device on the real database; only the network is in memory. */
const start = () => {
  const world = new MemoryWorld();
  world.server.session = sessionOf('u_me');
  const device = createDevice();
  const openTab = async () => {
    const stores: UserStore[] = [];
    const tab = {
      ...world.openTab(),
      openStore: async (uid: string) => {
        const store = await device.openTab(uid);
        stores.push(store);
        return { ok: true, value: store } as const;
      },
    };
    const app = createActor(createWholeApp(tab)).start();
    stops.push(() => app.stop());
    const desk = () => app.getSnapshot().context.desk?.getSnapshot();
    await waitFor('the desk', () => desk()?.context.store !== undefined);
    return { tab, app, store: stores[0]!, leader: () => desk()?.context.leader?.getSnapshot() };
  };
  return { world, openTab };
};

describe('machines on the real store', () => {
  it('send in one tab the messages another accepted, in order and once', async () => {
    const { world, openTab } = start();
    const leader = await openTab();
    const other = await openTab();
    await waitFor('a leader', () => leader.leader()?.context.link.kind === 'online');
    for (let n = 0; n < 20; n += 1) {
      await createMessageCommands(other.tab, other.store, 'u_me').sendTo(TEAM)(`m${n}`);
    }
    await waitFor('20 messages', () => world.engine.log.length >= 20);
    expect(world.engine.log.map(({ message }) => (message as { text: string }).text)).toEqual(
      Array.from({ length: 20 }, (_, n) => `m${n}`),
    );
    await waitFor('an empty outbox', async () => {
      const next = await other.store.findNextQueued(TEAM);
      return next.ok && next.value === undefined;
    });
    expect(await other.store.database.entries.count()).toBe(20);
    await waitFor('the link in both tabs', () => other.leader()?.context.link.kind === 'online');
  });

  it('hand over when the leading tab closes, with the queued messages', async () => {
    const { world, openTab } = start();
    const first = await openTab();
    await waitFor('a leader', () => first.leader()?.context.link.kind === 'online');
    const second = await openTab();
    world.engine.hold();
    await createMessageCommands(first.tab, first.store, 'u_me').sendTo(TEAM)('in flight');
    await waitFor('a try', () =>
      world.engine.calls.some(({ operation }) => operation === 'publish'),
    );
    first.app.stop();
    world.engine.release();
    await waitFor('the takeover', () => second.leader()?.context.link.kind === 'online');
    await waitFor('an empty outbox', async () => {
      const next = await second.store.findNextQueued(TEAM);
      return next.ok && next.value === undefined;
    });
    expect(world.engine.log).toHaveLength(1);
    expect(await second.store.database.entries.count()).toBe(1);
  });

  it('prefetch a room that was read elsewhere if only its quiet time is known', async () => {
    const world = new MemoryWorld();
    const write = (room: RoomKey) => world.engine.write(room, { text: 'm' }, { silent: true });
    const [read, unread] = [write(TEAM), write(TEAM)];
    const { timetoken } = write(toRoomKey('c_002', 'team'));
    const store = await createDevice().openTab();
    const taken = await store.takeFence('tab', 0);
    if (!taken.ok) throw new Error(taken.error.kind);
    const fence = taken.value;
    const quiet = { from: timetoken, to: timetoken, reachedStart: false };
    await store.append([
      { type: 'v1.ReadingBegan', timetoken: TIMETOKEN_ZERO },
      { type: 'v1.RoomRead', room: TEAM, timetoken: read.timetoken },
      { type: 'v1.HistoryPageLoaded', room: TEAM, ...quiet },
    ]);
    await store.saveTeams(
      [{ client_id: 'c_001', client: { first_name: 'Maya', last_name: 'Okafor' } }],
      1,
    );
    const ports = { realtime: world.engine, clientLog: world.openTab().clientLog };
    const actor = createActor(prefetchRooms(ports), { input: { store, uid: 'u_me', fence } });
    stops.push(() => actor.stop());
    actor.start();
    const found = (): unknown => unreadOf(store.database).get()?.get(TEAM);
    await waitFor('its messages', () => found() !== undefined);
    expect(found()).toMatchObject({ count: 1, first: unread.timetoken });
  });

  it('page through a room and detect its start', async () => {
    const { world, openTab } = start();
    const { tab, store } = await openTab();
    for (let n = 0; n < 60; n += 1) world.engine.write(TEAM, { text: `m${n}` }, { silent: true });
    const history = createActor(
      createHistoryMachine(tab, store, () => {}),
      { input: { room: TEAM } },
    );
    history.start();
    stops.push(() => history.stop());
    const view = () => selectHistory(history.getSnapshot());
    await waitFor('the newest page', () => view().state === 'success');
    // The leader reads the unread messages of this room, too.
    await waitFor('the start', () => {
      if (view().hasMore && !view().fetchingMore) history.send({ type: 'more.requested' });
      return !view().hasMore;
    });
    expect(view()).toMatchObject({ hasMore: false, from: world.engine.log[0]?.timetoken });
    expect(await store.database.entries.count()).toBe(60);
    expect(await store.findCoverage(TEAM)).toMatchObject({ value: { reachedStart: true } });
    // Pruned while it is read: earlier messages are fetched again, starting at the cut.
    await makeSpace(store.database);
    expect(await store.database.entries.count()).toBe(25);
    for (let pages = 0; pages < 2; pages += 1) {
      history.send({ type: 'more.requested' });
      await waitFor('fetching', () => view().fetchingMore);
      await waitFor('a page', () => !view().fetchingMore);
      expect(await store.findCoverage(TEAM)).toMatchObject({ value: { ranges: { length: 1 } } });
    }
    expect(await store.database.entries.count()).toBe(60);
    expect(await store.findCoverage(TEAM)).toMatchObject({ value: { reachedStart: true } });
  });
});
