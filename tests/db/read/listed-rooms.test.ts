import 'fake-indexeddb/auto';

import { expect, it } from 'vitest';

import { type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, ME, received } from '#tests/support/facts.ts';
import { untilPasses } from '#tests/support/wait-for.ts';

const CLIENTS = ['c_001', 'c_002'];
const [FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH] = CLIENTS.flatMap((client) =>
  (['team', 'general', 'producers'] as const).map((room) => toRoomKey(client, room)),
);

it('begins with the rooms that have a mark of the user, which may have no message here', async () => {
  const store = await createDevice().openTab();
  const seen: (readonly RoomKey[])[] = [];
  store.watchRooms((rooms) => seen.push(rooms));
  const client = { first_name: 'Maya', last_name: 'Okafor' };
  await store.saveTeams(
    CLIENTS.map((client_id) => ({ client_id, client })),
    1,
  );
  await untilPasses(() =>
    expect(seen.at(-1)).toEqual([FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH]),
  );
  const mark = (kind: 'taken' | 'reminder', room: RoomKey, value: string) =>
    store.recordMarks([{ kind, room, value }]);
  await mark('taken', FOURTH!, ME);
  await mark('taken', SECOND!, 'u_other');
  await mark('reminder', FIFTH!, `${at(9)}.${at(1)}`);
  await store.append([received(at(3), { room: SIXTH! })]);
  await store.recordUnread(new Map([[SIXTH!, { from: at(2) }]]));
  await untilPasses(() =>
    expect(seen.at(-1)).toEqual([FOURTH, FIFTH, SIXTH, FIRST, SECOND, THIRD]),
  );
  await store.recordMarks([{ kind: 'taken', room: FOURTH!, value: '' }]);
  const read = await store.findRead(new Map([[SIXTH!, at(3)]]));
  await store.append(read.ok ? read.value : []);
  await untilPasses(() =>
    expect(seen.at(-1)).toEqual([FIFTH, FIRST, SECOND, THIRD, FOURTH, SIXTH]),
  );
});
