import 'fake-indexeddb/auto';

import type { Dexie } from 'dexie';
import { describe, expect, it } from 'vitest';

import { moveOld } from '#db/log/move-old.ts';
import type { UserDatabase } from '#db/schema/database.ts';
import { write } from '#db/schema/write.ts';
import { rebuildProjections } from '#db/log/rebuild.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { createDevice } from '#tests/support/device.ts';
import { untilPasses, waitFor } from '#tests/support/wait-for.ts';

import { listStored } from '../dump.ts';
import {
  type OldMessage,
  openOldPage,
  readAsOldPage,
  toPosition,
  writeOldCoverage,
  writeOldMessages,
} from './old-layout.ts';
import { readAll, ROOMS, writeProfile } from './old-profile.ts';

const COUNT = 10_000;

const isMoved = (db: UserDatabase) =>
  untilPasses(async () => {
    expect(await db.messages.count()).toBe(0);
    expect(db.hasOld).toBe(false);
  });

/** A page of version 3 never treats a room as complete where it cannot see messages. */
const checkOldPage = async (old: Dexie, messages: readonly OldMessage[]): Promise<void> => {
  for (const room of ROOMS) {
    const { places, complete } = await old.transaction(
      'r',
      ['messages', 'coverage', 'log'],
      async () => readAsOldPage(old, room),
    );
    const seen = new Set(places);
    const missing = messages.filter(
      (message) =>
        message.room === room &&
        !seen.has(message.places[0] ?? '') &&
        complete.some(
          ({ from, to }) => from <= (message.places[0] ?? '') && (message.places[0] ?? '') <= to,
        ),
    );
    expect(missing).toEqual([]);
  }
};

describe('a profile of the previous version', () => {
  it('opens with everything in it, and loses nothing, even when killed during the move', async () => {
    const device = createDevice();
    const messages = await writeProfile(device, COUNT);
    const first = await device.openTab();
    const before = await readAll(first.database);
    expect(before.texts.flat()).toHaveLength(COUNT);
    expect(before.items.flat()).toEqual([
      ['unsent', 'queued', 'unsent text'],
      ['refused', 'failed', 'refused text'],
    ]);
    expect(Object.keys(before.unread)).toHaveLength(ROOMS.length);
    const coverage = await Promise.all(ROOMS.map((room) => first.findCoverage(room)));
    let moved = 0;
    first.database.entries.hook('creating', () => {
      moved += 1;
      if (moved === COUNT / 2) queueMicrotask(() => first.close());
    });
    await waitFor('the kill', () => first.database.isEnded);
    const again = await device.openTab();
    const left = await again.database.messages.count();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(COUNT);
    expect(await readAll(again.database)).toEqual(before);
    await isMoved(again.database);
    expect(await readAll(again.database)).toEqual(before);
    expect(await listStored(again.database)).toHaveLength(COUNT);
    expect(await Promise.all(ROOMS.map((room) => again.findCoverage(room)))).toEqual(coverage);
    const keys = (await again.database.log.orderBy('key').keys()).map(String);
    expect(keys.filter((key) => /^(?:received|page\|[^+])/.test(key))).toEqual([]);
    const copies = messages.filter(({ places }) => places.length > 1);
    expect(keys.filter((key) => key.startsWith('copy|'))).toHaveLength(copies.length);
    const drafts = await again.takeDrafts('t', new Set());
    expect(drafts.ok && [...drafts.value.values()]).toEqual(['Half a thought']);
    await rebuildProjections(again.database);
    expect(await readAll(again.database)).toEqual(before);
    expect(device.lines).toEqual([]);
    again.close();
  });

  it('never shows gaps to a page of that version, and takes over its writes', async () => {
    const device = createDevice();
    const messages = await writeProfile(device, 2000);
    // An older page that is still open continues with the newer database.
    const db = device.openDatabase();
    await db.open();
    const old = await openOldPage(device);
    let steps = 0;
    await moveOld(db, async (work) => {
      const done = await write(db, db.logged, work);
      await checkOldPage(old, messages);
      steps += 1;
      return done;
    });
    expect(steps).toBeGreaterThan(2 * ROOMS.length);
    db.end();
    const tab = await device.openTab();
    const { database } = tab;
    expect(database.hasOld).toBe(false);
    for (const room of ROOMS) {
      expect(await readAsOldPage(old, room)).toEqual({ places: [], complete: [] });
    }
    const before = await readAll(database);
    const late = [
      { room: ROOMS[0] ?? '', places: [toPosition(3000)], publisher: 'u_client', id: 'late' },
      {
        room: ROOMS[0] ?? '',
        places: [`${toPosition(54).slice(0, -1)}5`],
        publisher: 'u_client',
        id: 'again',
      },
    ];
    await writeOldMessages(old, [...late, ...messages.slice(0, 6)]);
    await writeOldCoverage(old, ROOMS[0] ?? '', toPosition(2990), toPosition(3000));
    await untilPasses(() => expect(database.hasOld).toBe(true));
    const both = await readAll(database);
    const ids = both.texts[0]
      ?.map(([, , text]) => text)
      .filter((text) => / late | again /.test(text ?? ''));
    expect(ids).toHaveLength(2);
    expect(both.texts[0]).toHaveLength((before.texts[0]?.length ?? 0) + 2);
    expect(both.texts.slice(1)).toEqual(before.texts.slice(1));
    const covered = await tab.findCoverage(toRoomKey('c_001', 'team'));
    expect(covered).toMatchObject({ value: { ranges: [{}, { from: toPosition(2990) }] } });
    tab.close();
    old.close();
    const again = await device.openTab();
    await isMoved(again.database);
    expect((await readAll(again.database)).texts).toEqual(both.texts);
    expect(await again.findCoverage(toRoomKey('c_001', 'team'))).toEqual(covered);
    again.close();
  });
});
