import type { Locator, Page } from 'playwright-core';

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
