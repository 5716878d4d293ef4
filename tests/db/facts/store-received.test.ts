import 'fake-indexeddb/auto';

import { describe, expect, it } from 'vitest';

import { toPositionKey } from '#db/facts/entry-row.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, attempted, ME, published, queued, received, ROOM } from '#tests/support/facts.ts';

import { listStored } from '../dump.ts';

const openTab = async () => {
  const tab = await createDevice().openTab();
  const db = tab.database;
  const stored = async () => {
    const rows = await listStored(db);
    return rows.map(({ publisher, timetoken, text }) => [publisher, timetoken, text]);
  };
  const copies = async () =>
    (await db.log.toArray()).flatMap(({ fact }) => ('publisher' in fact ? [fact.timetoken] : []));
  return { tab, db, stored, copies };
};

describe('a received message', () => {
  it('is stored once, and not in the log', async () => {
    const { tab, db, stored } = await openTab();
    expect(await tab.append([received(at(1), { id: 'a' })])).toEqual({ ok: true, value: 1 });
    expect(await stored()).toEqual([['u_other', at(1), `text at ${at(1)}`]]);
    expect(await db.log.count()).toBe(0);
    expect(await db.messages.count()).toBe(0);
  });

  it('is stored at the smallest position of its copies, which the log has', async () => {
    const { tab, stored, copies } = await openTab();
    expect(await tab.append([received(at(5), { id: 'a' }), received(at(9), { id: 'a' })])).toEqual({
      ok: true,
      value: 2,
    });
    expect(await tab.append([received(at(3), { id: 'a' }), received(at(7), { id: 'a' })])).toEqual({
      ok: true,
      value: 2,
    });
    expect(await tab.append([3, 5, 7, 9].map((n) => received(at(n), { id: 'a' })))).toEqual({
      ok: true,
      value: 0,
    });
    expect(await stored()).toEqual([['u_other', at(3), `text at ${at(3)}`]]);
    expect((await copies()).toSorted()).toEqual([at(5), at(7), at(9)]);
  });

  it('counts as stored if its position holds another one, which stays', async () => {
    const { tab, db, stored } = await openTab();
    await tab.append([received(at(1), { id: 'a' }), queued('mine')]);
    const other = received(at(1), { publisher: ME, id: 'mine', text: 'other' });
    expect(await tab.append([other])).toEqual({ ok: true, value: 0 });
    expect(await stored()).toEqual([['u_other', at(1), `text at ${at(1)}`]]);
    // The queued message did not arrive.
    expect(await db.outbox.count()).toBe(1);
    const copy = received(at(2), { publisher: ME, id: 'mine', text: 'other' });
    expect(await tab.append([other, copy])).toEqual({ ok: true, value: 1 });
    expect(await stored()).toContainEqual([ME, at(2), 'other']);
    expect(await db.outbox.count()).toBe(0);
  });

  it('replaces an unreadable one at its position', async () => {
    const { tab, db, stored } = await openTab();
    await db.table('entries').put({ k: toPositionKey(ROOM, at(1)), f: 'x', v: 1 });
    expect(await tab.append([received(at(1), { id: 'a' })])).toEqual({ ok: true, value: 1 });
    expect(await stored()).toEqual([['u_other', at(1), `text at ${at(1)}`]]);
  });
});

describe('a message that the user sent', () => {
  it('is stored at its acknowledged position, beside others there, until it returns', async () => {
    const { tab, db, stored } = await openTab();
    await tab.append([queued('a'), queued('b'), received(at(5))]);
    await tab.append([published('a', at(5)), published('b', at(5))]);
    expect(new Set((await stored()).map(([, , text]) => text))).toEqual(
      new Set([`text at ${at(5)}`, 'text of a', 'text of b']),
    );
    await tab.append([received(at(5), { publisher: ME, id: 'a', text: 'text of a' })]);
    expect(await db.entries.count()).toBe(3);
  });

  it('is replaced by its echo, and keeps its smaller position', async () => {
    const { tab, stored, copies } = await openTab();
    await tab.append([queued('a'), queued('b')]);
    await tab.append([published('a', at(5)), published('b', at(6))]);
    const echoes = [5, 8].map((n, i) =>
      received(at(n), { publisher: ME, id: i === 0 ? 'a' : 'b', text: 'as sent' }),
    );
    await tab.append(echoes);
    expect(await stored()).toEqual([
      [ME, at(5), 'as sent'],
      [ME, at(6), 'text of b'],
    ]);
    expect(await copies()).toEqual([at(8)]);
  });

  it('moves to the acknowledged position if it was received before its acknowledgement', async () => {
    const { tab, stored, copies } = await openTab();
    await tab.append([queued('a')]);
    await tab.append([received(at(8), { publisher: ME, id: 'a', text: 'as sent' })]);
    await tab.append([published('a', at(6))]);
    expect(await stored()).toEqual([[ME, at(6), 'as sent']]);
    expect(await copies()).toEqual([at(8)]);
  });

  it('is neither looked up nor sent again if it was attempted and is stored', async () => {
    const { tab, db } = await openTab();
    await tab.append([queued('a'), attempted('a', at(1)), queued('b')]);
    const items = await db.outbox.toArray();
    await tab.append([received(at(5), { publisher: ME, id: 'a' })]);
    // A page of an earlier version cannot read where the message is stored, and queues it again.
    await db.outbox.bulkPut(items);
    expect(await tab.findNextQueued(ROOM)).toMatchObject({ value: { id: 'b' } });
    expect((await db.outbox.toArray()).map(({ id }) => id)).toEqual(['b']);
    expect(await db.entries.count()).toBe(1);
  });
});
