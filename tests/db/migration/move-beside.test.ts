import 'fake-indexeddb/auto';

import { describe, expect, it } from 'vitest';

import { moveOld } from '#db/log/move-old.ts';
import { rebuildProjections } from '#db/log/rebuild.ts';
import { makeSpace, pruneHistory } from '#db/log/retention.ts';
import { readMessages, type ScannedMessage, scanMessages } from '#db/read/scan-messages.ts';
import type { UserDatabase } from '#db/schema/database.ts';
import { write } from '#db/schema/write.ts';
import { RETENTION_AGE_MS, RETENTION_KEPT_ALWAYS } from '#domain/limits.ts';
import { fromEpochMs } from '#domain/timetoken.ts';
import { createDevice } from '#tests/support/device.ts';
import { queued, received } from '#tests/support/facts.ts';
import { untilPasses } from '#tests/support/wait-for.ts';

import { listStored } from '../dump.ts';
import { abortForQuota } from '../user/open-on-disk.ts';
import { openOldPage, toPosition, writeOldMessages } from './old-layout.ts';
import { readAll, ROOMS, writeProfile } from './old-profile.ts';

const [ROOM = ''] = ROOMS;

const isMoved = (db: UserDatabase) =>
  untilPasses(async () => {
    expect(await db.messages.count()).toBe(0);
    expect(db.hasOld).toBe(false);
  });

/** Moves everything, and calls `beside` after each step. */
const moveWith = (db: UserDatabase, beside: () => Promise<void>) =>
  moveOld(db, async (work) => {
    const done = await write(db, db.logged, work);
    await beside();
    return done;
  });

describe('while messages of the previous version are moved', () => {
  it('another tab also moves them, and each is stored once', async () => {
    const device = createDevice();
    await writeProfile(device, 2000);
    const tabs = await Promise.all([device.openTab(), device.openTab()]);
    const [first] = tabs;
    const before = await readAll(first.database);
    await Promise.all(tabs.map((tab) => tab.prune(8, 0)));
    for (const { database } of tabs) {
      await isMoved(database);
      expect(await readAll(database)).toEqual(before);
    }
    expect(await listStored(first.database)).toHaveLength(2000);
    await rebuildProjections(first.database);
    expect(await readAll(first.database)).toEqual(before);
    expect(device.lines).toEqual([]);
    for (const tab of tabs) tab.close();
  });

  it('a message that arrives is shown once, at its position, even if it is stored in the old layout', async () => {
    const device = createDevice();
    const messages = await writeProfile(device, 2000);
    const db = device.openDatabase();
    await db.open();
    const again = messages.filter(({ room, isOnlyAcknowledged }) => {
      return room === ROOM && isOnlyAcknowledged !== true;
    });
    const echoed = messages.filter(({ isOnlyAcknowledged }) => isOnlyAcknowledged === true);
    const facts = [...again, ...echoed].flatMap(({ room, places, publisher, id }) =>
      places.map((place) => {
        const text = `text ${id ?? ''} at ${places[0]}`;
        return received(place as never, {
          room: room as never,
          publisher,
          text,
          clientName: 'Maya',
          ...(id !== undefined && { id }),
        });
      }),
    );
    const before = await readAll(db);
    const tab = await device.openTab();
    // Alternates with the steps of the move.
    for (let from = 0; from < facts.length; from += 25) {
      const stored = await tab.append(facts.slice(from, from + 25));
      expect(stored.ok).toBe(true);
      expect((await readAll(db)).texts).toEqual(before.texts);
    }
    await isMoved(tab.database);
    expect((await readAll(db)).texts).toEqual(before.texts);
    expect(await listStored(db)).toHaveLength(2000);
    await rebuildProjections(tab.database);
    expect((await readAll(tab.database)).texts).toEqual(before.texts);
    expect(device.lines).toEqual([]);
    tab.close();
    db.end();
  });

  it('a full disk stops it; nothing is lost, and it resumes once there is space', async () => {
    const device = createDevice();
    await writeProfile(device, 2000);
    const db = device.openDatabase();
    await db.open();
    const before = await readAll(db);
    let steps = 0;
    const stopped = moveWith(db, async () => {
      steps += 1;
      if (steps === 5) db.entries.hook('creating', abortForQuota);
      expect(await readAll(db)).toEqual(before);
    });
    await expect(stopped).rejects.toMatchObject({ name: 'QuotaExceededError' });
    expect(await readAll(db)).toEqual(before);
    db.end();
    const tab = await device.openTab();
    await isMoved(tab.database);
    expect(await readAll(tab.database)).toEqual(before);
    tab.close();
  });

  it('a full disk makes space for a message by pruning the old ones', async () => {
    const device = createDevice();
    await writeProfile(device, 2000);
    const db = device.openDatabase();
    await db.open();
    expect(await makeSpace(db)).toBe(2000 - ROOMS.length * 25);
    expect(await db.entries.count()).toBe(0);
    const { texts, items } = await readAll(db);
    expect(texts.map((rows) => rows.length)).toEqual(ROOMS.map(() => 25));
    expect(items.flat()).toHaveLength(2);
    // Neither facts nor coverage of the pruned messages are left.
    const tab = await device.openTab();
    await isMoved(tab.database);
    expect((await readAll(tab.database)).texts).toEqual(texts);
    for (const room of ROOMS) {
      const covered = await tab.findCoverage(room);
      const oldest = texts[ROOMS.indexOf(room)]?.[0]?.[1] ?? '';
      const [range] = (covered.ok && covered.value?.ranges) || [];
      expect([range?.from && range.from <= oldest, range?.from]).toEqual([
        true,
        expect.any(String),
      ]);
      expect((range?.from ?? '') > toPosition(1000)).toBe(true);
    }
    await rebuildProjections(tab.database);
    expect((await readAll(tab.database)).texts).toEqual(texts);
    tab.close();
    db.end();
  });

  it('retention prunes old and moved messages alike', async () => {
    const device = createDevice();
    await writeProfile(device, 2000);
    const db = device.openDatabase();
    await db.open();
    const before = await readAll(db);
    const late = Number(BigInt(toPosition(2000)) / 10_000n) + RETENTION_AGE_MS + 1000;
    let steps = 0;
    const stopped = moveWith(db, () => {
      steps += 1;
      return steps === 4 ? Promise.reject(new Error('stopped')) : Promise.resolve();
    });
    await expect(stopped).rejects.toThrow('stopped');
    expect(await db.entries.count()).toBeGreaterThan(0);
    expect(await db.messages.count()).toBeGreaterThan(0);
    // The end of the engine's log, by which a clock that is ahead is known.
    await db.table('meta').update('leader', { cursor: fromEpochMs(late) });
    await pruneHistory(db, 7, late);
    const kept = before.texts.map((rows) => rows.slice(-RETENTION_KEPT_ALWAYS));
    expect((await readAll(db)).texts).toEqual(kept);
    expect((await readAll(db)).items).toEqual(before.items);
    db.end();
    const tab = await device.openTab();
    await isMoved(tab.database);
    expect((await readAll(tab.database)).texts).toEqual(kept);
    await rebuildProjections(tab.database);
    expect((await readAll(tab.database)).texts).toEqual(kept);
    tab.close();
  });

  it('the search finds every message once', async () => {
    const device = createDevice();
    const messages = await writeProfile(device, 1000);
    const db = device.openDatabase();
    await db.open();
    const scan = async (): Promise<readonly string[]> => {
      const found: ScannedMessage[] = [];
      await scanMessages(db.name, (some) => found.push(...some));
      return found.map(({ text }) => text ?? '').toSorted();
    };
    Object.assign(globalThis, { indexedDB: device.options.indexedDB?.indexedDB });
    const all = await scan();
    expect(all).toHaveLength(1000);
    await moveWith(db, async () => expect(await scan()).toEqual(all));
    // An older page reads some of them again.
    const old = await openOldPage(device);
    await writeOldMessages(
      old,
      messages.slice(0, 200).filter(({ publisher }) => publisher !== 'u_me'),
    );
    expect(await db.messages.count()).toBeGreaterThan(100);
    expect(await scan()).toEqual(all);
    const keys: readonly string[] = await db.messages.toCollection().primaryKeys();
    expect(await readMessages(db.name, keys)).toEqual([]);
    const entryKeys = await db.entries.limit(10).primaryKeys();
    const changed = await readMessages(db.name, entryKeys);
    expect(changed.map(({ key }) => key)).toEqual(entryKeys);
    expect(changed.every(({ oldKey }) => oldKey?.startsWith(ROOM.slice(0, 4)))).toBe(true);
    old.close();
    db.end();
  });
});

it('two messages of two publishers with one id stay two messages', async () => {
  const device = createDevice();
  const old = await openOldPage(device);
  const id = 'the-same';
  await writeOldMessages(old, [
    { room: ROOM, places: [toPosition(1)], publisher: 'u_a', id },
    { room: ROOM, places: [toPosition(2)], publisher: 'u_b', id },
  ]);
  old.close();
  const tab = await device.openTab();
  await isMoved(tab.database);
  await tab.append([queued('mine')]);
  const stored = await listStored(tab.database);
  expect(stored.map(({ publisher, timetoken }) => [publisher, timetoken])).toEqual([
    ['u_a', toPosition(1)],
    ['u_b', toPosition(2)],
  ]);
  tab.close();
});
