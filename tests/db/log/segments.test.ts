import { describe, expect, it } from 'vitest';

import { findShownStreamed } from '#db/read/stream-coverage.ts';
import { pruneHistory } from '#db/log/retention.ts';
import { rebuildProjections } from '#db/log/rebuild.ts';
import { PROJECTION_VERSION } from '#db/schema/schema.ts';
import { ROW_VERSION } from '#db/schema/tables.ts';
import { takeFence } from '#db/user/leading.ts';
import type { UserStore } from '#db/user/user-store.ts';
import { RETENTION_AGE_MS } from '#domain/limits.ts';
import { findGaps } from '#domain/project/segment-changes.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { fromEpochMs, nextTimetoken, toEpochMs } from '#domain/timetoken.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, page, received, ROOM } from '#tests/support/facts.ts';

import { listStored } from '../dump.ts';

const OTHER = toRoomKey('c_002', 'team');

/** A leading tab whose stream began after `at(0)`. */
const lead = async () => {
  const device = createDevice();
  const tab = await device.openTab();
  await tab.takeFence('tab-1', 0);
  await tab.openSegment(1, { after: at(0), resumes: false });
  return { device, tab };
};

const rangesOf = async (tab: UserStore, room = ROOM) => {
  const known = await tab.findCoverage(room);
  return known.ok ? known.value?.ranges : undefined;
};
const heartbeat = (tab: UserStore, n: number, fence = 1) =>
  tab.writeHeartbeat(fence, n, { kind: 'online' }, at(n));

describe('a segment of the stream', () => {
  it('covers rooms that were never opened, up to the position of the heartbeat', async () => {
    const { tab } = await lead();
    await tab.append([received(at(3))], 1);
    expect(await tab.findCoverage(OTHER)).toMatchObject({ value: { ranges: [], since: at(0) } });
    await heartbeat(tab, 5);
    expect(await rangesOf(tab, OTHER)).toEqual([{ from: nextTimetoken(at(0)), to: at(5) }]);
  });

  it('adds no row to the log while it grows', async () => {
    const { tab } = await lead();
    const before = await tab.database.log.count();
    for (let n = 1; n < 50; n += 1) await heartbeat(tab, n);
    expect(await tab.database.log.count()).toBe(before);
  });

  it('ends at the last heartbeat when another tab leads, and continues if nothing is left out', async () => {
    const { device, tab } = await lead();
    await heartbeat(tab, 5);
    const next = await device.openTab();
    await next.takeFence('tab-2', 9);
    await next.writeHeartbeat(2, 9, { kind: 'online' }, at(9));
    expect((await findShownStreamed(next.database)).segments).toMatchObject([{ to: at(5) }]);
    expect(await rangesOf(next)).toEqual([{ from: nextTimetoken(at(0)), to: at(5) }]);
    await next.openSegment(2, { after: at(5), resumes: true });
    expect(await rangesOf(next)).toEqual([{ from: nextTimetoken(at(0)), to: at(9) }]);
  });

  it('leaves a gap before the next one if something may be left out', async () => {
    const { tab } = await lead();
    await heartbeat(tab, 50_000);
    await tab.openSegment(1, { after: at(80_000), resumes: false, upTo: at(60_000) });
    await heartbeat(tab, 90_000);
    // The last five seconds before it are not reliable.
    const [first, second] = [
      { from: nextTimetoken(at(0)), to: at(55_000) },
      { from: nextTimetoken(at(80_000)), to: at(90_000) },
    ];
    expect(await rangesOf(tab)).toEqual([first, second]);
    await tab.dropBefore(1, OTHER, nextTimetoken(at(80_000)));
    await tab.joinSegments(1, { after: at(55_000), to: at(80_000) });
    expect(await rangesOf(tab)).toEqual([{ from: first.from, to: at(90_000) }]);
    expect(await rangesOf(tab, OTHER)).toEqual([second]);
  });

  it('survives a rebuild, and is ignored by earlier versions without harm', async () => {
    const { tab } = await lead();
    await heartbeat(tab, 5);
    await tab.closeSegment(1, at(5));
    await tab.append([page(at(7), at(8))]);
    const before = [await rangesOf(tab), await rangesOf(tab, OTHER)];
    await rebuildProjections(tab.database);
    expect([await rangesOf(tab), await rangesOf(tab, OTHER)]).toEqual(before);
    expect(await tab.database.coverage.toArray()).toHaveLength(1);
  });

  it('survives a rebuild in the background, during which it grows', async () => {
    const { device, tab } = await lead();
    await tab.append([received(at(3)), page(at(7), at(8))], 1);
    await heartbeat(tab, 5);
    const version = { key: 'projection', version: PROJECTION_VERSION - 1, v: ROW_VERSION } as const;
    await tab.database.meta.put(version);
    await tab.database.coverage.clear();
    const next = await device.openTab();
    await tab.append([received(at(6))], 1);
    await heartbeat(tab, 6);
    await next.database.rebuilt;
    const all = { from: nextTimetoken(at(0)), to: at(6) };
    expect(await rangesOf(next)).toEqual([all, { from: at(7), to: at(8) }]);
    expect(await rangesOf(next, OTHER)).toEqual([all]);
    expect(await next.database.entries.count()).toBe(2);
  });

  it('ends at the last position of the replaced leader, without a batch it still writes', async () => {
    const { device, tab } = await lead();
    await tab.append([received(at(3))], 1);
    await heartbeat(tab, 3);
    const next = await device.openTab();
    // The store loads this part first; here its transaction begins before those of the replaced
    // leader.
    const [taken, late, written] = await Promise.all([
      takeFence(next.database, 'tab-2', 4),
      tab.append([received(at(4))], 1),
      heartbeat(tab, 4),
    ]);
    expect(taken).toBe(2);
    const fenced = { ok: false, error: { kind: 'fenced' } };
    expect([late, written]).toEqual([fenced, fenced]);
    expect(await rangesOf(next)).toEqual([{ from: nextTimetoken(at(0)), to: at(3) }]);
  });

  it('does not grow under a leader of an earlier version, which may leave something out', async () => {
    const { device, tab } = await lead();
    await heartbeat(tab, 3);
    // Its heartbeat lacks the fields that it does not support.
    const old = { fence: 2, tabId: 'old', at: 4, link: { kind: 'online' }, cursor: at(9) } as const;
    await tab.database.meta.put({ key: 'leader', ...old, v: ROW_VERSION });
    expect(await rangesOf(tab)).toEqual([]);
    const next = await device.openTab();
    await next.takeFence('tab-2', 10);
    await next.openSegment(3, { after: at(9), resumes: true });
    await heartbeat(next, 11, 3);
    expect(await rangesOf(next)).toEqual([{ from: nextTimetoken(at(9)), to: at(11) }]);
  });

  it('is cleared by an earlier version that clears the pages of a replaced log', async () => {
    const { tab } = await lead();
    await heartbeat(tab, 5);
    await tab.append([page(at(1), at(2))]);
    await tab.database.log.where('key').startsWith('page|').delete();
    await tab.database.coverage.clear();
    expect(await tab.findCoverage(ROOM)).toEqual({ ok: true, value: undefined });
  });

  it('stays open when the gap before it is filled, even if a batch began before that', async () => {
    const { tab } = await lead();
    await heartbeat(tab, 50_000);
    await tab.openSegment(1, { after: at(200_000), resumes: false, upTo: at(50_000) });
    // The first poll after the absence answers with a full batch of older messages.
    await tab.openSegment(1, { after: at(150_000), resumes: false, upTo: at(50_000) });
    await heartbeat(tab, 150_000);
    await tab.joinSegments(1, { after: at(45_000), to: at(200_000) });
    await heartbeat(tab, 300_000);
    const known = await tab.findAllCoverage();
    expect(known.ok && known.value.segments).toEqual([
      { after: at(0), to: at(300_000), isOpen: true },
    ]);
  });

  it('is not joined to the segments of another log', async () => {
    const { tab } = await lead();
    await heartbeat(tab, 5);
    await tab.openSegment(1, { after: at(20), resumes: false, upTo: at(5) });
    await tab.forgetCoverage(1);
    await tab.joinSegments(1, { after: at(5), to: at(20) });
    expect(await tab.findCoverage(ROOM)).toEqual({ ok: true, value: undefined });
  });

  it('is refused to a tab that no longer leads', async () => {
    const { device, tab } = await lead();
    const next = await device.openTab();
    await next.takeFence('tab-2', 1);
    const fenced = { ok: false, error: { kind: 'fenced' } };
    expect(await tab.openSegment(1, { after: at(9), resumes: false })).toEqual(fenced);
    expect(await tab.closeSegment(1, at(9))).toEqual(fenced);
    expect(await tab.joinSegments(1, { after: at(1), to: at(2) })).toEqual(fenced);
    expect(await tab.dropBefore(1, ROOM, at(1))).toEqual(fenced);
  });

  it('is cleared with the coverage of a log that was replaced', async () => {
    const { tab } = await lead();
    await heartbeat(tab, 5);
    await tab.forgetCoverage(1);
    expect(await tab.findCoverage(OTHER)).toEqual({ ok: true, value: undefined });
    await tab.openSegment(1, { after: at(2), resumes: true });
    expect(await rangesOf(tab, OTHER)).toEqual([]);
  });

  it('covers a room that joined the subscription, starting at that moment', async () => {
    const { tab } = await lead();
    await tab.openSegment(1, { after: at(1), resumes: false, rooms: [ROOM] });
    await heartbeat(tab, 3);
    await tab.openSegment(1, { after: at(3), resumes: false, rooms: [ROOM, OTHER], upTo: at(3) });
    await heartbeat(tab, 5);
    expect(await rangesOf(tab, OTHER)).toEqual([{ from: nextTimetoken(at(3)), to: at(5) }]);
    const known = await tab.findAllCoverage();
    expect(known).toMatchObject({ value: { rooms: [ROOM, OTHER], isNamed: true } });
  });
});

describe('the rooms of a stream', () => {
  it('are all rooms of the user once an engine names none', async () => {
    const { tab } = await lead();
    await tab.openSegment(1, { after: at(1), resumes: false, rooms: [ROOM] });
    await tab.openSegment(1, { after: at(2), resumes: false });
    expect(await tab.findAllCoverage()).toMatchObject({ value: { isNamed: false } });
  });
});

describe('retention', () => {
  it('prunes rooms with messages from the stream only, and their coverage', async () => {
    const { tab } = await lead();
    const count = 300;
    await tab.append(
      Array.from({ length: count }, (_, n) => received(at(n + 1))),
      1,
    );
    const now = toEpochMs(at(count)) + 2 * RETENTION_AGE_MS;
    await tab.writeHeartbeat(1, now, { kind: 'online' }, fromEpochMs(now));
    expect(await pruneHistory(tab.database, 1, now)).toBe(100);
    const [oldest] = await listStored(tab.database);
    expect(await rangesOf(tab)).toEqual([{ from: nextTimetoken(at(100)), to: fromEpochMs(now) }]);
    expect(oldest?.timetoken).toBe(at(101));
  });

  it('keeps a gap that is not read yet, although nothing older is stored', async () => {
    const { tab } = await lead();
    await heartbeat(tab, 5);
    await tab.openSegment(1, { after: at(8), resumes: false, upTo: at(5) });
    await tab.append([received(at(9))], 1);
    await heartbeat(tab, 9);
    await pruneHistory(tab.database, 1, 0);
    const known = await tab.findAllCoverage();
    expect(known.ok && findGaps(OTHER, undefined, known.value)).toEqual([
      { after: at(0), to: at(8) },
    ]);
  });
});
