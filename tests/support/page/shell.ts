import type { Locator, Page } from 'playwright-core';

import { waitFor } from '../wait-for.ts';

/** The frame of every signed-in page. */
export interface ShellPage {
  readonly main: Locator;
  readonly clients: Locator;
  readonly rooms: Locator;
  /** The status of the connection; empty or `Online` when all is well. */
  readonly connection: Locator;
  link(name: string): Locator;
  client(fullName: string): Locator;
  /** Opens the user menu and chooses an item. */
  chooseFromUserMenu(item: string): Promise<void>;
}

export const toShellPage = (page: Page): ShellPage => {
  const main = page.getByRole('navigation', { name: 'Main' });
  const clients = page.getByRole('navigation', { name: 'Clients' });
  return {
    main,
    clients,
    rooms: page.getByRole('navigation', { name: 'Rooms' }),
    connection: page.getByRole('status', { name: 'Connection' }),
    link: (name) => main.getByRole('link', { name, exact: true }),
    client: (fullName) => clients.getByRole('link', { name: fullName, exact: true }),
    chooseFromUserMenu: async (item) => {
      await page.getByRole('button', { name: 'User menu' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    },
  };
};

/** The texts of rows of clients or rooms, except for times and waits, which change. */
export const readNamesAndTexts = (rows: Locator): Promise<readonly string[]> =>
  rows.locator('[dir="auto"]').allInnerTexts();

/** Waits on Home until all missed messages and all rooms have arrived. */
export const waitUntilCurrent = (page: Page): Promise<void> =>
  page
    .getByRole('status', { name: 'Coverage' })
    .filter({ hasText: /^Up to date\.$/ })
    .waitFor();

/**
 * Loads a page as its only tab and waits until it is connected, and the connection line no longer
 * moves the page: the line is also empty before the connection begins.
 */
export const openConnected = async (page: Page, load: () => Promise<unknown>): Promise<void> => {
  await Promise.all([page.waitForResponse(/\/api\/realtime\/stream/), load()]);
  const { connection } = toShellPage(page);
  await waitFor('an empty connection line', async () => (await connection.innerText()) === '');
};

/**
 * Opens the palette or the list of shortcuts by its shortcut, which works once its part of the page
 * has loaded; while a dialog is open, the shortcut has no effect.
 */
export const openByShortcut = (
  page: Page,
  shortcut: 'Control+k' | 'Control+/' | 'Meta+/',
): Promise<void> =>
  waitFor(`${shortcut} to open a dialog`, async () => {
    await page.keyboard.press(shortcut);
    return (await page.locator('dialog[open]').count()) > 0;
  });

/** Waits until shortcuts work. */
export const waitForShortcuts = async (page: Page): Promise<void> => {
  await openByShortcut(page, 'Control+/');
  await page.keyboard.press('Escape');
  // A closed dialog is removed a moment later; until then, its shortcut has no effect.
  await page.locator('dialog').waitFor({ state: 'detached' });
};
