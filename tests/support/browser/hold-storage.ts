import type { Page } from 'playwright-core';

declare global {
  var letStorageGo: (() => void) | undefined;
}

/**
 * Runs in the page: a transaction on all tables of the user's store, which lasts until released.
 */
const beginHold = async (): Promise<void> => {
  const names = (await indexedDB.databases()).map(({ name }) => name ?? '');
  const name = names.find((one) => one.startsWith('replay-desk-user-'));
  if (name === undefined) throw new Error('no store is open');
  const opening = indexedDB.open(name);
  await new Promise((done) => opening.addEventListener('success', done));
  const database = opening.result;
  const held = database.transaction([...database.objectStoreNames], 'readwrite');
  held.addEventListener('complete', () => database.close());
  let isHeld = true;
  const ask = (): Promise<void> =>
    new Promise((done) => {
      const table = held.objectStore(database.objectStoreNames[0] ?? '');
      table.count().addEventListener('success', () => {
        if (isHeld) void ask();
        done();
      });
    });
  globalThis.letStorageGo = () => {
    isHeld = false;
  };
  // The first answer shows that the transaction has begun.
  await ask();
};

/** Makes every other read and write of the user's store wait until the result is called. */
export const holdStorage = async (page: Page): Promise<() => Promise<void>> => {
  await page.evaluate(beginHold);
  return () => page.evaluate(() => globalThis.letStorageGo?.());
};
