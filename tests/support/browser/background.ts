import type { Page } from 'playwright-core';
import { expect } from 'vitest';

import { NOTIFICATION_LOCK } from '#domain/schemas/notification.ts';

const emulateFocus = async (page: Page, enabled: boolean): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setFocusEmulationEnabled', { enabled });
};

/**
 * Whether the worker considers a page focused, according to the browser, not to the pages themselves.
 */
const isSeenByWorker = async (page: Page): Promise<unknown> => {
  const [worker] = page.context().serviceWorkers();
  return worker?.evaluate(`(async () => {
    const pages = await clients.matchAll({ type: 'window' });
    return pages.some(({ focused }) => focused);
  })()`);
};

/** Another page takes the focus; by default Playwright emulates the focus for every page. */
export const loseFocus = async (page: Page): Promise<void> => {
  const context = page.context();
  const other = context.pages().find((one) => one !== page) ?? (await context.newPage());
  await emulateFocus(page, false);
  await other.bringToFront();
  await expect.poll(() => page.evaluate(() => document.hasFocus())).toBe(false);
};

/** No page of the user has the focus, which the worker knows. */
export const leaveToBackground = async (page: Page): Promise<void> => {
  await loseFocus(page);
  await expect.poll(() => isSeenByWorker(page)).toBe(false);
};

/** Returns the focus to the page. */
export const bringBack = async (page: Page): Promise<void> => {
  await emulateFocus(page, true);
  await page.bringToFront();
};

/** Runs in the page. The lock keeps this read from losing notifications that are being shown. */
const readShown = async (lock: string) => {
  const registration = await navigator.serviceWorker.ready;
  const shown = await navigator.locks.request(lock, () => registration.getNotifications());
  return shown.map(({ title, body, silent }) => ({ title, body, silent }));
};

/** The notifications that are shown. */
export const readNotifications = (page: Page) => page.evaluate(readShown, NOTIFICATION_LOCK);
