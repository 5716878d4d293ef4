import 'fake-indexeddb/auto';

import { expect, test } from 'vitest';

import { META } from '#db/schema/tables.ts';
import { changeNotificationChoice, findNotificationChoice } from '#db/user/notifications.ts';
import { DEFAULT_NOTIFICATIONS } from '#domain/schemas/notification.ts';
import { createDevice } from '#tests/support/device.ts';

test('notifications are off until they are turned on, and stay so across a restart', async () => {
  const device = createDevice();
  const tab = await device.openTab();
  expect(await findNotificationChoice(tab.database)).toEqual(DEFAULT_NOTIFICATIONS);
  await changeNotificationChoice(tab, (before) => ({ ...before, isOn: true }));
  const again = await device.openTab();
  expect(await findNotificationChoice(again.database)).toEqual({
    ...DEFAULT_NOTIFICATIONS,
    isOn: true,
  });
});

test('two tabs that change different parts at once lose neither change', async () => {
  const device = createDevice();
  const [one, two] = [await device.openTab(), await device.openTab()];
  await Promise.all([
    changeNotificationChoice(one, (before) => ({ ...before, hasSound: true })),
    changeNotificationChoice(two, (before) => ({ ...before, mutedClients: ['c_1'] })),
  ]);
  expect(await findNotificationChoice(one.database)).toMatchObject({
    hasSound: true,
    mutedClients: ['c_1'],
  });
});

test.each([
  7,
  { isOn: 'yes' },
  { ...DEFAULT_NOTIFICATIONS, isOn: true, quiet: { from: 1440, to: 0 } },
  { ...DEFAULT_NOTIFICATIONS, isOn: true, mutedRooms: [{}] },
])('an unreadable choice (%j) counts as the default', async (choice) => {
  const { database } = await createDevice().openTab();
  await database.meta.put({ key: META.notifications, choice, v: 1 });
  expect(await findNotificationChoice(database)).toEqual(DEFAULT_NOTIFICATIONS);
});
