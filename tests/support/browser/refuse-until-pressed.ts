import type { Locator, Page } from 'playwright-core';

declare global {
  /** The button was pressed. */
  var isPressed: boolean | undefined;
}

/**
 * Refuses requests until `pressAndAnswer`: the page also retries by itself, and would no longer
 * offer a retry. End with `unrouteAll({ behavior: 'wait' })`.
 */
export const refuseUntilPressed = async (
  page: Page,
  url: string,
  status: number,
): Promise<void> => {
  await page.route(url, async (route) => {
    const isPressed = await page.evaluate(() => globalThis.isPressed === true);
    await (isPressed ? route.continue() : route.fulfill({ status, json: {} }));
  });
};

/** Presses a button; requests of the page from then on are answered. */
export const pressAndAnswer = async (button: Locator): Promise<void> => {
  await button.page().evaluate(() => {
    document.addEventListener('click', () => (globalThis.isPressed = true), { capture: true });
  });
  await button.click();
};
