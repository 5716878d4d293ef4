import { randomUUID } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import * as z from 'zod';

import type { Log } from '../kernel/log.ts';

/** Name of the folder in the data folder. */
export const PREVIOUS_ASSETS_FOLDER = 'page-assets';
/** The known builds, newest first: the names of the assets of each. */
const LIST_FILE = 'builds.json';
/** Number of builds whose open pages can still load their chunks. */
export const KEPT_BUILDS_MAX = 10;

/** Assets in a folder by their url path. */
const listAssets = (folder: string): readonly string[] => {
  const assets = join(folder, 'assets');
  return existsSync(assets) ? readdirSync(assets).map((name) => `/assets/${name}`) : [];
};

const listSchema = z.array(z.array(z.string()));

const readBuilds = (folder: string): readonly (readonly string[])[] => {
  try {
    return listSchema.parse(JSON.parse(readFileSync(join(folder, LIST_FILE), 'utf8')));
  } catch {
    return [];
  }
};

/**
 * Writes a file completely or not at all: a server may end midway, and another may write the same
 * file.
 */
const putInPlace = (file: string, write: (path: string) => void): void => {
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.${randomUUID()}.tmp`;
  write(unfinished);
  renameSync(unfinished, file);
};

const isPartOf = (part: readonly string[], whole: ReadonlySet<string>): boolean =>
  part.every((name) => whole.has(name));

/** The builds with the current one first; one that was read half-written counts once. */
const addBuild = (
  builds: readonly (readonly string[])[],
  present: readonly string[],
): readonly (readonly string[])[] => {
  const names = new Set(present);
  return [present, ...builds.filter((build) => !isPartOf(build, names))].slice(0, KEPT_BUILDS_MAX);
};

const keep = (folder: string, dist: string, present: readonly string[]): void => {
  for (const name of present) {
    const file = join(folder, name);
    if (!existsSync(file)) putInPlace(file, (path) => copyFileSync(join(dist, name), path));
  }
  const builds = addBuild(readBuilds(folder), present);
  putInPlace(join(folder, LIST_FILE), (path) => writeFileSync(path, JSON.stringify(builds)));
  const kept = new Set(builds.flat());
  for (const name of listAssets(folder)) {
    if (!kept.has(name)) rmSync(join(folder, name), { force: true });
  }
};

/**
 * Copies the assets of a build, compressed copies included, to those of previous builds: a page
 * that was opened before a deployment or a rollback continues to load its chunks. Their names
 * contain a hash of their content. If the folder cannot be written, only the current build is
 * served.
 */
export const keepAssets = (folder: string, dist: string, log: Log): void => {
  try {
    const present = listAssets(dist).toSorted();
    if (present.length > 0) keep(folder, dist, present);
  } catch (error) {
    log.warn({ err: error }, 'the assets of this build could not be stored for open pages');
  }
};
