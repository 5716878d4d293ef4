import { hkdfSync, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Config } from './config.ts';

type SecretPlace = Pick<Config, 'authSecret' | 'dataDir'>;

const SECRET_BYTES = 48;
const SECRET_LENGTH_MIN = 32;
const KEY_BYTES = 32;
const OWNER_ONLY = 0o600;

/** Name of the generated secret in the data folder. */
export const SECRET_FILE = 'auth-secret';

const toSecretFile = (dataDir: string): string => join(dataDir, SECRET_FILE);

/** The secret in use, without making one: `AUTH_SECRET`, else the data folder's. */
export const findSecret = ({ authSecret, dataDir }: SecretPlace): string | undefined => {
  if (authSecret !== undefined) return authSecret;
  const file = toSecretFile(dataDir);
  const secret = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return secret.length >= SECRET_LENGTH_MIN ? secret : undefined;
};

/**
 * The secret in use; the first start writes a new one into the data folder, readable by
 * its owner alone. Call it while holding the data folder. Throws where it cannot be written.
 */
export const ensureSecret = (place: SecretPlace): string => {
  const found = findSecret(place);
  if (found !== undefined) return found;
  mkdirSync(place.dataDir, { recursive: true, mode: 0o700 });
  const file = toSecretFile(place.dataDir);
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  writeFileSync(file, `${secret}\n`, { mode: OWNER_ONLY });
  chmodSync(file, OWNER_ONLY);
  return secret;
};

/** A 256-bit key for one purpose (HKDF-SHA256), so that no key serves two. */
export const deriveKey = (secret: string, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', `replay-desk ${purpose}`, KEY_BYTES));
