import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createServer } from 'node:net';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import * as z from 'zod';

import { parseJson } from '#domain/schemas/json.ts';

import { readPageState } from '../app/page-build.ts';
import { bad, type Finding, note, ok } from './finding.ts';
import { readHealth } from '../client/server-address.ts';
import type { Config } from '../config/config.ts';

const NODE_MAJOR_MIN = 24;
const MEGABYTE = 1024 * 1024;
/** Below the first, the database's own log may not fit; below the second, a day's conversations. */
const DISK_BAD = 100 * MEGABYTE;
const DISK_NOTE = 1024 * MEGABYTE;

export const checkNode = (version: string): Finding =>
  Number.parseInt(version, 10) >= NODE_MAJOR_MIN
    ? ok('node', version)
    : bad(
        'node',
        `${version}: expected ${NODE_MAJOR_MIN} or later; npm start and npm run use the right version`,
      );

/** The folder itself, or its nearest existing parent. */
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

/** Messages are stored there unless every store is elsewhere. */
export const checkDisk = (folder: string, isStateless: boolean): Finding => {
  const { bavail, bsize } = statfsSync(findExisting(folder));
  const free = bavail * bsize;
  const text = `${Math.floor(free / MEGABYTE)} MB free for ${folder}`;
  if (free < DISK_BAD && !isStateless) return bad('disk', `${text}: messages will soon be refused`);
  return free < DISK_NOTE ? note('disk', text) : ok('disk', text);
};

export const checkPage = (): Finding => {
  const state = readPageState();
  if (state === 'current') return ok('page', 'built');
  return state === 'stale'
    ? note(
        'page',
        'built from different sources: npm start rebuilds it, --built serves it unchanged',
      )
    : note('page', 'not built yet: npm start builds it, --built cannot serve it');
};

const healthSchema = z.object({ status: z.string(), version: z.string() });

/** The error code of a short test listen, or undefined. */
const tryPort = (host: string, port: number): Promise<string | undefined> =>
  new Promise((settle) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => settle(error.code ?? error.message));
    probe.listen(port, host, () => probe.close(() => settle(undefined)));
  });

/** The port may be in use by a running Replay Desk, which is fine. */
export const checkPort = async (config: Config): Promise<Finding> => {
  const { host, port } = config;
  const address = `${port} on ${host}`;
  const code = await tryPort(host, port);
  if (code === undefined) return ok('port', port === 0 ? 'any free port' : `${address} is free`);
  if (code !== 'EADDRINUSE') return bad('port', `cannot listen on ${address} (${code})`);
  const answer = healthSchema.safeParse(parseJson((await readHealth(config)) ?? ''));
  return answer.success
    ? note('port', `${address}: Replay Desk ${answer.data.version} is running there`)
    : bad('port', `${address} is taken by another program: stop it, or set PORT`);
};

const ROOT = resolve(import.meta.dirname, '../..');
/** Part of the tests; a released server may not include it. */
const FINDER = resolve(ROOT, 'tests/support/browser/find-browser.ts');
const TEST_LIBRARY = resolve(ROOT, 'node_modules/playwright-core');

const run = promisify(execFile);

/** The browser that `npm test` would use, without installing one. */
export const checkBrowser = async (): Promise<Finding> => {
  if (!existsSync(FINDER) || !existsSync(TEST_LIBRARY)) {
    return ok('browser', 'not needed: the tests are not installed here');
  }
  try {
    const { stdout } = await run(process.execPath, [FINDER], { cwd: ROOT });
    return ok('browser', `${stdout.trim()} for the tests`);
  } catch (thrown) {
    const output = z.object({ stdout: z.string() }).safeParse(thrown).data?.stdout.trim();
    return note('browser', output ?? 'none found for the tests');
  }
};
