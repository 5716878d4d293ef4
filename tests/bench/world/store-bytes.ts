import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Bytes of a store on disk. Chromium writes every change to a journal first, uncompressed, and a
 * journal of about 4 MB to tables, which it compresses and joins in the background.
 */
export interface StoreBytes {
  readonly tables: number;
  readonly journal: number;
}

/** All bytes of a store. */
export const sumBytes = ({ tables, journal }: StoreBytes): number => tables + journal;

/** The databases of an origin in a browser's profile. */
export const measureStore = (profile: string, address: string): StoreBytes => {
  const folder = join(profile, 'Default', 'IndexedDB');
  const origin = `http_localhost_${new URL(address).port}.`;
  const bytes = { tables: 0, journal: 0 };
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = name.startsWith(origin) ? statSync(join(folder, name)) : undefined;
    if (file?.isFile() !== true) continue;
    bytes[name.endsWith('.log') ? 'journal' : 'tables'] += file.size;
  }
  if (sumBytes(bytes) === 0) throw new Error(`${address} has stored nothing`);
  return bytes;
};
