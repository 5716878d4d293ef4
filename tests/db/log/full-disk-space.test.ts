import { describe, expect, it } from 'vitest';

import { listUnreadMarks } from '#db/facts/list-unread-marks.ts';
import { countUnread, toUnread } from '#db/read/unread.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { toUnreadValue } from '#domain/schemas/unread-mark.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, queued, received, ROOM, roomRead } from '#tests/support/facts.ts';

import { abortForQuota } from '../user/open-on-disk.ts';

const OTHER = toRoomKey('c_002', 'general');

/** A full disk with 100 messages each in a room that was read, and in one with 60 unread ones. */
const onFullDisk = async () => {
  const tab = await createDevice().openTab();
  const many = Array.from({ length: 100 }, (_, n) => n + 1);
  await tab.append([
    { type: 'v1.ReadingBegan', timetoken: at(0) },
    ...many.map((n) => received(at(n))),
    ...many.map((n) => received(at(n), { room: OTHER })),
    roomRead(at(100)),
    roomRead(at(40), OTHER),
  ]);
  tab.database.log.hook('creating', abortForQuota);
  const count = async () => {
    const unread = toUnread(
      (await countUnread(tab.database, await listUnreadMarks(tab.database))) ?? new Map(),
    );
    return unread.get(OTHER)?.count;
  };
  return { tab, count, stored: () => tab.database.entries.count() };
};

describe('on a full disk', () => {
  it('a mark deletes read messages only', async () => {
    const { tab, count, stored } = await onFullDisk();
    const value = toUnreadValue({ from: at(9), upTo: at(10) });
    const mark = { type: 'v1.RoomMarked', kind: 'unread', room: ROOM, turn: 1, value } as const;
    expect(await tab.append([mark])).toMatchObject({ ok: false, error: { kind: 'quota' } });
    expect([await count(), await stored()]).toEqual([60, 25 + 61]);
  });

  it('a message that does not fit even then deletes unread ones as well', async () => {
    const { tab, count, stored } = await onFullDisk();
    expect(await tab.append([queued('one')])).toMatchObject({ error: { kind: 'quota' } });
    expect([await count(), await stored()]).toEqual([25, 25 + 25]);
  });

  it('a tab that wants to lead deletes read messages only, and leads', async () => {
    const { tab, count, stored } = await onFullDisk();
    const { entries, meta } = tab.database;
    let isFull = true;
    entries.hook('deleting', () => void (isFull = false));
    meta.hook('creating', () => (isFull ? abortForQuota() : undefined));
    expect(await tab.takeFence('tab-1', 0)).toEqual({ ok: true, value: 1 });
    expect([await count(), await stored()]).toEqual([60, 25 + 61]);
  });
});
