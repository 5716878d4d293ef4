import type { Page } from 'playwright-core';

import { waitFor } from '../wait-for.ts';

/** All IndexedDB data of this origin, as anyone at the machine can read it. */
export interface IndexedDbDump {
  readonly names: readonly string[];
  /** All rows of all tables as JSON; bytes as Latin-1 text, a key as `CryptoKey`. */
  readonly text: string;
}

/** Reads every row of every table, without the page's own code. */
export const readIndexedDb = (page: Page): Promise<IndexedDbDump> =>
  page.evaluate(async () => {
    const toText = (_key: string, value: unknown): unknown => {
      if (value instanceof CryptoKey) return `CryptoKey extractable ${String(value.extractable)}`;
      if (value instanceof ArrayBuffer) return String.fromCodePoint(...new Uint8Array(value));
      return ArrayBuffer.isView(value) ? 'bytes' : value;
    };
    const ask = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error ?? new Error('failed')));
      });
    const found = (await indexedDB.databases()).map(({ name }) => name ?? '');
    // A page creates this one before its first write, and deletes it at once.
    const names = found.filter((name) => name !== 'replay-desk-log');
    const rows: Record<string, Record<string, unknown>> = {};
    for (const name of names) {
      const database = await ask(indexedDB.open(name));
      const tables: Record<string, unknown> = {};
      for (const table of database.objectStoreNames) {
        tables[table] = await ask(database.transaction(table).objectStore(table).getAll());
      }
      database.close();
      rows[name] = tables;
    }
    return { names, text: JSON.stringify(rows, toText) };
  });

/**
 * Runs in the page: whether the flag exists by which the next start finds that a store is open
 * here.
 */
export const hasStoreFlag = (): boolean =>
  Object.keys(localStorage).some((key) => key.startsWith('replay-desk-store-'));

/** Waits until a store has its keys, and the flag that it exists, which is set later. */
export const waitForStoreFlag = (page: Page): Promise<void> =>
  waitFor('the flag of the store', async () => {
    const { text } = await readIndexedDb(page);
    return text.includes('CryptoKey') && (await page.evaluate(hasStoreFlag));
  });
