import { findGaps } from '#domain/project/segment-changes.ts';
import type { HistoryQuery } from '#domain/ports/network.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { describe, expect, it } from 'vitest';

import { GENERAL, prepareConnection, TEAM } from './prepare-connection.ts';

type World = Awaited<ReturnType<typeof prepareConnection>>['world'];

const listGaps = (world: World, room = TEAM) => {
  const known = world.database().findAllCoverage();
  return findGaps(room, known.pages.get(room), known);
};

const beatFor = async (world: World, seconds: number): Promise<void> => {
  for (let passed = 0; passed < seconds; passed += 10) {
    await world.clock.advance(10_000);
    world.engine.beat();
    await settle();
  }
};

describe('the segments of a stream', () => {
  it('do not extend to a page that was read for another room', async () => {
    const { world, store, run, stored } = await prepareConnection();
    world.engine.write(TEAM, { text: 'first' });
    let isFull = true;
    const actor = await run({
      // The position of the first beat is never stored.
      append: (facts, fence) =>
        isFull && facts.some(({ type }) => type === 'v1.ReadingBegan')
          ? Promise.resolve({ ok: false, error: { kind: 'quota' } })
          : store.append(facts, fence),
    });
    expect(world.database().findAllCoverage().segments).toHaveLength(1);
    actor.send({ type: 'network.lost' });
    isFull = false;
    world.engine.write(GENERAL, { text: 'missed' }, { silent: true });
    const read = world.engine.write(TEAM, { text: 'read' }, { silent: true });
    const { timetoken } = read;
    await store.append([
      {
        type: 'v1.HistoryPageLoaded',
        room: TEAM,
        from: timetoken,
        to: timetoken,
        reachedStart: true,
      },
    ]);
    actor.send({ type: 'network.returned' });
    await settle();
    await beatFor(world, 70);
    // It would never be read if anything covered its position.
    expect(stored(GENERAL)).toHaveLength(1);
  });

  it('end before messages that a full disk refused, although later ones are stored', async () => {
    const { world, store, run, stored } = await prepareConnection();
    let isFull = false;
    const actor = await run({
      // It stays full for large rows.
      watchSpace: () => () => undefined,
      append: (facts, fence) =>
        isFull
          ? Promise.resolve({ ok: false, error: { kind: 'quota' } })
          : store.append(facts, fence),
    });
    const kept = world.engine.write(TEAM, { text: 'kept' });
    await settle();
    isFull = true;
    const refused = world.engine.write(TEAM, { text: 'refused' });
    await settle();
    isFull = false;
    const later = world.engine.write(TEAM, { text: 'later' });
    await settle();
    expect(stored()).toEqual([kept.timetoken, later.timetoken]);
    actor.send({ type: 'network.lost' });
    await settle();
    expect(world.database().findCoverage(TEAM)?.ranges.at(-1)?.to).toBe(kept.timetoken);
    world.engine.write(TEAM, { text: 'after the absence' }, { silent: true });
    actor.send({ type: 'network.returned' });
    await settle();
    expect(stored()).toContain(refused.timetoken);
  });

  it('leave no gap in quiet rooms while the history of another room fails', async () => {
    const { world, run, count } = await prepareConnection();
    world.engine.forget();
    world.engine.rooms = [TEAM, GENERAL];
    await run();
    world.engine.write(TEAM, { text: 'before' });
    await settle();
    world.engine.signal({ type: 'ended', error: { kind: 'unreachable' } });
    world.engine.write(TEAM, { text: 'missed' }, { silent: true });
    world.engine.fail('history', { kind: 'forbidden' });
    await world.clock.advance(5000);
    expect(count('history')).toBeGreaterThan(0);
    expect(listGaps(world, GENERAL)).toEqual([]);
    expect(listGaps(world)).toHaveLength(1);
  });

  it('do not hide a message that was still in transit when the stream ended', async () => {
    const { world, run, learn, stored } = await prepareConnection();
    await learn(GENERAL);
    world.engine.forget();
    world.engine.rooms = [TEAM, GENERAL];
    await run();
    world.engine.write(GENERAL, { text: 'known' });
    await settle();
    // Accepted in another region, a moment before the next one, and not delivered yet.
    const late = world.engine.write(GENERAL, { text: 'late' }, { silent: true });
    world.engine.write(TEAM, { text: 'newer' });
    await settle();
    world.engine.signal({ type: 'ended', error: { kind: 'unreachable' } });
    await world.clock.advance(5000);
    await beatFor(world, 120);
    expect(stored(GENERAL)).toContain(late.timetoken);
  });

  it.each([true, false])(
    'are not counted again for a room that is full (rooms named: %s)',
    async (isNamed) => {
      const { world, run, learn, count } = await prepareConnection();
      await learn();
      for (let n = 0; n < 4000; n += 1) world.engine.write(TEAM, `m${n}`, { silent: true });
      world.engine.forget();
      if (isNamed) world.engine.rooms = [TEAM, GENERAL];
      await run();
      await beatFor(world, 300);
      expect([count('counts'), listGaps(world)]).toEqual([1, []]);
    },
  );

  it('are joined once a gap that retention cut in one room is read down to the cut', async () => {
    const { world, store, run, learn, stored, inLog } = await prepareConnection();
    world.engine.forget();
    world.engine.rooms = [TEAM, GENERAL];
    await learn();
    const actor = await run();
    actor.send({ type: 'network.lost' });
    for (let n = 0; n < 5; n += 1) world.engine.write(TEAM, `missed ${n}`, { silent: true });
    const missed = inLog().slice(1);
    await store.dropBefore(1, TEAM, missed[2]!);
    actor.send({ type: 'network.returned' });
    await settle();
    expect(world.database().segments).toHaveLength(1);
    expect(stored()).toEqual(missed.slice(2));
  });

  it('begin inside a full batch, whose messages are not read again', async () => {
    const { world, run, learn, stored, inLog } = await prepareConnection();
    world.engine.forget();
    world.engine.rooms = [TEAM, GENERAL];
    await learn();
    await run();
    const queries: HistoryQuery[] = [];
    const readHistory = world.engine.readHistory.bind(world.engine);
    world.engine.readHistory = (query, cancel) => {
      queries.push(query);
      return readHistory(query, cancel);
    };
    const burst = Array.from({ length: 130 }, (_, n) =>
      world.engine.write(TEAM, { text: `m${n}` }, { silent: true }),
    );
    world.engine.signal({ type: 'entries', entries: burst.slice(-100) });
    await settle();
    expect(stored()).toEqual(inLog().slice(1));
    expect(queries).toHaveLength(1);
    expect(queries[0]?.before && queries[0].before < burst[45]!.timetoken).toBe(true);
    expect(world.database().findAllCoverage()).toMatchObject({
      isNamed: true,
      segments: [{ isOpen: true }],
    });
  });

  it('are not counted for messages that the stream delivered since the last heartbeat', async () => {
    const { world, tab, store, run, count } = await prepareConnection();
    await run();
    world.engine.write(TEAM, { text: 'live' });
    const entry = world.engine.write(TEAM, { text: 'newest' });
    await settle();
    const { timetoken } = entry;
    await store.append([
      {
        type: 'v1.HistoryPageLoaded',
        room: TEAM,
        from: timetoken,
        to: timetoken,
        reachedStart: false,
      },
    ]);
    tab.environment.set('shown');
    await settle();
    expect(count('counts')).toBe(0);
  });

  it('leave no gap after a page that was read before the first stream of an engine that may lose', async () => {
    const { world, run, learn, stored, inLog } = await prepareConnection();
    world.engine.forget();
    world.engine.rooms = [TEAM, GENERAL];
    world.engine.write(TEAM, { text: 'on the page' });
    // A page of this room ends here; nothing is known of the other one.
    await learn();
    world.engine.write(GENERAL, { text: 'left out' }, { silent: true });
    const delivered = world.engine.write(GENERAL, { text: 'delivered' }, { silent: true });
    await run();
    world.engine.signal({ type: 'entries', entries: [delivered] });
    await settle();
    expect(stored(GENERAL)).toEqual(inLog(GENERAL));
    expect(listGaps(world, GENERAL)).toEqual([]);
  });

  it('cover a room that joins the subscription starting at that moment only', async () => {
    const { world, store, run } = await prepareConnection();
    world.engine.forget();
    world.engine.rooms = [TEAM];
    await run();
    world.engine.write(GENERAL, { text: 'not subscribed' }, { silent: true });
    const later = world.engine.write(TEAM, { text: 'later' });
    world.engine.rooms = [TEAM, GENERAL];
    world.engine.signal({ type: 'ended', error: { kind: 'unreachable' } });
    await world.clock.advance(5000);
    const after = world.engine.write(GENERAL, { text: 'now' });
    await settle();
    expect(world.database().floors.get(GENERAL)).toBe(after.timetoken);
    const known = await store.findCoverage(GENERAL);
    const from = known.ok ? known.value?.ranges.map((range) => range.from) : undefined;
    expect(from?.every((place) => place > later.timetoken)).toBe(true);
  });
});
