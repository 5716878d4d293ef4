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
export const KEPT_ASSETS_FOLDER = 'page-assets';
/** Which builds there were, newest first: the names of the assets of each. */
const LIST_FILE = 'builds.json';
/** As many builds back a page may be open and still load its parts. */
export const KEPT_BUILDS_MAX = 10;

/** Assets below a folder by their url path. */
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

/** Whole or not at all: a server may end in the middle, and another one write the same file. */
const putInPlace = (file: string, write: (path: string) => void): void => {
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.${randomUUID()}.tmp`;
  write(unfinished);
  renameSync(unfinished, file);
};

const isPartOf = (part: readonly string[], whole: ReadonlySet<string>): boolean =>
  part.every((name) => whole.has(name));

/** The builds with the present one in front; one that was seen half-written counts once. */
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
 * Copies the assets of a build aside, compressed copies included, to where those of the builds before
 * it are: a page that was opened before a deployment, or before the one that took it back, goes on
 * loading its parts. Their names carry a hash of their content. Where the folder cannot be written,
 * only the present build is served.
 */
export const keepAssets = (folder: string, dist: string, log: Log): void => {
  try {
    const present = listAssets(dist).toSorted();
    if (present.length > 0) keep(folder, dist, present);
  } catch (error) {
    log.warn({ err: error }, 'the assets of this build could not be kept for older pages');
  }
};
