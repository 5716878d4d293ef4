import { beforeEach, describe, expect, it } from 'vitest';

import { listMarks } from '#db/facts/list-marks.ts';
import type { UserStore } from '#db/user/user-store.ts';
import { type ChangedMark, toReminderValue } from '#domain/schemas/marks.ts';
import type { MarkChange } from '#domain/ports/storage.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, ROOM } from '#tests/support/facts.ts';

type Kind = ChangedMark['kind'];

const toReminder = (due: number): string => toReminderValue({ due: at(due), upTo: at(0) });

let phone: UserStore;
let computer: UserStore;
beforeEach(async () => {
  phone = await createDevice().openTab();
  computer = await createDevice().openTab();
});

const set = (store: UserStore, kind: Kind, value: string, expected?: string) =>
  store.recordMarks([
    { kind, room: ROOM, value, ...(expected !== undefined && { expected }) } as MarkChange,
  ]);

const find = async ({ database }: UserStore, kind: Kind) =>
  (await listMarks(database)).get(`${kind}:${ROOM}`);

/** Each device reads the other one's mark; both values afterwards. */
const exchange = async (kind: Kind): Promise<readonly (string | undefined)[]> => {
  const devices = [phone, computer];
  const marks = await Promise.all(devices.map((store) => find(store, kind)));
  for (const store of devices) {
    for (const mark of marks) {
      if (mark) await store.append([{ type: 'v1.RoomMarked', kind, room: ROOM, ...mark }]);
    }
  }
  return Promise.all(devices.map(async (store) => (await find(store, kind))?.value));
};

describe('a change made after another device last synced its marks', () => {
  it.each([
    ['later', 9000],
    ['earlier', 500],
  ])('a reminder moved to a %s time survives a removal on an offline device', async (_, due) => {
    await set(phone, 'reminder', toReminder(1000));
    await exchange('reminder');
    await set(phone, 'reminder', '');
    await set(computer, 'reminder', toReminder(due));
    expect(await exchange('reminder')).toEqual([toReminder(due), toReminder(due)]);
  });

  it.each([
    ['u_alice', 'u_bob'],
    ['u_bob', 'u_alice'],
  ])('a room that %s released offline stays with %s, who took it over', async (before, after) => {
    await set(phone, 'taken', before);
    await exchange('taken');
    await set(phone, 'taken', '');
    await set(computer, 'taken', after);
    expect(await exchange('taken')).toEqual([after, after]);
  });

  it('a room is taken by somebody after it was released by its owner', async () => {
    await set(phone, 'taken', 'u_bob');
    await set(phone, 'taken', '');
    await exchange('taken');
    await set(computer, 'taken', 'u_alice');
    expect(await exchange('taken')).toEqual(['u_alice', 'u_alice']);
  });
});

describe('an Undo', () => {
  it('does not take a room from the colleague who took it meanwhile', async () => {
    await set(phone, 'taken', 'u_alice');
    await exchange('taken');
    await set(computer, 'taken', 'u_bob');
    await exchange('taken');
    await set(phone, 'taken', '', 'u_alice');
    expect(await exchange('taken')).toEqual(['u_bob', 'u_bob']);
    await set(computer, 'taken', 'u_alice', 'u_bob');
    expect(await exchange('taken')).toEqual(['u_alice', 'u_alice']);
  });

  it('does not undo the Done of a colleague about later messages', async () => {
    const undo = (expected: number) =>
      phone.recordMarks([
        { kind: 'done', room: ROOM, value: at(1), back: true, expected: at(expected) },
      ]);
    await set(phone, 'done', at(2));
    await exchange('done');
    await set(computer, 'done', at(3));
    await exchange('done');
    await undo(2);
    expect(await exchange('done')).toEqual([at(3), at(3)]);
    await undo(3);
    expect(await exchange('done')).toEqual([at(1), at(1)]);
  });

  it('does not remove a reminder that was set again', async () => {
    await set(phone, 'reminder', toReminder(1000));
    await set(phone, 'reminder', toReminder(2000));
    await set(phone, 'reminder', '', toReminder(1000));
    expect((await find(phone, 'reminder'))?.value).toBe(toReminder(2000));
    await set(phone, 'reminder', '', toReminder(2000));
    expect((await find(phone, 'reminder'))?.value).toBe('');
    // Undoing the removal.
    await set(phone, 'reminder', toReminder(2000), '');
    expect((await find(phone, 'reminder'))?.value).toBe(toReminder(2000));
  });
});
