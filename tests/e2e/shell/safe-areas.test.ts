import { afterAll, beforeAll, expect, test } from 'vitest';

import { type FaultyServer, startFaultyServer } from '#tests/support/scenes/faulty-server.ts';
import { ALL_SCREENS } from '#tests/support/screens/all-screens.ts';
import { findUnusable } from '#tests/support/screens/checks/controls.ts';
import { type Device, PHONE_DEVICE } from '#tests/support/screens/device.ts';
import { visitScreens } from '#tests/support/screens/screen.ts';

/** One device for every kind of edge. */
const SCREENS = new Set([
  'sign-in',
  'home',
  'chat',
  'client',
  'search-open',
  'room',
  'message-failed',
  'reconnecting',
  'navigation-open',
  'user-menu',
  'sign-out-unsent',
  'update',
]);

const UPRIGHT: Device = {
  ...PHONE_DEVICE,
  name: 'upright',
  insets: { top: 59, right: 0, bottom: 34, left: 0 },
};
const ON_ITS_SIDE: Device = {
  ...PHONE_DEVICE,
  name: 'on its side',
  width: 844,
  height: 390,
  insets: { top: 0, right: 59, bottom: 21, left: 59 },
};

let backend: FaultyServer;
beforeAll(async () => {
  backend = await startFaultyServer();
});
afterAll(() => backend.dispose());

test.each([UPRIGHT, ON_ITS_SIDE])(
  'no control is under the notch, corners or home bar of a phone $name',
  async (device) => {
    const screens = ALL_SCREENS.filter(
      ({ name, only }) => SCREENS.has(name) && (device === UPRIGHT || only === undefined),
    );
    const found: Record<string, readonly string[]> = {};
    await visitScreens(backend, device, screens, async ({ name }, { user }) => {
      const faults = await findUnusable(user.page(), device);
      if (faults.length > 0) found[name] = faults;
    });
    expect(found).toEqual({});
  },
);
