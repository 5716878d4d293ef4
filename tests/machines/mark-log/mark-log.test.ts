import { afterEach, describe, expect, it } from 'vitest';

import { nextTimetoken, type Timetoken } from '#domain/timetoken.ts';
import { MARK_LOG_FAILURES_MAX, MARK_LOG_START_MS } from '#machines/kit/leader-limits.ts';
import { settle } from '#tests/support/fake-clock.ts';

import { GENERAL, prepare, stopAll, TEAM } from './user-log.ts';

afterEach(stopAll);

/** The device has shared two read positions; a restored backup lacks the later one, returned here. */
const loseLast = async ({
  world,
  first,
  hide,
  read,
  start,
  wait,
}: Awaited<ReturnType<typeof prepare>>): Promise<Timetoken> => {
  const later = nextTimetoken(first);
  const actor = await start();
  for (const position of [first, later]) {
    await read(position);
    await wait(1000);
  }
  actor.stop();
  hide(...world.engine.userLog.slice(-1).map(({ timetoken }) => timetoken));
  return later;
};

describe('the user log', () => {
  it('gets the read positions of this device, several in one entry', async () => {
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

  it('applies read positions of another device at once', async () => {
    const { world, first, start, published, listRead } = await prepare();
    await start();
    world.engine.writeOwn({ v: 1, reads: { [TEAM]: first } });
    await settle();
    expect(await listRead()).toEqual({ [TEAM]: first });
    expect(published()).toHaveLength(1);
  });

  it('applies them at once on an engine whose log lags, also those that appear out of order', async () => {
    const { world, first, hide, start, listRead, wait } = await prepare();
    world.engine.complete = false;
    await start();
    hide(world.engine.writeOwn({ v: 1, reads: { [TEAM]: first } }));
    await settle();
    expect(await listRead()).toEqual({ [TEAM]: first });
    // The stream did not deliver this one, and the log shows a later entry first.
    hide(world.engine.writeOwn({ v: 1, reads: { [GENERAL]: first } }, true));
    world.engine.writeOwn({ v: 1, reads: { [TEAM]: nextTimetoken(first) } });
    await wait(1000);
    hide();
    await wait(10_000);
    expect(await listRead()).toEqual({ [TEAM]: nextTimetoken(first), [GENERAL]: first });
  });

  it('never moves a read position back, and skips unreadable entries', async () => {
    const { world, first, read, start, listRead } = await prepare();
    const later = world.engine.write(TEAM, { text: 'two' }).timetoken;
    await read(later);
    await start();
    world.engine.writeOwn('hostile');
    world.engine.writeOwn({ v: 1, reads: { [TEAM]: first } });
    await settle();
    expect(await listRead()).toEqual({ [TEAM]: later });
  });

  it('gets read positions from before it was online, and delivers missed entries', async () => {
    const { world, first, read, start, published, listRead } = await prepare();
    await read(first, GENERAL);
    world.engine.writeOwn({ v: 1, reads: { [TEAM]: first } });
    await start();
    expect(await listRead()).toEqual({ [TEAM]: first, [GENERAL]: first });
    expect(published().at(-1)).toEqual({ [GENERAL]: first });
  });

  it('gets again what a restored backup lacks, also if other entries follow', async () => {
    const prepared = await prepare();
    const { world, first, start, published, listRead, wait } = prepared;
    const later = await loseLast(prepared);
    world.engine.writeOwn({ v: 1, reads: { [GENERAL]: first } });
    await start();
    await wait(1000);
    expect(published().at(-1)).toEqual({ [TEAM]: later });
    expect(await listRead()).toEqual({ [TEAM]: later, [GENERAL]: first });
    await wait(600_000);
    expect(published()).toHaveLength(4);
  });

  it('gets it again also if so many follow that a snapshot ends the reading', async () => {
    const prepared = await prepare();
    const { world, first, start, published, wait } = prepared;
    const later = await loseLast(prepared);
    const marks = { [`read:${TEAM}`]: [0, first], [`read:${GENERAL}`]: [0, first] };
    let upTo: Timetoken | undefined;
    for (let n = 0; n < 300; n += 1) upTo = world.engine.writeOwn({ v: 2, marks });
    const snapshot = { id: 's', part: 0, of: 1, upTo };
    world.engine.writeOwn({ v: 2, marks, began: first, snapshot });
    await start();
    await wait(1000);
    expect(published().at(-1)).toMatchObject({ [TEAM]: later });
  });

  it('recovers from failures of engine and store, and gets each position once', async () => {
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

  it('gets a new token if the engine refuses the current one', async () => {
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

  it('waits as long as the engine requests', async () => {
    const { world, first, read, start, published, wait } = await prepare();
    await start();
    const { own } = world.engine;
    const publish = own.publish.bind(own);
    let tries = 0;
    own.publish = async (...given) => {
      tries += 1;
      const limited = { kind: 'limited', retryAfterMs: 45_000 } as const;
      return tries === 1 ? { ok: false, error: limited } : publish(...given);
    };
    await read(first);
    await wait(44_000);
    expect(tries).toBe(1);
    await wait(60_000);
    expect(published()).toEqual([{ [TEAM]: first }]);
  });

  it('gets the start of reading once, even if the engine is late or its clock behind', async () => {
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
    expect(world.engine.userLog).toHaveLength(1);
    world.engine.own.read = read;
    world.engine.replace(600_000);
    await start();
    await wait(120_000);
    expect(world.engine.userLog).toHaveLength(1);
  });

  it('has a few attempts again after each answer, before a new device begins without it', async () => {
    const { world, first, start, findBegan, wait } = await prepare();
    let known: Timetoken | undefined;
    world.engine.fail('own', { kind: 'unreachable' }, MARK_LOG_FAILURES_MAX);
    const actor = await start(() => known);
    while (!actor.getSnapshot().matches('awaitingStart')) await wait(1000);
    world.engine.fail('own', { kind: 'unreachable' });
    world.engine.writeOwn({ v: 1, reads: { [TEAM]: first } });
    known = first;
    await wait(MARK_LOG_START_MS);
    expect(await findBegan()).toBeUndefined();
    await wait(60_000);
    expect(await findBegan()).toBe(first);
  });

  it('is left to the new leading tab', async () => {
    const { world, store, first, start, listRead } = await prepare();
    const actor = await start();
    await store.takeFence('other', 2);
    world.engine.writeOwn({ v: 1, reads: { [TEAM]: first } });
    await settle();
    expect(actor.getSnapshot().status).toBe('done');
    expect(await listRead()).toEqual({});
  });
});
