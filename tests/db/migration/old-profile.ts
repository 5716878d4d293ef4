import type { UserDatabase } from '#db/schema/database.ts';
import { findThreadParts } from '#db/read/queries.ts';
import { listUnreadMarks } from '#db/facts/list-unread-marks.ts';
import { countUnread, toUnread } from '#db/read/unread.ts';
import { ROOM_IDS, toRoomKey } from '#domain/rooms.ts';
import { TIMETOKEN_ZERO } from '#domain/timetoken.ts';
import type { Device } from '#tests/support/device.ts';

import {
  type OldMessage,
  openOldPage,
  toPosition,
  writeOldCoverage,
  writeOldMessages,
} from './old-layout.ts';

export const ROOMS = ['c_001', 'c_002'].flatMap((client) =>
  ROOM_IDS.map((id) => toRoomKey(client, id)),
);

/** One message of each kind, then others, evenly in all rooms. */
const toMessage = (n: number): OldMessage => {
  const room = ROOMS[n % ROOMS.length] ?? '';
  const places = [toPosition(n)];
  switch (Math.floor(n / ROOMS.length) % 50) {
    case 0:
      return { room, places, publisher: 'u_client' };
    case 1:
      return { room, places, publisher: 'u_me', id: `acked-${n}`, isOnlyAcknowledged: true };
    case 2:
      return { room, places, publisher: 'u_me', id: `mine-${n}` };
    case 3:
      return {
        room,
        places: [...places, toPosition(n + 30_000)],
        publisher: 'u_client',
        id: `c-${n}`,
      };
    default: {
      const id = `01890a5d-ac96-774b-bcce-${n.toString(16).padStart(12, '0')}`;
      return { room, places, publisher: 'u_client', id };
    }
  }
};

/** The profile of a user of version 3: messages, a draft, an unsent and a refused message. */
export const writeProfile = async (
  device: Device,
  count: number,
): Promise<readonly OldMessage[]> => {
  const db = await openOldPage(device);
  const messages = Array.from({ length: count }, (_, n) => toMessage(n));
  await writeOldMessages(db, messages);
  for (const room of ROOMS)
    await writeOldCoverage(db, room, TIMETOKEN_ZERO, toPosition(count - 50));
  const segment = { type: 'v1.StreamOpened', after: toPosition(count - 50) };
  const began = { type: 'v1.ReadingBegan', timetoken: toPosition(count - 100) };
  const log = db.table('log');
  await log.add({ key: `page|*|${segment.after}`, at: 1, v: 1, fact: segment });
  await log.add({ key: 'began', at: 1, v: 1, fact: began });
  const item = { room: ROOMS[0], uid: 'u_me', at: 1, v: 1 };
  for (const [id, state] of [
    ['unsent', 'queued'],
    ['refused', 'failed'],
  ] as const) {
    const fact = { type: 'v1.MessageQueued', ...item, id, text: `${id} text` };
    const seq = await log.add({ key: `queued|${id}`, at: 1, v: 1, fact });
    const reason = state === 'failed' ? { reason: 'No' } : {};
    await db.table('outbox').add({ ...item, id, seq, text: `${id} text`, state, ...reason });
  }
  const failed = { type: 'v1.PublishFailed', id: 'refused', room: ROOMS[0], reason: 'No', at: 5 };
  await log.add({ key: 'failed|refused|5', at: 1, v: 1, fact: failed });
  await db.table('drafts').add({ tab: 'gone', texts: [[ROOMS[1], 'Half a thought']], at: 1, v: 1 });
  const link = { kind: 'online' };
  const cursor = toPosition(count);
  const leader = { fence: 7, tabId: 't', at: 1, link, cursor, since: segment.after };
  await db.table('meta').bulkAdd([
    { key: 'projection', version: 2, v: 1 },
    { key: 'leader', ...leader, v: 1 },
  ]);
  const none = { pending: 0, v: 1, readUpTo: TIMETOKEN_ZERO };
  await db
    .table('activity')
    .add({ room: '*', ...none, newest: TIMETOKEN_ZERO, readUpTo: began.timetoken });
  for (const room of ROOMS) {
    const received = messages.filter((one) => one.room === room && one.isOnlyAcknowledged !== true);
    const newest = received
      .flatMap(({ places }) => places)
      .toSorted()
      .at(-1);
    await db.table('activity').add({ room, ...none, newest, pending: 1 });
  }
  db.close();
  return messages;
};

/** The content of every room, and the unread counts, as a user sees them. */
export const readAll = async (db: UserDatabase) => {
  const threads = await Promise.all(ROOMS.map((room) => findThreadParts(db, room, TIMETOKEN_ZERO)));
  return {
    texts: threads.map(({ rows }) =>
      rows.map(({ key, timetoken, text }) => [key, timetoken, text]),
    ),
    items: threads.map(({ items }) => items.map(({ id, state, text }) => [id, state, text])),
    unread: Object.fromEntries(
      toUnread((await countUnread(db, await listUnreadMarks(db))) ?? new Map()),
    ),
  };
};
