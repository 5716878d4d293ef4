import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { Config } from '../config/config.ts';
import { toReason } from '../kernel/embedded-error.ts';
import { LOCK_FILE, lockFolder } from '../kernel/folder-lock.ts';
import { readSchemaVersion } from '../embedded/migrate.ts';
import { DATABASE_FILE, SQLITE_FILE_SUFFIXES } from '../embedded/open.ts';
import { isOpenToOthers } from '../kernel/owner-only.ts';
import { MIGRATIONS } from '../embedded/schema.ts';
import { findSecret, SECRET_FILE } from '../kernel/secret.ts';
import { findExisting, isWritable } from './check-environment.ts';
import { checkStore } from './check-store.ts';
import { bad, type Finding, note, ok } from './finding.ts';

/** Whether a server may use the folder. Takes an existing lock for a moment; creates nothing. */
const checkFolder = (dataDir: string): Finding => {
  const present = findExisting(dataDir);
  if (!statSync(present).isDirectory() || !isWritable(present)) {
    return bad('data', `${dataDir}: this user cannot write to ${present}`);
  }
  if (present !== dataDir) return ok('data', `${dataDir} will be created at the first start`);
  if (!existsSync(join(dataDir, LOCK_FILE))) return ok('data', `${dataDir} is free`);
  const lock = lockFolder(dataDir);
  if (lock.ok) lock.value.release();
  if (lock.ok) return ok('data', `${dataDir} is free`);
  return lock.error.kind === 'in-use'
    ? note('data', `${dataDir} is in use by a running server`)
    : bad('data', lock.error.message);
};

const WRITTEN_FILES = [
  LOCK_FILE,
  ...['', ...SQLITE_FILE_SUFFIXES].map((suffix) => DATABASE_FILE + suffix),
];

/** The files that a server writes, as far as this user cannot read or write them. */
const checkFiles = (dataDir: string, access: typeof accessSync): readonly Finding[] =>
  WRITTEN_FILES.map((name) => join(dataDir, name)).flatMap((file) => {
    if (!existsSync(file)) return [];
    try {
      access(file, constants.R_OK | constants.W_OK);
      return [];
    } catch {
      return bad('data', `${file}: this user cannot read and write it: check its owner and mode`);
    }
  });

const COUNTS = `SELECT (SELECT count(*) FROM staff_account) AS accounts,
  (SELECT count(*) FROM client) AS clients, (SELECT count(*) FROM log) AS messages`;

/** Reads the whole database, even while a server is running. */
const checkDatabase = (file: string): Finding => {
  let sql: DatabaseSync | undefined;
  try {
    sql = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
    const version = readSchemaVersion(sql);
    if (version === 0) return ok('database', 'empty');
    if (version > MIGRATIONS.length) {
      return bad('database', 'written by a newer Replay Desk: start that version');
    }
    const [first] = sql.prepare('PRAGMA integrity_check(1)').all();
    const verdict = String(first?.['integrity_check']);
    if (verdict !== 'ok') return bad('database', `${verdict.split('\n').at(-1)}: restore a backup`);
    const counts = sql.prepare(COUNTS).get() ?? {};
    const parts = Object.entries(counts).map(([name, count]) => `${String(count)} ${name}`);
    return ok('database', `intact, ${parts.join(', ')}`);
  } catch (thrown) {
    return bad('database', `${toReason(thrown)}: restore a backup`);
  } finally {
    sql?.close();
  }
};

const checkSecret = (config: Config): Finding => {
  if (config.authSecret !== undefined) return ok('secret', 'AUTH_SECRET');
  const file = join(config.dataDir, SECRET_FILE);
  if (!existsSync(file)) return ok('secret', 'will be created at the first start');
  try {
    if (findSecret(config) === undefined) {
      const advice = 'restore it from the backup, or the next start signs everyone out';
      return bad('secret', `${file} is damaged: ${advice}`);
    }
  } catch (thrown) {
    return bad('secret', `${file} cannot be read: ${toReason(thrown)}`);
  }
  return isOpenToOthers(file)
    ? bad('secret', `${file} can be read by other users: run chmod 600 on it`)
    : ok('secret', file);
};

/** The server restricts its files itself; access to the folder is the operator's choice. */
const checkPrivacy = ({ dataDir }: Config): readonly Finding[] =>
  isOpenToOthers(dataDir)
    ? [note('data', `${dataDir} can be entered by other users: run chmod 700 on it`)]
    : [];

/**
 * Checks everything that a server stores in its data folder. `access` throws if this user lacks
 * rights to a file.
 */
export const checkData = (config: Config, access = accessSync): readonly Finding[] => {
  const files = checkFiles(config.dataDir, access);
  const folder = files.length > 0 ? files : [checkFolder(config.dataDir)];
  const file = join(config.dataDir, DATABASE_FILE);
  const hasDatabase = folder.every(({ state }) => state !== 'bad') && existsSync(file);
  return [
    ...folder,
    ...checkPrivacy(config),
    ...(hasDatabase ? [checkDatabase(file)] : []),
    checkSecret(config),
  ];
};

const checkSignOuts = ({ signOutDir }: Config): Finding => {
  if (signOutDir === undefined) {
    return note(
      'sign-outs',
      'apply to this instance only: neither SHARED_STORE_URL nor SIGN_OUT_DIR is set',
    );
  }
  return isWritable(findExisting(signOutDir))
    ? ok('sign-outs', `shared in ${signOutDir}`)
    : bad('sign-outs', `${signOutDir}: this user cannot write to it`);
};

/** Checks a server that stores nothing here: what it shares with other instances, and where. */
export const checkShared = async (config: Config): Promise<readonly Finding[]> => {
  const { dataDir, sharedStoreUrl } = config;
  const assets = isWritable(findExisting(dataDir))
    ? ok('data', `only assets of earlier page versions are stored, in ${dataDir}`)
    : note('data', `${dataDir} is not writable: pages open during an update will reload`);
  return [assets, ...(sharedStoreUrl ? await checkStore(sharedStoreUrl) : [checkSignOuts(config)])];
};
