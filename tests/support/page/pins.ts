import type { Page, Response } from 'playwright-core';

import { waitFor } from '../wait-for.ts';
import { readIndexedDb } from './indexed-db-dump.ts';

const countPinMarks = async (page: Page): Promise<number> =>
  [...(await readIndexedDb(page)).text.matchAll(/mark\|pinned:/g)].length;

/** Pins the open client beside its rooms, or unpins it, and waits until that is stored. */
export const turnPin = async (page: Page, change: 'Pin' | 'Unpin'): Promise<void> => {
  const button = page.getByRole('button', { name: new RegExp(`^${change} `) });
  await button.waitFor();
  const before = await countPinMarks(page);
  await button.click();
  // A page that closes before it has stored a choice may lose it.
  await waitFor('a stored pin', async () => (await countPinMarks(page)) > before);
};

const isPinShared = (response: Response): boolean =>
  response.ok() &&
  response.url().endsWith('/realtime/own') &&
  response.request().postData()?.includes('"pinned:') === true;

/** Like `turnPin`, and waits until the pin can reach the user's other devices. */
export const sharePin = async (page: Page, change: 'Pin' | 'Unpin'): Promise<void> => {
  const shared = page.waitForResponse(isPinShared);
  await turnPin(page, change);
  await shared;
};
