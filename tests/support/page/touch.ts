import type { Locator } from 'playwright-core';

import { getSession } from './session.ts';

/** Taps the target; the page must be in a phone's mode (screens/device.ts). */
export const tap = async (target: Locator): Promise<void> => {
  await target.click({ trial: true });
  const box = await target.boundingBox();
  if (box === null) throw new Error('nothing there to tap');
  const session = await getSession(target.page());
  const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }];
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
};
