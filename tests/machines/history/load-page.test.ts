import { toRoomKey } from '#domain/rooms.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { loadPage } from '#machines/history/load-page.ts';
import { MemoryWorld } from '#tests/support/memory-ports/memory-ports.ts';
import { openMemoryStore } from '#tests/support/memory-ports/store.ts';
import { expect, it } from 'vitest';

const ROOM = toRoomKey('c_001', 'team');

/** A room of six messages, and an engine that always returns all of them. */
const prepareRoom = () => {
  const world = new MemoryWorld();
  for (let n = 0; n < 6; n += 1) world.engine.write(ROOM, { text: `message ${n}` });
  const { log } = world.engine;
  world.engine.readHistory = async () => ({
    ok: true,
    value: { entries: log.toReversed(), full: true },
  });
  const places = log.map(({ timetoken }) => timetoken) as [Timetoken, ...Timetoken[]];
  const store = openMemoryStore(world.database());
  const { signal } = new AbortController();
  return {
    places,
    load: (after: Timetoken | undefined, before: Timetoken) =>
      loadPage(
        { realtime: world.engine },
        { store },
        { room: ROOM, count: 100, before, ...(after && { after }) },
        signal,
      ),
  };
};

it('takes the requested entries from a page in any order, and covers no others', async () => {
  const { places, load } = prepareRoom();
  const page = await load(places[1], places[4]!);
  expect(page).toMatchObject({ ok: true, value: { from: places[2], reachedStart: false } });
});

it('refuses a full page without any requested entry', async () => {
  const { places, load } = prepareRoom();
  expect(await load(undefined, places[0])).toMatchObject({
    ok: false,
    error: { kind: 'malformed' },
  });
});
