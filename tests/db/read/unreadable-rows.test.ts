import 'fake-indexeddb/auto';

import { describe, expect, it } from 'vitest';

import { findThreadParts } from '#db/read/queries.ts';

import { toPositionKey } from '#db/facts/entry-row.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, failed, ME, page, queued, received, ROOM, roomRead } from '#tests/support/facts.ts';
import { untilPasses } from '#tests/support/wait-for.ts';

/** A store with a message, a queued message and coverage, and its raw tables. */
const openWithRows = async () => {
  const device = createDevice();
  const tab = await device.openTab();
  await tab.append([received(at(1)), received(at(2)), page(at(1), at(2))]);
  await tab.append([queued('a'), queued('b')]);
  return { device, tab, db: tab.database };
};

it('a damaged list of the rooms of the stream is replaced when the stream opens', async () => {
  const { tab, db } = await openWithRows();
  await tab.takeFence('tab-1', 0);
  await db.table('meta').put({ key: 'subscribed', rooms: null, v: 1 });
  expect(await tab.findAllCoverage()).toMatchObject({ ok: true, value: { isNamed: false } });
  const opening = { after: at(3), resumes: false, rooms: [ROOM] };
  expect(await tab.openSegment(1, opening)).toMatchObject({ ok: true });
  expect(await tab.findAllCoverage()).toMatchObject({ value: { rooms: [ROOM], isNamed: true } });
});

describe('an unreadable stored row', () => {
  it('is omitted from the thread, without affecting others, and gone after a rebuild', async () => {
    const { device, db } = await openWithRows();
    const k = toPositionKey(ROOM, at(1));
    await db.table('entries').put({ k, p: 'u_other', t: 42, v: 1 });
    const { rows } = await findThreadParts(db, ROOM, at(0));
    expect(rows.map(({ timetoken }) => timetoken)).toEqual([at(2)]);
    await untilPasses(async () => expect(await db.entries.get(k)).toBeUndefined());
    expect(device.lines).toMatchObject([
      { level: 'error', code: 'STORED_ROW_UNREADABLE', details: { table: 'entries' } },
    ]);
  });

  it('is gone after a rebuild, whatever the type of its key', async () => {
    const { db } = await openWithRows();
    const lost = [7, 'nowhere', `${ROOM}|?`];
    for (const k of lost) await db.table('entries').put({ k, t: 'text', v: 1 });
    await findThreadParts(db, ROOM, at(0));
    await db.table('entries').put({ k: toPositionKey(ROOM, at(3)), v: 1 });
    await findThreadParts(db, ROOM, at(0));
    await untilPasses(async () => {
      expect(await db.table('entries').bulkGet(lost)).toEqual([undefined, undefined, undefined]);
    });
  });

  it('loses no accepted message: the outbox is rebuilt from the log', async () => {
    const { device, tab, db } = await openWithRows();
    await tab.append([failed('b', 1)]);
    await db.table('outbox').put({ id: 'a', room: ROOM, seq: 4, state: 'sideways', v: 1 });
    await db.table('outbox').put({ id: 'b', seq: 'late', v: 1 });
    expect(await tab.findNextQueued(ROOM)).toEqual({ ok: true, value: undefined });
    tab.close();
    const again = await device.openTab();
    expect(await again.findNextQueued(ROOM)).toMatchObject({ value: { id: 'a', seq: 2 } });
    expect(await again.database.outbox.get('b')).toMatchObject({
      state: 'failed',
      text: 'text of b',
    });
    expect(device.lines).toMatchObject([{ code: 'STORED_ROW_UNREADABLE' }]);
  });

  it('is rebuilt at the head of the outbox before later messages are sent', async () => {
    const { device, tab, db } = await openWithRows();
    await db.table('outbox').put({ id: 'a', room: ROOM, seq: 2, state: 'queued', v: 1 });
    const [next, again] = await Promise.all([tab.findNextQueued(ROOM), tab.findNextQueued(ROOM)]);
    expect([next, again]).toMatchObject([{ value: { id: 'a', seq: 2 } }, { value: { id: 'a' } }]);
    expect(device.lines).toMatchObject([{ code: 'STORED_ROW_UNREADABLE' }]);
  });

  it('is skipped in the outbox if the log has no facts about it', async () => {
    const { tab, db } = await openWithRows();
    await db.table('outbox').put({ id: 'x', room: ROOM, seq: 2, state: 'queued', v: 1 });
    expect(await tab.findNextQueued(ROOM)).toMatchObject({ value: { id: 'a' } });
  });

  it('loses no coverage', async () => {
    const { tab, db } = await openWithRows();
    await tab.append([page(at(5), at(6))]);
    const before = await tab.findCoverage(ROOM);
    await db.table('coverage').put({ room: ROOM, ranges: 'all', v: 1 });
    await tab.findCoverage(ROOM);
    await untilPasses(async () => expect(await tab.findCoverage(ROOM)).toEqual(before));
  });

  it('is rebuilt with the fact that needs it, whatever else is damaged', async () => {
    const { device, tab, db } = await openWithRows();
    await db.table('outbox').put({ id: 'a', v: 1 });
    await db.table('outbox').put({ id: 'b', v: 1 });
    await db.table('coverage').put({ room: ROOM, ranges: 'all', v: 1 });
    await tab.append([failed('a', 1), page(at(5), at(6))]);
    expect(await db.outbox.get('a')).toMatchObject({ state: 'failed', text: 'text of a' });
    expect(await db.outbox.get('b')).toMatchObject({ state: 'queued', text: 'text of b' });
    expect(await tab.findCoverage(ROOM)).toMatchObject({
      value: { ranges: [{ from: at(1) }, { from: at(5), to: at(6) }] },
    });
    expect(device.lines).toMatchObject([{ code: 'STORED_ROW_UNREADABLE' }]);
    const echo = received(at(7), { publisher: ME, id: 'a' });
    expect(await tab.append([echo])).toEqual({ ok: true, value: 1 });
    expect(await db.outbox.get('a')).toBeUndefined();
  });

  it('causes one rebuild per start: if it is damaged again, it is omitted until the next start', async () => {
    const { device, tab, db } = await openWithRows();
    const spoil = () => db.table('outbox').put({ id: 'a', room: ROOM, seq: 2, state: 'queued' });
    await spoil();
    expect(await tab.findNextQueued(ROOM)).toMatchObject({ value: { id: 'a' } });
    await spoil();
    expect(await tab.findNextQueued(ROOM)).toMatchObject({ value: { id: 'b' } });
    await tab.append([failed('a', 1), received(at(3))]);
    const { rows, items } = await findThreadParts(db, ROOM, at(0));
    expect(rows).toHaveLength(3);
    expect(items.map(({ id }) => id)).toEqual(['b']);
    expect(device.lines).toHaveLength(1);
    tab.close();
    const again = await device.openTab();
    expect(await again.database.outbox.get('a')).toMatchObject({ state: 'failed' });
  });

  it('is omitted if the disk refuses the rebuild, which is logged', async () => {
    const { device, tab, db } = await openWithRows();
    await db.table('entries').put({ k: toPositionKey(ROOM, at(9)), p: 'x', t: 42, v: 1 });
    db.entries.hook('deleting', () => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    const read = () => findThreadParts(db, ROOM, at(0));
    expect((await read()).rows).toHaveLength(2);
    await untilPasses(() =>
      expect(device.lines).toMatchObject([
        { code: 'STORED_ROW_UNREADABLE' },
        { code: 'STORAGE_REBUILD_FAILED', details: { kind: 'quota' } },
      ]),
    );
    expect((await read()).rows).toHaveLength(2);
    expect(await tab.findNextQueued(ROOM)).toMatchObject({ value: { id: 'a' } });
    expect(device.lines).toHaveLength(2);
  });

  it('is rebuilt by the next append if the disk refused the rebuild: no room becomes unread', async () => {
    const { device, tab, db } = await openWithRows();
    await tab.append([roomRead(at(2))]);
    const damaged = { room: ROOM, newest: 7, v: 1 };
    await db.table('activity').put(damaged);
    const refuse = (): never => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    db.entries.hook('creating', refuse);
    expect(await tab.append([received(at(3))])).toMatchObject({ error: { kind: 'quota' } });
    expect(await db.activity.get(ROOM)).toEqual(damaged);
    db.entries.hook('creating').unsubscribe(refuse);
    expect(await tab.append([roomRead(at(1))])).toEqual({ ok: true, value: 1 });
    expect(await db.activity.get(ROOM)).toMatchObject({ readUpTo: at(2), pending: 0 });
    const codes = new Set(device.lines.map(({ code }) => code));
    expect([...codes]).toEqual(['STORED_ROW_UNREADABLE']);
  });

  it('is not overwritten if the rebuild of this start was already made', async () => {
    const { device, tab, db } = await openWithRows();
    await tab.append([roomRead(at(2))]);
    const damaged = { room: ROOM, newest: 7, v: 1 };
    await db.table('activity').put(damaged);
    await tab.append([received(at(3))]);
    expect(await db.activity.get(ROOM)).toMatchObject({ newest: at(3), readUpTo: at(2) });
    await db.table('activity').put(damaged);
    expect(await tab.append([received(at(4))])).toEqual({ ok: true, value: 1 });
    expect(await db.activity.get(ROOM)).toEqual(damaged);
    tab.close();
    const again = await device.openTab();
    await again.append([received(at(5))]);
    expect(await again.database.activity.get(ROOM)).toMatchObject({
      newest: at(5),
      readUpTo: at(2),
    });
  });

  it('is not changed if a newer version wrote it', async () => {
    const { device, db } = await openWithRows();
    const newer = { id: 'z', room: ROOM, seq: 99, state: 'scheduled', v: 3 };
    await db.table('outbox').put(newer);
    const { items } = await findThreadParts(db, ROOM, at(0));
    expect(items.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(await db.table('outbox').get('z')).toEqual(newer);
    expect(device.lines).toEqual([]);
  });

  it('does not prevent reading fetched lists or the leader', async () => {
    const { tab, db } = await openWithRows();
    await db.table('documents').put({ key: 'teams', fetchedAt: 'noon' });
    await db.table('meta').put({ key: 'leader', fence: 'one' });
    expect(await tab.findTeamsFetchedAt()).toEqual({ ok: true, value: undefined });
    await db.table('documents').put({ key: 'teams', value: 'nobody', fetchedAt: 1 });
    expect(await tab.findTeamsFetchedAt()).toEqual({ ok: true, value: undefined });
    await db.table('documents').put({ key: 'teams', value: [{}], fetchedAt: 1 });
    expect(await tab.findTeamsFetchedAt()).toEqual({ ok: true, value: undefined });
    await db.table('documents').put({ key: 'teams', value: [], fetchedAt: 1 });
    expect(await tab.findTeamsFetchedAt()).toEqual({ ok: true, value: 1 });
    expect(await tab.takeFence('tab', 1)).toEqual({ ok: true, value: 1 });
  });
});
