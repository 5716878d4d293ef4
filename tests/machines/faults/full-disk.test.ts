import { toRoomKey } from '#domain/rooms.ts';
import { parseUnread } from '#domain/schemas/unread-mark.ts';
import { nextTimetoken, previousTimetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';
import { createMessageCommands } from '#machines/outbox/commands.ts';
import { selectBrowserLink } from '#machines/leader/view.ts';
import { createLeaderMachine } from '#machines/leader/leader.machine.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { queued } from '#tests/support/facts.ts';
import type { Store } from '#domain/ports/storage.ts';
import { openMemoryStore } from '#tests/support/memory-ports/store.ts';
import { MemoryWorld } from '#tests/support/memory-ports/memory-ports.ts';
import { createActor } from 'xstate';
import { afterEach, describe, expect, it } from 'vitest';

const TEAM = toRoomKey('c_001', 'team');

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A tab of the world, and the link status it shows. */
const openTab = async (world: MemoryWorld, store: Store) => {
  const { timers: clock } = world.clock;
  const tab = createActor(createLeaderMachine(world.openTab()), {
    clock,
    input: { store, uid: 'u_me' },
  }).start();
  stops.push(() => tab.stop());
  await settle();
  return () => selectBrowserLink(tab.getSnapshot());
};

/** A leading tab whose disk is full; `before` runs while there is space. */
const leadOnFullDisk = async (before?: (store: Store, world: MemoryWorld) => Promise<unknown>) => {
  const world = new MemoryWorld();
  const store = openMemoryStore(world.database());
  const link = await openTab(world, store);
  const from = world.engine.write(TEAM, { text: 'before' }).timetoken;
  const known = { from: TIMETOKEN_ZERO, to: from, reachedStart: true };
  await store.append([{ type: 'v1.HistoryPageLoaded', room: TEAM, ...known }]);
  await world.clock.advance(5000);
  await before?.(store, world);
  await settle();
  world.database().failure = { kind: 'quota' };
  return {
    world,
    store,
    from,
    write: async (text: string) => {
      const entry = world.engine.write(TEAM, { text });
      await settle();
      return entry.timetoken;
    },
    /** Seconds, in each of which the stream sends a beat. */
    advance: async (seconds: number) => {
      for (let past = 0; past < seconds; past += 1) {
        world.engine.beat();
        await world.clock.advance(1000);
      }
    },
    free: async () => {
      world.database().failure = undefined;
      world.database().changed();
      await settle();
    },
    link,
    /** Messages stored since then. */
    stored: () => [...(world.database().positions.get(TEAM) ?? [])].filter((at) => at > from),
  };
};

describe('a full disk', () => {
  it('does not end a stream: new entries are stored, in order, once there is space', async () => {
    const desk = await leadOnFullDisk();
    const first = await desk.write('first');
    const second = await desk.write('second');
    await desk.world.clock.advance(30_000);
    expect(desk.link()).toEqual({ kind: 'online' });
    expect(desk.stored()).toEqual([]);
    await desk.free();
    await desk.world.clock.advance(5000);
    expect(desk.stored()).toEqual([first, second]);
    expect(desk.link()).toEqual({ kind: 'online' });
  });

  it('remembers read positions, and stores them once there is space', async () => {
    const desk = await leadOnFullDisk();
    await createMessageCommands(desk.world.openTab(), desk.store, 'u_me').markRead(
      new Map([[TEAM, desk.from]]),
    );
    await desk.world.clock.advance(5000);
    const notes = () => desk.world.database().facts.filter(({ type }) => type === 'v1.RoomRead');
    expect(notes()).toEqual([]);
    await desk.free();
    expect(notes()).toEqual([{ type: 'v1.RoomRead', room: TEAM, timetoken: desk.from }]);
  });

  it('does not undo a mark that was made before a read position could be stored', async () => {
    const desk = await leadOnFullDisk();
    const commands = createMessageCommands(desk.world.openTab(), desk.store, 'u_me');
    expect(await commands.markRead(new Map([[TEAM, desk.from]]))).toBe(false);
    // The mark is stored first: cached messages are pruned for it.
    desk.world.database().failure = undefined;
    const from = previousTimetoken(desk.from);
    await commands.markUnread(new Map([[TEAM, { from }]]));
    await desk.free();
    const { marks } = desk.world.database().listLocalMarks('own');
    expect(marks.get(`read:${TEAM}`)?.value).toBe(desk.from);
    expect(parseUnread(marks.get(`unread:${TEAM}`)?.value)).toMatchObject({ from });
  });

  it('does not mark rooms as read to their end later, because the end may have moved', async () => {
    const desk = await leadOnFullDisk();
    const commands = createMessageCommands(desk.world.openTab(), desk.store, 'u_me');
    expect(await commands.markRead(new Map([[TEAM, undefined]]))).toBe(false);
    await desk.free();
    await desk.world.clock.advance(5000);
    expect(desk.world.database().facts.filter(({ type }) => type === 'v1.RoomRead')).toEqual([]);
  });

  it('is watched until a read position is stored, and no longer', async () => {
    const desk = await leadOnFullDisk();
    let watches = 0;
    const watched: Store = {
      ...desk.store,
      watchSpace: (listener) => {
        const forget = desk.store.watchSpace(listener);
        watches += 1;
        return () => {
          watches -= 1;
          forget();
        };
      },
    };
    const commands = createMessageCommands(desk.world.openTab(), watched, 'u_me');
    await commands.markRead(new Map([[TEAM, desk.from]]));
    await commands.markRead(new Map([[TEAM, nextTimetoken(desk.from)]]));
    expect(watches).toBe(1);
    await desk.free();
    expect(watches).toBe(0);
  });

  it('stores read positions later even if the marks cannot be read while the disk is full', async () => {
    const desk = await leadOnFullDisk();
    const closed: Store = {
      ...desk.store,
      findRead: (positions) =>
        desk.world.database().failure === undefined
          ? desk.store.findRead(positions)
          : Promise.resolve({ ok: false, error: { kind: 'quota' } }),
    };
    const commands = createMessageCommands(desk.world.openTab(), closed, 'u_me');
    expect(await commands.markRead(new Map([[TEAM, desk.from]]))).toBe(false);
    await desk.free();
    const listReads = () =>
      desk.world.database().facts.filter(({ type }) => type === 'v1.RoomRead');
    expect(listReads()).toEqual([{ type: 'v1.RoomRead', room: TEAM, timetoken: desk.from }]);
  });

  it('keeps read positions that the disk refuses a second time', async () => {
    const desk = await leadOnFullDisk();
    let isFullAgain = true;
    const refusing: Store = {
      ...desk.store,
      append: (facts, fence) =>
        isFullAgain
          ? Promise.resolve({ ok: false, error: { kind: 'quota' } })
          : desk.store.append(facts, fence),
    };
    const commands = createMessageCommands(desk.world.openTab(), refusing, 'u_me');
    await commands.markRead(new Map([[TEAM, desk.from]]));
    await desk.free();
    const listReads = () =>
      desk.world.database().facts.filter(({ type }) => type === 'v1.RoomRead');
    expect(listReads()).toEqual([]);
    isFullAgain = false;
    desk.world.database().failure = { kind: 'quota' };
    desk.world.database().changed();
    await settle();
    await desk.free();
    expect(listReads()).toEqual([{ type: 'v1.RoomRead', room: TEAM, timetoken: desk.from }]);
  });

  it('does not leave another tab with an outdated sending failure', async () => {
    const world = new MemoryWorld();
    const store = openMemoryStore(world.database());
    await openTab(world, store);
    const link = await openTab(world, openMemoryStore(world.database()));
    world.engine.fail('publish', { kind: 'server', status: 503 });
    await store.append([queued('waits', { room: TEAM, uid: 'u_me' })]);
    await settle();
    expect(link()).toEqual({ kind: 'online', blocked: true });
    world.database().failure = { kind: 'quota' };
    world.database().changed();
    await world.clock.advance(60_000);
    expect(link()).toEqual({ kind: 'online' });
  });

  it.each([
    { idempotent: true, isClosed: true },
    { idempotent: false, isClosed: false },
  ])(
    'is not a connection problem, even if a message waits: %o',
    async ({ idempotent, isClosed }) => {
      const desk = await leadOnFullDisk(async (store, world) => {
        world.engine.idempotent = idempotent;
        world.engine.fail('publish', { kind: 'server', status: 503 });
        await store.append([queued('waits', { room: TEAM, uid: 'u_me' })]);
        await world.clock.advance(5000);
      });
      expect(desk.link()).toEqual({ kind: 'online', blocked: true });
      desk.world.database().isClosed = isClosed;
      desk.world.engine.heal();
      await desk.advance(30);
      expect(desk.link()).toEqual({ kind: 'online' });
      desk.world.database().isClosed = false;
      await desk.free();
      await desk.advance(30);
      expect(desk.world.engine.log.map(({ publisher }) => publisher)).toContain('u_me');
      expect(desk.link()).toEqual({ kind: 'online' });
    },
  );
});
