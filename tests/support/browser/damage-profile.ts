import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of a Chromium profile in which the origin's IndexedDB lies (LevelDB files). */
const findFolder = async (profile: string): Promise<string> => {
  const parent = join(profile, 'Default', 'IndexedDB');
  const found = (await readdir(parent)).find((name) => name.endsWith('.indexeddb.leveldb'));
  if (found === undefined) throw new Error(`no IndexedDB in ${parent}`);
  return join(parent, found);
};

/**
 * Damages a closed browser's IndexedDB as a bad disk does: log files are cut in the middle, and
 * tables and manifests are written over. The value is how many files were hit.
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
