import type { CDPSession, Page } from 'playwright-core';

import { WAIT_MS_MAX } from '../wait-for.ts';

/**
 * Runs in the page: stops it once its storage has been idle for a while, because browsers do not
 * freeze a page in the middle of a transaction.
 */
const STOP_WHEN_IDLE = `(async () => {
  const touch = ({ name }) => new Promise((resolve) => {
    const opening = indexedDB.open(name);
    opening.onsuccess = () => {
      const db = opening.result;
      const work = db.transaction([...db.objectStoreNames], 'readwrite');
      work.oncomplete = () => { db.close(); resolve(); };
    };
  });
  const found = await indexedDB.databases();
  // A page creates this one before its first write, and deletes it at once.
  const databases = found.filter(({ name }) => name !== 'replay-desk-log');
  let least = Infinity;
  for (let quiet = 0; quiet < 8; ) {
    const from = performance.now();
    await Promise.all(databases.map(touch));
    const took = performance.now() - from;
    least = Math.min(least, took);
    quiet = took < 3 * least + 10 ? quiet + 1 : 0;
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  debugger;
})()`;

/**
 * Runs in the page: stops it in the middle of a transaction over all of the user's storage, and
 * again in the same one whenever it resumes.
 */
const STOP_IN_TRANSACTION = `(async () => {
  const databases = await indexedDB.databases();
  const { name } = databases.find((database) => database.name.includes('-user-'));
  const opening = indexedDB.open(name);
  opening.onsuccess = () => {
    const stores = [...opening.result.objectStoreNames];
    const store = opening.result.transaction(stores, 'readwrite').objectStore(stores[0]);
    const stop = () => {
      store.count().onsuccess = () => {
        debugger;
        stop();
      };
    };
    stop();
  };
})()`;
/** Chromium aborts a transaction that others wait for after 60 s without a request. */
const STIR_EVERY_MS = 15_000;

/** Resolves once the page stopped. */
const stopPage = async (page: Page, script: string): Promise<CDPSession> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Debugger.enable');
  const paused = new Promise<void>((resolve, reject) => {
    session.once('Debugger.paused', () => resolve());
    setTimeout(() => reject(new Error('the page did not freeze')), WAIT_MS_MAX);
  });
  void page.evaluate(script).catch(() => undefined);
  await paused;
  return session;
};

/**
 * Stops everything in a page like a frozen tab: no code runs; its locks, connections and storage
 * stay as they are. Returns a function that resumes it. It uses the debugger, because on request
 * browsers freeze only hidden pages.
 */
export const freezePage = async (page: Page): Promise<() => Promise<void>> => {
  const session = await stopPage(page, STOP_WHEN_IDLE);
  return async () => {
    await session.send('Debugger.disable');
    await session.detach();
  };
};

/** Like `freezePage`, in a transaction over the user's whole storage, until the page is closed. */
export const stopInTransaction = async (page: Page): Promise<void> => {
  const session = await stopPage(page, STOP_IN_TRANSACTION);
  const timer = setInterval(() => {
    session.send('Debugger.resume').catch(() => clearInterval(timer));
  }, STIR_EVERY_MS);
  page.once('close', () => clearInterval(timer));
};
