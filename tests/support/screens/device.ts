import type { Page } from 'playwright-core';

import { getSession } from '#tests/support/page/session.ts';

import { settle } from './settle.ts';

/** A screen with its input method. */
export interface Device {
  readonly name: string;
  /** Phones show one pane and use touch; the others have a pointer. */
  readonly kind: 'desktop' | 'laptop' | 'phone';
  readonly width: number;
  readonly height: number;
  readonly insets?: Insets;
}

/** The space of notches, rounded corners and the home bar at the edges, CSS pixels. */
export interface Insets {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

export const DESKTOP_DEVICE: Device = {
  name: '1440x900',
  kind: 'desktop',
  width: 1440,
  height: 900,
};
export const PHONE_DEVICE: Device = { name: '390x844', kind: 'phone', width: 390, height: 844 };

/** Every device for which pictures are taken. */
export const DEVICES: readonly Device[] = [
  DESKTOP_DEVICE,
  { name: '1024x768', kind: 'laptop', width: 1024, height: 768 },
  PHONE_DEVICE,
];

/** The protocol's own types do not include it yet. */
const SET_INSETS = 'Emulation.setSafeAreaInsetsOverride' as 'Emulation.setTouchEmulationEnabled';

/** Gives a page the size and the input method of a device, and waits until it looks like it. */
export const setDevice = async (page: Page, device: Device): Promise<void> => {
  const { width, height } = device;
  await page.setViewportSize({ width, height });
  const session = await getSession(page);
  const enabled = device.kind === 'phone';
  await session.send('Emulation.setTouchEmulationEnabled', { enabled, maxTouchPoints: 5 });
  await session.send(SET_INSETS, { insets: device.insets ?? {} } as never);
  await page.mouse.move(width / 2, height / 2);
  await settle(page);
};

/** Switches a page to light or dark, and waits until its scripts have followed. */
export const setColorScheme = async (page: Page, colorScheme: 'light' | 'dark'): Promise<void> => {
  await page.emulateMedia({ colorScheme });
  await page.waitForFunction((wanted) => {
    const { mantineColorScheme } = document.documentElement.dataset;
    return mantineColorScheme === undefined || mantineColorScheme === wanted;
  }, colorScheme);
  await settle(page);
};
