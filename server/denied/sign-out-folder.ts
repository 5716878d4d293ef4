import { mkdtempSync, readdirSync, rmdirSync } from 'node:fs';
import { mkdir, readdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Log } from '../kernel/log.ts';
import { createOwnerOnlyFolder } from '../kernel/owner-only.ts';
import type { Denial, DeniedStore } from './denied-store.ts';

/** Time until a sign-out on one server takes effect on the others. */
const POLL_INTERVAL_MS = 2000;

/**
 * `{session id}.{ms since the epoch when its cookie expires}`. No other file may match, because
 * ended ones are deleted: `syslog.1` or `core.4711` belong to somebody else.
 */
const NAME = /^(?<sid>[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.(?<until>\d{13,16})$/;

const parseName = (name: string): Denial | undefined => {
  const groups = NAME.exec(name)?.groups;
  return groups && [groups['sid'] ?? '', Number(groups['until'])];
};

const write = async (folder: string, [sid, until]: Denial): Promise<void> => {
  await writeFile(join(folder, `${sid}.${Math.floor(until)}`), '', { mode: 0o600 });
};

/**
 * Reads the folder repeatedly, one read at a time, and writes what it has lost, for example because
 * an older copy was restored; logs an unreadable one once per outage.
 */
const createWatch = (folder: string, { now, log }: { now: () => number; log: Log }) => {
  let isPolling = false;
  let isLost = false;
  const readAll = async (onDenial: (denial: Denial) => void): Promise<ReadonlySet<string>> => {
    const listed = new Set<string>();
    for (const name of await readdir(folder)) {
      const denial = parseName(name);
      if (denial === undefined) continue;
      listed.add(denial[0]);
      if (denial[1] > now()) onDenial(denial);
      // Another server may have deleted it first.
      else await unlink(join(folder, name)).catch(() => undefined);
    }
    return listed;
  };
  return async (
    onDenial: (denial: Denial) => void,
    listKnown: () => Iterable<Denial>,
  ): Promise<void> => {
    if (isPolling) return;
    isPolling = true;
    try {
      const known = [...listKnown()];
      const listed = await readAll(onDenial);
      const lost = known.filter(([sid, until]) => until > now() && !listed.has(sid));
      for (const denial of lost) await write(folder, denial);
      isLost = false;
    } catch (error) {
      if (!isLost) log.error({ err: error }, 'the shared list of sign-outs cannot be read');
      isLost = true;
    }
    isPolling = false;
  };
};

/**
 * Sign-outs in a folder that several servers share: an empty file each, so that no lock is needed.
 * A running server never blocks on this folder, which may be on a network: it is read and written
 * in the background and created again if it is missing, and entries stay in memory once read.
 * Throws if it cannot be created, read or written at the start.
 */
export const createFolderDeniedStore = (
  folder: string,
  now: () => number,
  log: Log,
): DeniedStore => {
  createOwnerOnlyFolder(folder);
  // A read-only folder would keep no sign-out; permissions alone do not show a read-only mount.
  rmdirSync(mkdtempSync(join(folder, '.writable-')));
  const watch = createWatch(folder, { now, log });
  return {
    load: () =>
      readdirSync(folder)
        .map(parseName)
        .filter((denial) => denial !== undefined),
    add: async (denial) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await write(folder, denial);
    },
    follow: (onDenial, listKnown) => {
      const timer = setInterval(() => void watch(onDenial, listKnown), POLL_INTERVAL_MS);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
};
