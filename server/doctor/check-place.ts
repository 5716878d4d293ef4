import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';

import { readPageState } from '../app/page-build.ts';
import { bad, type Finding, note, ok } from './finding.ts';

const NODE_MAJOR_MIN = 24;
const MEGABYTE = 1024 * 1024;
/** Below, the database's own log alone may not fit; and a day's conversations may not. */
const DISK_BAD = 100 * MEGABYTE;
const DISK_NOTE = 1024 * MEGABYTE;

export const checkNode = (version: string): Finding =>
  Number.parseInt(version, 10) >= NODE_MAJOR_MIN
    ? ok('node', version)
    : bad(
        'node',
        `${version}: expected ${NODE_MAJOR_MIN} or later; npm start and npm run use the right version`,
      );

/** The folder itself, or the nearest one above it that is there. */
export const findExisting = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : findExisting(dirname(folder));

export const isWritable = (path: string): boolean => {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

export const checkDisk = (folder: string): Finding => {
  const { bavail, bsize } = statfsSync(findExisting(folder));
  const free = bavail * bsize;
  const text = `${Math.floor(free / MEGABYTE)} MB free for ${folder}`;
  if (free < DISK_BAD) return bad('disk', `${text}: messages will soon be refused`);
  return free < DISK_NOTE ? note('disk', text) : ok('disk', text);
};

export const checkPage = (): Finding => {
  const state = readPageState();
  if (state === 'current') return ok('page', 'built');
  return state === 'stale'
    ? note('page', 'older than its sources: npm start rebuilds it, --built serves it as it is')
    : note('page', 'not built yet: npm start builds it, --built cannot serve it');
};
