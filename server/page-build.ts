import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { DIST } from './main.ts';

const ROOT = resolve(import.meta.dirname, '..');
/** Everything the page is made of. */
const SOURCES = ['src', 'domain', 'db', 'machines', 'public'];
const SOURCE_FILES = ['index.html', 'vite.config.ts', 'package.json', 'package-lock.json'];

const toTime = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const findNewest = (folder: string): number => {
  if (!existsSync(folder)) return 0;
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.reduce(
    (newest, entry) => Math.max(newest, toTime(join(entry.parentPath, entry.name))),
    0,
  );
};

/** True when there is no build, or one older than its sources. Folders count: files may be gone. */
export const isBuildStale = (): boolean => {
  const built = toTime(join(DIST, 'index.html'));
  const sources = [
    ...SOURCES.map((folder) => findNewest(join(ROOT, folder))),
    ...SOURCE_FILES.map((file) => toTime(join(ROOT, file))),
  ];
  return sources.some((changed) => changed > built);
};

/**
 * Builds the page in a process of its own, so that the server does not carry the weight of
 * the build tools. True when it succeeded; the tool's own words are on the terminal.
 */
export const buildPage = (): Promise<boolean> => {
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
  const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
};
