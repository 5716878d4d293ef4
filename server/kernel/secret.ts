import { hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { createOwnerOnlyFolder, OWNER_ONLY, restrictToOwner } from './owner-only.ts';
import type { Log } from './log.ts';

/** The source of a secret: the settings, else a file of the data folder. */
interface SecretSource {
  readonly authSecret: string | undefined;
  readonly dataDir: string;
}

const SECRET_BYTES = 48;
const SECRET_LENGTH_MIN = 32;
const KEY_BYTES = 32;

/** Name of the generated secret in the data folder. */
export const SECRET_FILE = 'auth-secret';

/** Beginning of the names of damaged secrets, which were renamed. */
export const DAMAGED_PREFIX = `${SECRET_FILE}.damaged-`;

const toSecretFile = (dataDir: string): string => join(dataDir, SECRET_FILE);

/** Printable text: a power cut can leave files of zeros, which would be a predictable secret. */
const INTACT = new RegExp(`^[\\x20-\\x7E]{${SECRET_LENGTH_MIN},}$`);

/** The current secret: `AUTH_SECRET`, else the data folder's, if intact. Creates none. */
export const findSecret = ({ authSecret, dataDir }: SecretSource): string | undefined => {
  if (authSecret !== undefined) return authSecret;
  const file = toSecretFile(dataDir);
  const secret = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return INTACT.test(secret) ? secret : undefined;
};

/** Renames a damaged secret, so that it can be inspected and perhaps restored. */
const renameDamaged = (dataDir: string, log: Pick<Log, 'warn'>): void => {
  const at = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const renamedTo = `${DAMAGED_PREFIX}${at}`;
  renameSync(toSecretFile(dataDir), join(dataDir, renamedTo));
  log.warn(
    { renamedTo },
    'the secret was damaged: a new one is in use, and everyone is signed out',
  );
};

/**
 * The current secret; the first start writes a new one into the data folder, readable by its
 * owner only. Requires the lock on the data folder. Throws if it cannot be written.
 */
export const ensureSecret = (source: SecretSource, log: Pick<Log, 'warn'>): string => {
  const found = findSecret(source);
  const file = toSecretFile(source.dataDir);
  if (found === undefined) {
    createOwnerOnlyFolder(source.dataDir);
    if (existsSync(file)) renameDamaged(source.dataDir, log);
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    writeFileSync(file, `${secret}\n`, { mode: OWNER_ONLY, flush: true });
    return secret;
  }
  if (source.authSecret === undefined) restrictToOwner(file);
  return found;
};

/** A 256-bit key for one purpose (HKDF-SHA256), so that no key serves two. */
export const deriveKey = (secret: string, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', `replay-desk ${purpose}`, KEY_BYTES));
