import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** All sources of the page: files, and folders with everything in them. */
const SOURCES = [
  'index.html',
  'vite.config.ts',
  'vite.documents.ts',
  'vite.plugins.ts',
  'package.json',
  'package-lock.json',
  'src',
  'domain',
  'db',
  'machines',
  'public',
];

/** The file of a build that contains the hash of its sources; it is not served. */
export const SOURCES_HASH_FILE = '.sources';

const listFiles = (root: string, source: string): readonly string[] => {
  const path = join(root, source);
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [source];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
};

/**
 * A hash of the names and contents of all sources. Times are not enough: after an upgrade or a
 * rollback, the sources may be older than a build of other sources.
 */
export const hashSources = (root: string): string => {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((source) => listFiles(root, source)).toSorted()) {
    const content = readFileSync(join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('base64url');
};
