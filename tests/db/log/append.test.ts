import 'fake-indexeddb/auto';

import { describe, expect, it } from 'vitest';

import { toPositionKey } from '#db/facts/entry-row.ts';
import { createDevice } from '#tests/support/device.ts';
import {
  at,
  failed,
  ME,
  page,
  published,
  queued,
  received,
  retried,
  ROOM,
} from '#tests/support/facts.ts';

import { listStored } from '../dump.ts';

describe('append', () => {
  it('adds facts, projects them and counts the new ones', async () => {
    const tab = await createDevice().openTab();
    const first = await tab.append([received(at(1)), received(at(2)), page(at(1), at(2))]);
    expect(first).toEqual({ ok: true, value: 3 });
    expect(await tab.database.entries.count()).toBe(2);
    expect(await tab.findCoverage(ROOM)).toEqual({
      ok: true,
      value: { room: ROOM, ranges: [{ from: at(1), to: at(2) }], reachedStart: false },
    });
  });

  it('skips known facts, within one call and between calls', async () => {
    const tab = await createDevice().openTab();
    const facts = [received(at(1)), received(at(1), { via: 'history' }), received(at(2))];
    expect(await tab.append(facts)).toEqual({ ok: true, value: 2 });
    expect(await tab.append(facts)).toEqual({ ok: true, value: 0 });
    expect(await tab.database.entries.count()).toBe(2);
    expect(await tab.database.log.count()).toBe(0);
  });

  it('stores new facts beside known keys, also beside the keys of facts of a newer version', async () => {
    const tab = await createDevice().openTab();
    const newer = { k: toPositionKey(ROOM, at(2)), v: 9, shape: 'new' };
    await tab.database.table('entries').add(newer);
    await tab.append([queued('a'), failed('a', 1), retried('a', 2), failed('a', 3)]);
    const facts = [retried('a', 2), received(at(1)), received(at(2)), queued('a'), queued('b')];
    expect(await tab.append([...facts, ...facts])).toEqual({ ok: true, value: 2 });
    expect(await listStored(tab.database)).toMatchObject([{ timetoken: at(1) }]);
    const [first, second] = await tab.database.outbox.toArray();
    expect(first).toMatchObject({ id: 'a', seq: 1, state: 'failed' });
    expect(await tab.database.log.get(second?.seq ?? 0)).toMatchObject({ fact: queued('b') });
  });

  it('returns queued messages in the order of acceptance', async () => {
    const tab = await createDevice().openTab();
    await tab.append([queued('b'), queued('a')]);
    const next = await tab.findNextQueued(ROOM);
    expect(next).toMatchObject({ ok: true, value: { id: 'b', text: 'text of b', uid: ME } });
    await tab.append([published('b', at(5))]);
    expect(await tab.findNextQueued(ROOM)).toMatchObject({ ok: true, value: { id: 'a' } });
  });

  it('skips a refused message until it is retried, each time it is refused', async () => {
    const tab = await createDevice().openTab();
    await tab.append([queued('a'), queued('b')]);
    await tab.append([failed('a', 10)]);
    expect(await tab.findNextQueued(ROOM)).toMatchObject({ value: { id: 'b' } });
    await tab.append([retried('a', 20)]);
    expect(await tab.findNextQueued(ROOM)).toMatchObject({ value: { id: 'a' } });
    await tab.append([failed('a', 30)]);
    expect(await tab.findNextQueued(ROOM)).toMatchObject({ value: { id: 'b' } });
  });

  it('moves an acknowledged message from the outbox into the thread, under one key', async () => {
    const tab = await createDevice().openTab();
    await tab.append([queued('a')]);
    await tab.append([published('a', at(9))]);
    await tab.append([received(at(9), { publisher: ME, id: 'a', text: 'text of a' })]);
    expect(await tab.database.outbox.toArray()).toEqual([]);
    expect(await listStored(tab.database)).toMatchObject([
      { key: `${ROOM}|${ME}|a`, timetoken: at(9), text: 'text of a' },
    ]);
  });
});

describe('fence', () => {
  it('writes nothing for a leader that was replaced', async () => {
    const device = createDevice();
    const [first, second] = [await device.openTab(), await device.openTab()];
    expect(await first.takeFence('one', 1)).toEqual({ ok: true, value: 1 });
    expect(await first.append([received(at(1))], 1)).toEqual({ ok: true, value: 1 });
    expect(await second.takeFence('two', 2)).toEqual({ ok: true, value: 2 });
    expect(await first.append([received(at(2))], 1)).toEqual({
      ok: false,
      error: { kind: 'fenced' },
    });
    expect(await first.writeHeartbeat(1, 3, { kind: 'online' })).toMatchObject({
      error: { kind: 'fenced' },
    });
    expect(await second.append([received(at(2))], 2)).toEqual({ ok: true, value: 1 });
    expect(await second.writeHeartbeat(2, 4, { kind: 'online' })).toEqual({
      ok: true,
      value: undefined,
    });
    expect(await first.database.entries.count()).toBe(2);
  });

  it('refuses a fence before any tab leads', async () => {
    const tab = await createDevice().openTab();
    expect(await tab.append([received(at(1))], 1)).toMatchObject({ error: { kind: 'fenced' } });
  });
});
