import type { HistoryPage } from '#domain/ports/network.ts';
import { ok } from '#domain/result.ts';
import type { LogEntry } from '#domain/schemas/message.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { expect, it } from 'vitest';

import { GENERAL, prepareConnection, TEAM } from './prepare-connection.ts';

type World = Awaited<ReturnType<typeof prepareConnection>>['world'];

/** Histories and counts lack an entry; the value shows it. */
const hide = ({ engine }: World, { room, timetoken }: LogEntry) => {
  let isHidden = true;
  const without = (page: HistoryPage): HistoryPage => ({
    ...page,
    entries: page.entries.filter((entry) => !isHidden || entry.timetoken !== timetoken),
  });
  const { readHistory, readNewest, countSince } = engine;
  engine.readHistory = async (...given) => {
    const page = await readHistory(...given);
    return page.ok ? ok(without(page.value)) : page;
  };
  engine.readNewest = async (...given) => {
    const pages = await readNewest(...given);
    const toShown = (all: ReadonlyMap<LogEntry['room'], HistoryPage>) =>
      new Map(Array.from(all, ([at, page]) => [at, without(page)]));
    return pages.ok ? ok(toShown(pages.value)) : pages;
  };
  engine.countSince = async (since, cancel) => {
    const counts = await countSince(since, cancel);
    if (!counts.ok || !isHidden || (since.get(room) ?? timetoken) >= timetoken) return counts;
    return ok(new Map(counts.value).set(room, (counts.value.get(room) ?? 0) - 1));
  };
  return () => {
    isHidden = false;
  };
};

it('a first stream after a page that was read also delivers what histories lack elsewhere', async () => {
  const { world, run, learn, stored } = await prepareConnection();
  world.engine.complete = false;
  world.engine.rooms = [TEAM, GENERAL];
  const late = world.engine.write(GENERAL, { text: 'stored late' }, { silent: true });
  const show = hide(world, late);
  // A room was opened before the first stream.
  await learn(TEAM);
  await run();
  await world.clock.advance(3000);
  show();
  world.engine.beat();
  await settle();
  await world.clock.advance(60_000);
  expect(stored(GENERAL)).toEqual([late.timetoken]);
});
