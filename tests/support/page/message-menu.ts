import type { Locator, Page } from 'playwright-core';

/** Lets a page copy, and tests read the copied text. */
export const allowCopying = (page: Page): Promise<void> =>
  page.context().grantPermissions(['clipboard-read', 'clipboard-write']);

/** The last copied text. */
export const readCopied = (page: Page): Promise<string> =>
  page.evaluate(() => navigator.clipboard.readText());

/** Opens a message's menu with the pointer and chooses an item. */
export const chooseFromMessage = async (message: Locator, item: string): Promise<void> => {
  await message.hover();
  await message.getByRole('button', { name: 'Message actions' }).click();
  await message.page().getByRole('menuitem', { name: item }).click();
};

/** Copies the link of a message; returns its path with the query. */
export const copyLink = async (message: Locator): Promise<string> => {
  await chooseFromMessage(message, 'Copy link');
  await message.page().getByText('Link copied.').last().waitFor();
  const url = new URL(await readCopied(message.page()));
  return url.pathname + url.search;
};
