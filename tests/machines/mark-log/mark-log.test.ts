import { createActor } from 'xstate';
import { afterEach, describe, expect, it } from 'vitest';

import type { Fact } from '#domain/events.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { SNAPSHOT_EVERY } from '#domain/project/log-state.ts';
import { parseMarkEntry } from '#domain/schemas/mark-payload.ts';
import type { Marks } from '#domain/schemas/marks.ts';
import { nextTimetoken, type Timetoken } from '#domain/timetoken.ts';
import { createMarkLogMachine } from '#machines/mark-log/mark-log.machine.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { MemoryWorld } from '#tests/support/memory-ports/memory-ports.ts';
import { openMemoryStore } from '#tests/support/memory-ports/store.ts';

const TEAM = toRoomKey('c_001', 'team');
const GENERAL = toRoomKey('c_001', 'general');

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** By room, without the kind. */
const toValues = (marks: Marks = new Map()): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from(marks, ([key, { value }]) => [key.replace(/^.*:/, ''), value]));

const prepare = async () => {
  const world = new MemoryWorld();
  const tab = world.openTab();
  const store = openMemoryStore(world.database());
  const fence = await store.takeFence('tab', 1);
  if (!fence.ok) throw new Error('no fence');
  const first = world.engine.write(TEAM, { text: 'one' }).timetoken;
  const read = (timetoken: Timetoken, room = TEAM): Promise<unknown> =>
    store.append([{ type: 'v1.RoomRead', room, timetoken }] satisfies Fact[]);
  const start = async () => {
    const input = {
      store,
      uid: 'u_me',
      fence: fence.value,
      log: 'own' as const,
      findStart: () => first,
    };
    const actor = createActor(createMarkLogMachine(tab), { clock: world.clock.timers, input });
    stops.push(() => actor.stop());
    actor.start();
    await settle();
    return actor;
  };
  /** What was published of rooms; a device also says where reading began. */
  const published = () =>
    world.engine.ownLog
      .map((entry) => toValues(parseMarkEntry('own', entry)?.marks))
      .filter((reads) => Object.keys(reads).length > 0);
  const listRead = async () => {
    const listed = await store.listNoted('own', undefined);
    return toValues(listed.ok ? listed.value.marks : undefined);
  };
  const wait = async (ms: number): Promise<void> => {
    await world.clock.advance(ms);
    await settle();
  };
  return { world, store, first, read, start, published, listRead, wait };
};

describe('the own log of a user', () => {
  it('is told what was read here, together if it is much', async () => {
    const { first, read, start, published, wait } = await prepare();
    await start();
    await read(first);
    await read(first, GENERAL);
    await read(nextTimetoken(first), GENERAL);
    await settle();
    expect(published()).toEqual([]);
    await wait(1000);
    expect(published()).toEqual([{ [TEAM]: first, [GENERAL]: nextTimetoken(first) }]);
    await wait(600_000);
    expect(published()).toHaveLength(1);
  });

  it('tells what was read on another device, at once', async () => {
    const { world, first, start, published, listRead } = await prepare();
    await start();
    world.engine.writeOwn({ v: 1, reads: { [TEAM]: first } });
    await settle();
    expect(await listRead()).toEqual({ [TEAM]: first });
    expect(published()).toHaveLength(1);
  });

  it('takes nothing back, and skips what cannot be read', async () => {
    const { world, first, read, start, listRead } = await prepare();
    const later = world.engine.write(TEAM, { text: 'two' }).timetoken;
    await read(later);
    await start();
    world.engine.writeOwn('hostile');
    world.engine.writeOwn({ v: 1, reads: { [TEAM]: first } });
    await settle();
    expect(await listRead()).toEqual({ [TEAM]: later });
  });

  it('publishes what was read before it was online, and reads what it missed', async () => {
    const { world, first, read, start, published, listRead } = await prepare();
    await read(first, GENERAL);
    world.engine.writeOwn({ v: 1, reads: { [TEAM]: first } });
    await start();
    expect(await listRead()).toEqual({ [TEAM]: first, [GENERAL]: first });
    expect(published().at(-1)).toEqual({ [GENERAL]: first });
  });

  it('goes on after failures of engine and store, and publishes once', async () => {
    const { world, first, read, start, published, listRead, wait } = await prepare();
    world.engine.fail('own', { kind: 'unreachable' });
    await start();
    await read(first);
    world.engine.writeOwn({ v: 1, reads: { [GENERAL]: first } });
    await wait(5000);
    expect(await listRead()).toEqual({ [TEAM]: first });
    world.engine.heal();
    world.database().failure = { kind: 'quota' };
    await wait(60_000);
    world.database().failure = undefined;
    await wait(60_000);
    expect(await listRead()).toEqual({ [TEAM]: first, [GENERAL]: first });
    expect(published().filter((reads) => reads[TEAM] === first)).toHaveLength(1);
  });

  it('gets a new token, should the engine refuse the one at hand', async () => {
    const { world, first, read, start, published, wait } = await prepare();
    await start();
    await read(first);
    let isExpired = true;
    const { own } = world.engine;
    const publish = own.publish.bind(own);
    own.publish = async (...given) =>
      isExpired ? { ok: false, error: { kind: 'unauthenticated' } } : publish(...given);
    const renew = world.engine.renewToken.bind(world.engine);
    world.engine.renewToken = () => {
      isExpired = false;
      renew();
    };
    await wait(60_000);
    expect(published()).toEqual([{ [TEAM]: first }]);
  });

  it('is read back to a page beyond a snapshot only', async () => {
    const { world, first, start } = await prepare();
    for (let n = 0; n < 500; n += 1) world.engine.writeOwn({ v: 1, reads: {} });
    const snapshot = { id: 's', part: 0, of: 1 };
    const marks = { [`read:${TEAM}`]: [0, first] };
    world.engine.writeOwn({ v: 2, marks, began: first, snapshot });
    await start();
    expect(world.engine.calls.filter(({ operation }) => operation === 'own')).toHaveLength(2);
  });

  it('gets a snapshot after so many entries', async () => {
    const { world, first, read, start, wait } = await prepare();
    await start();
    for (let n = 0; n < SNAPSHOT_EVERY; n += 1) {
      world.engine.writeOwn({ v: 1, reads: { [GENERAL]: first } });
    }
    await settle();
    await read(first);
    await wait(1000);
    expect(world.engine.ownLog.at(-1)?.payload).toMatchObject({
      marks: { [`read:${TEAM}`]: [0, first], [`read:${GENERAL}`]: [0, first] },
      snapshot: { part: 0, of: 1 },
    });
  });

  it('says once where reading began, although the engine is late or its clock behind', async () => {
    const { world, start, wait } = await prepare();
    const { own } = world.engine;
    const read = own.read.bind(own);
    let answers = 0;
    world.engine.own.read = async (...given) => {
      answers += 1;
      return answers < 30 ? { ok: true, value: { entries: [], full: false } } : read(...given);
    };
    await start();
    await wait(120_000);
    expect(world.engine.ownLog).toHaveLength(1);
    world.engine.own.read = read;
    world.engine.replace(600_000);
    await start();
    await wait(120_000);
    expect(world.engine.ownLog).toHaveLength(1);
  });

  it('is left to the tab that leads now', async () => {
    const { world, store, first, start, listRead } = await prepare();
    const actor = await start();
    await store.takeFence('other', 2);
    world.engine.writeOwn({ v: 1, reads: { [TEAM]: first } });
    await settle();
    expect(actor.getSnapshot().status).toBe('done');
    expect(await listRead()).toEqual({});
  });
});
