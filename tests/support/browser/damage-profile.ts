import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder in a Chromium profile with the origin's IndexedDB (LevelDB files). */
const findFolder = async (profile: string): Promise<string> => {
  const parent = join(profile, 'Default', 'IndexedDB');
  const found = (await readdir(parent)).find((name) => name.endsWith('.indexeddb.leveldb'));
  if (found === undefined) throw new Error(`no IndexedDB in ${parent}`);
  return join(parent, found);
};

/**
 * Damages a closed browser's IndexedDB like a bad disk: truncates log files, and overwrites tables
 * and manifests. Returns the number of affected files.
 */
export const damageIndexedDb = async (profile: string): Promise<number> => {
  const folder = await findFolder(profile);
  const names = (await readdir(folder)).filter((name) => /^MANIFEST|\.(?:log|ldb)$/.test(name));
  for (const name of names) {
    const file = join(folder, name);
    const bytes = await readFile(file);
    if (name.endsWith('.log')) await truncate(file, Math.floor(bytes.length / 2));
    else await writeFile(file, bytes.fill(0xa5));
  }
  return names.length;
};
