import { expect } from 'vitest';

import type { HistoryPage } from '#domain/ports/network.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { LogEntry } from '#domain/schemas/message.ts';
import { type Timetoken, TIMETOKEN_MAX, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import { type Case, countUp, type Harness, mustGet, never, toTexts } from '../realtime-harness.ts';

export const HISTORY_CASES: Readonly<Record<string, Case>> = {
  'of an empty room is an empty page that is not full': async (harness) => {
    expect(await harness.history(25)).toEqual({ entries: [], full: false });
  },
  'is full exactly if it has as many entries as were requested': async (harness) => {
    await harness.publishAll(countUp(25));
    const [less, exact, more] = [
      await harness.history(24),
      await harness.history(25),
      await harness.history(26),
    ];
    expect([less.full, exact.full, more.full]).toEqual([true, true, false]);
    expect([less, exact, more].map(({ entries }) => entries.length)).toEqual([24, 25, 25]);
    expect(toTexts(less.entries)).toEqual(countUp(25).slice(1));
  },
  'excludes both bounds': async (harness) => {
    const timetokens = await harness.publishAll(countUp(5));
    const [first, , third, , fifth] = timetokens as [
      Timetoken,
      Timetoken,
      Timetoken,
      Timetoken,
      Timetoken,
    ];
    expect(toTexts((await harness.history(10, { before: third })).entries)).toEqual(countUp(2));
    expect(toTexts((await harness.history(10, { after: third })).entries)).toEqual(
      countUp(5).slice(3),
    );
    const inner = await harness.history(10, { after: first, before: fifth });
    expect(toTexts(inner.entries)).toEqual(countUp(5).slice(1, 4));
  },
  'after the newest, before the oldest or between neighbours is empty': async (harness) => {
    const [first, second] = (await harness.publishAll(countUp(2))) as [Timetoken, Timetoken];
    const empty = { entries: [], full: false };
    expect(await harness.history(10, { after: second })).toEqual(empty);
    expect(await harness.history(10, { before: first })).toEqual(empty);
    expect(await harness.history(10, { after: first, before: second })).toEqual(empty);
    expect(await harness.history(10, { after: TIMETOKEN_MAX })).toEqual(empty);
    expect(await harness.history(10, { before: TIMETOKEN_ZERO })).toEqual(empty);
  },
  'with `after` alone is the newest page, not the one next to it': async (harness) => {
    const timetokens = await harness.publishAll(countUp(10));
    const page = await harness.history(3, { after: timetokens[0]! });
    expect(toTexts(page.entries)).toEqual(countUp(10).slice(7));
    expect(page.full).toBe(true);
  },
  'read backwards page by page is the whole log, without duplicates': async (harness) => {
    await harness.publishAll(countUp(53));
    const pages: LogEntry[][] = [];
    let before: Timetoken | undefined;
    for (let full = true; full;) {
      const page = await harness.history(10, before === undefined ? {} : { before });
      pages.unshift([...page.entries]);
      before = page.entries[0]?.timetoken;
      full = page.full;
    }
    expect(toTexts(pages.flat())).toEqual(countUp(53));
    expect(pages.map((page) => page.length)).toEqual([3, 10, 10, 10, 10, 10]);
  },
  'serves pages of 1 and of 100': async (harness) => {
    await harness.publishAll(countUp(101));
    expect(toTexts((await harness.history(1)).entries)).toEqual(['message 101']);
    const page = await harness.history(100);
    expect(toTexts(page.entries)).toEqual(countUp(101).slice(1));
    expect(page.full).toBe(true);
  },
  'keeps rooms apart': async (harness) => {
    for (const room of harness.rooms) await harness.publish(room, room);
    for (const room of harness.rooms) {
      const page = mustGet(await harness.realtime.readHistory({ room, count: 10 }, never));
      expect(toTexts(page.entries)).toEqual([room]);
      expect(page.entries[0]?.room).toBe(room);
    }
  },
};

/** Requests the rooms that an answer omits again, until each has a page. */
const readNewest = async (
  { realtime }: Harness,
  rooms: readonly RoomKey[],
): Promise<ReadonlyMap<RoomKey, HistoryPage>> => {
  const pages = new Map<RoomKey, HistoryPage>();
  while (pages.size < rooms.length) {
    const left = rooms.filter((room) => !pages.has(room));
    for (const page of mustGet(await realtime.readNewest(left, never))) pages.set(...page);
  }
  return pages;
};

export const NEWEST_CASES: Readonly<Record<string, Case>> = {
  'are the newest 25 entries of each room, oldest first': async (harness) => {
    const [team, general, producers] = harness.rooms;
    await harness.publishAll(countUp(26), team);
    await harness.publishAll(countUp(25), general);
    const pages = await readNewest(harness, harness.rooms);
    expect(pages.size).toBe(3);
    expect(toTexts(pages.get(team)?.entries ?? [])).toEqual(countUp(26).slice(1));
    expect(toTexts(pages.get(general)?.entries ?? [])).toEqual(countUp(25));
    expect(pages.get(producers)).toEqual({ entries: [], full: false });
    expect([pages.get(team)?.full, pages.get(general)?.full]).toEqual([true, true]);
    expect(pages.get(general)?.entries.every(({ room }) => room === general)).toBe(true);
  },
  'are the pages that each room has for itself': async (harness) => {
    await harness.publishAll(countUp(5));
    const pages = await readNewest(harness, [harness.room]);
    expect(pages).toEqual(new Map([[harness.room, await harness.history(25)]]));
  },
  'of no rooms are none': async (harness) => {
    expect(mustGet(await harness.realtime.readNewest([], never)).size).toBe(0);
  },
};

export const COUNT_CASES: Readonly<Record<string, Case>> = {
  'counts the entries after each timetoken': async (harness) => {
    const [team, general, producers] = harness.rooms;
    const timetokens = await harness.publishAll(countUp(30), team);
    const only = await harness.publish('one', general);
    const since = new Map<RoomKey, Timetoken>([
      [team, timetokens[9]!],
      [general, only],
      [producers, TIMETOKEN_ZERO],
    ]);
    const counts = mustGet(await harness.realtime.countSince(since, never));
    expect([counts.get(team), counts.get(general), counts.get(producers)]).toEqual([20, 0, 0]);
  },
  'counts a whole room from zero and nothing from the end': async (harness) => {
    await harness.publishAll(countUp(3));
    const from = (since: Timetoken) =>
      harness.realtime.countSince(new Map([[harness.room, since]]), never);
    expect(mustGet(await from(TIMETOKEN_ZERO)).get(harness.room)).toBe(3);
    expect(mustGet(await from(TIMETOKEN_MAX)).get(harness.room)).toBe(0);
  },
  'answers no rooms with no counts': async (harness) => {
    expect(mustGet(await harness.realtime.countSince(new Map(), never)).size).toBe(0);
  },
};
