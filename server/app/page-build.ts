import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { fail, ok, type Result } from '#domain/result.ts';

import { type FolderLock, lockFolder } from '../kernel/folder-lock.ts';
import { DIST } from './main.ts';
import { hashSources, SOURCES_HASH_FILE } from './page-sources.ts';

const ROOT = join(import.meta.dirname, '../..');

const readSourcesHash = (): string | undefined => {
  const file = join(DIST, SOURCES_HASH_FILE);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
};

/**
 * Whether the build is missing, or stale compared with the current sources. Without sources, any
 * build counts as current.
 */
export const readPageState = (): 'missing' | 'stale' | 'current' => {
  if (!existsSync(join(DIST, 'index.html'))) return 'missing';
  if (!existsSync(join(ROOT, 'index.html'))) return 'current';
  return readSourcesHash() === hashSources(ROOT) ? 'current' : 'stale';
};

/** Prefix of the folder of an unfinished build; the id of its process follows. */
const UNFINISHED = 'dist-next-';
const REPLACED = join(ROOT, 'dist-last');

const removeUnfinished = (): void => {
  for (const name of readdirSync(ROOT)) {
    if (name.startsWith(UNFINISHED)) rmSync(join(ROOT, name), { recursive: true, force: true });
  }
};

/** Runs the build tool in a separate process, so that the server does not use its memory. */
const runBuild = (folder: string): Promise<boolean> => {
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
  const args = [vite, 'build', '--logLevel', 'warn', '--outDir', folder];
  const stdio = ['ignore', 'inherit', 'inherit'] as const;
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: [...stdio] });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
};

/**
 * Builds the page; the tool prints to the terminal. The build replaces the previous one when it is
 * complete: a build that failed or was killed leaves the previous one in place, still outdated.
 */
const buildPage = async (): Promise<boolean> => {
  removeUnfinished();
  const folder = join(ROOT, `${UNFINISHED}${process.pid}`);
  if (!(await runBuild(folder))) return false;
  rmSync(REPLACED, { recursive: true, force: true });
  if (existsSync(DIST)) renameSync(DIST, REPLACED);
  renameSync(folder, DIST);
  rmSync(REPLACED, { recursive: true, force: true });
  return true;
};

const LOCK_FOLDER = join(ROOT, '.cache', 'build');
const POLL_INTERVAL_MS = 100;

/** Waits for the build lock, which ends with the process that holds it. */
const acquireBuildLock = async (
  print: (line: string) => void,
): Promise<Result<FolderLock, string>> => {
  for (let isFirst = true; ; isFirst = false) {
    const lock = lockFolder(LOCK_FOLDER);
    if (lock.ok) return lock;
    if (lock.error.kind !== 'in-use') return fail(lock.error.message);
    if (isFirst) print('Another process is building the page: waiting …');
    await pause(POLL_INTERVAL_MS);
  }
};

/** `isNeeded` is checked again after a wait for another build. */
const buildUnderLock = async (
  print: (line: string) => void,
  isNeeded: () => boolean,
): Promise<Result<void, string>> => {
  const lock = await acquireBuildLock(print);
  if (!lock.ok) return lock;
  try {
    if (!isNeeded()) return ok(undefined);
    print('Building the page …');
    const isBuilt = await buildPage();
    return isBuilt ? ok(undefined) : fail('The page could not be built. The reason is above.');
  } finally {
    lock.value.release();
  }
};

/**
 * Builds the page if it is missing or was built from different sources. Of several concurrent
 * starts, one builds and the others wait. `print` prints a line; the error is a text for the
 * operator.
 */
export const ensurePage = async (print: (line: string) => void): Promise<Result<void, string>> => {
  const isNeeded = (): boolean => readPageState() !== 'current';
  return isNeeded() ? buildUnderLock(print, isNeeded) : ok(undefined);
};

/** Builds the page in any case, while a server may be serving the previous one. */
export const rebuildPage = (print: (line: string) => void): Promise<Result<void, string>> =>
  buildUnderLock(print, () => true);
