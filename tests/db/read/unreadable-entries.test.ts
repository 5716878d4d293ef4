import 'fake-indexeddb/auto';

import { describe, expect, it } from 'vitest';

import { toPositionKey } from '#db/facts/entry-row.ts';
import { rebuildProjections } from '#db/log/rebuild.ts';
import { findThreadParts } from '#db/read/queries.ts';
import { nextTimetoken, previousTimetoken } from '#domain/timetoken.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, ME, page, published, queued, received, ROOM } from '#tests/support/facts.ts';
import { untilPasses } from '#tests/support/wait-for.ts';

import { listStored } from '../dump.ts';

/** A store with two messages and their coverage, and two queued messages. */
const openWithRows = async () => {
  const tab = await createDevice().openTab();
  await tab.append([received(at(1)), received(at(2)), page(at(1), at(2))]);
  await tab.append([queued('a'), queued('b')]);
  return { tab, db: tab.database };
};

describe('an unreadable message', () => {
  it('is fetched again: its position is no longer covered', async () => {
    const { tab, db } = await openWithRows();
    await tab.append([page(at(0), at(9))]);
    await tab.takeFence('tab', 1);
    await tab.openSegment(1, { after: at(0), resumes: false });
    await tab.writeHeartbeat(1, 1, { kind: 'online' }, at(12));
    const k = toPositionKey(ROOM, at(2));
    await db.table('entries').put({ k, v: 1 });
    await findThreadParts(db, ROOM, at(0));
    const rangesAround = [
      { from: at(0), to: previousTimetoken(at(2)) },
      { from: nextTimetoken(at(2)), to: at(12) },
    ];
    await untilPasses(async () =>
      expect(await tab.findCoverage(ROOM)).toMatchObject({ value: { ranges: rangesAround } }),
    );
    expect(await tab.append([received(at(2)), page(at(2), at(2))])).toEqual({ ok: true, value: 2 });
    expect(await listStored(db)).toHaveLength(2);
    expect(await tab.findCoverage(ROOM)).toMatchObject({
      value: { ranges: [{ from: at(0), to: at(12) }] },
    });
  });

  it('is replaced when its message arrives again', async () => {
    const { tab, db } = await openWithRows();
    await tab.append([received(at(3), { id: 'x' })]);
    const [{ k, f } = { k: '', f: '' }] = await db.entries.where('f').above('').toArray();
    await db.table('entries').put({ k, f, v: 1 });
    await tab.append([received(at(3), { id: 'x' })]);
    await db.table('entries').delete(toPositionKey(ROOM, at(3)));
    await db.table('entries').put({ k: 'lost', f, v: 1 });
    await tab.append([received(at(3), { id: 'x' })]);
    expect(await listStored(db)).toMatchObject([{}, {}, { timetoken: at(3) }]);
    expect(await db.entries.count()).toBe(3);
  });

  it('is made again from the log if the user sent it and it was acknowledged', async () => {
    const { tab, db } = await openWithRows();
    await tab.append([published('b', at(5))]);
    const before = await db.entries.toArray();
    const own = before.at(-1);
    await db.table('entries').put({ k: own?.k, f: own?.f, v: 1 });
    await findThreadParts(db, ROOM, at(0));
    await untilPasses(async () => expect(await db.entries.toArray()).toEqual(before));
    expect((await db.outbox.toArray()).map(({ id }) => id)).toEqual(['a']);
  });

  it('is replaced by a further copy of its message, if there is one', async () => {
    const { tab, db } = await openWithRows();
    await tab.append([received(at(3), { id: 'x' }), received(at(4), { id: 'x' })]);
    const first = await db.entries.get(toPositionKey(ROOM, at(3)));
    await db.table('entries').put({ k: first?.k, f: first?.f, v: 1 });
    await findThreadParts(db, ROOM, at(0));
    await untilPasses(async () =>
      expect(await listStored(db)).toMatchObject([{}, {}, { timetoken: at(4) }]),
    );
    expect(await db.log.where('key').startsWith('copy|').count()).toBe(0);
  });

  it('keeps its copies if only a newer version can read it, and is not sent', async () => {
    const { tab, db } = await openWithRows();
    await tab.append([received(at(3), { publisher: ME, id: 'a' })]);
    await tab.append([received(at(4), { publisher: ME, id: 'a' })]);
    const first = await db.entries.get(toPositionKey(ROOM, at(3)));
    const newer = { k: first?.k, f: first?.f, shape: 'new', v: 9 };
    await db.table('entries').put(newer);
    await tab.append([received(at(5), { publisher: ME, id: 'a' })]);
    await rebuildProjections(db);
    expect(await db.entries.get(toPositionKey(ROOM, at(3)))).toEqual(newer);
    expect(await db.log.where('key').startsWith('copy|').count()).toBe(2);
    expect((await db.outbox.toArray()).map(({ id }) => id)).toEqual(['b']);
  });
});
