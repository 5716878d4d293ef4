import { hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { closeToOthers, OWNER_ONLY } from './owner-only.ts';
import type { Log } from './log.ts';

/** Where a secret comes from: the settings, else a file of the data folder. */
interface SecretPlace {
  readonly authSecret: string | undefined;
  readonly dataDir: string;
}

const SECRET_BYTES = 48;
const SECRET_LENGTH_MIN = 32;
const KEY_BYTES = 32;

/** Name of the generated secret in the data folder. */
export const SECRET_FILE = 'auth-secret';

const toSecretFile = (dataDir: string): string => join(dataDir, SECRET_FILE);

/** Visible text: a power cut leaves files of zeros, which would be everybody's secret. */
const WHOLE = new RegExp(`^[\\x20-\\x7E]{${SECRET_LENGTH_MIN},}$`);

/** The secret in use, without making one: `AUTH_SECRET`, else the data folder's, if it is whole. */
export const findSecret = ({ authSecret, dataDir }: SecretPlace): string | undefined => {
  if (authSecret !== undefined) return authSecret;
  const file = toSecretFile(dataDir);
  const secret = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return WHOLE.test(secret) ? secret : undefined;
};

/** Renames a damaged secret, so that it can be looked at and perhaps be restored. */
const setAside = (dataDir: string, log: Pick<Log, 'warn'>): void => {
  const at = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const aside = `${SECRET_FILE}.damaged-${at}`;
  renameSync(toSecretFile(dataDir), join(dataDir, aside));
  log.warn({ aside }, 'the secret was damaged: a new one is in use, everybody is signed out');
};

/**
 * The secret in use; the first start writes a new one into the data folder, readable by
 * its owner alone. Call it while holding the data folder. Throws where it cannot be written.
 */
export const ensureSecret = (place: SecretPlace, log: Pick<Log, 'warn'>): string => {
  const found = findSecret(place);
  const file = toSecretFile(place.dataDir);
  if (found === undefined) {
    mkdirSync(place.dataDir, { recursive: true, mode: 0o700 });
    if (existsSync(file)) setAside(place.dataDir, log);
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    writeFileSync(file, `${secret}\n`, { mode: OWNER_ONLY, flush: true });
    return secret;
  }
  if (place.authSecret === undefined) closeToOthers(file);
  return found;
};

/** A 256-bit key for one purpose (HKDF-SHA256), so that no key serves two. */
export const deriveKey = (secret: string, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', `replay-desk ${purpose}`, KEY_BYTES));
