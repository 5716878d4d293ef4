import type { PersonalKeys } from '#domain/schemas/personal-keys.ts';

import { deriveKey } from '../kernel/secret.ts';
import type { Authority } from '../kernel/contracts.ts';

/** The keys of one person, returned only to the holder of that person's session. */
export type FindPersonalKeys = (uid: string) => PersonalKeys;

const STORE_ID_BYTES = 16;

const toText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/**
 * Derives the keys of each person from the server's secrets, the current one first: every
 * instance returns the same keys, and none is stored. The same uid under another authority is
 * another person.
 */
export const createPersonalKeys =
  (secrets: readonly string[], authority: Authority): FindPersonalKeys =>
  (uid) => {
    const derive = (secret: string, purpose: string): Uint8Array =>
      deriveKey(secret, `${purpose} v1, ${authority}: ${uid}`);
    return {
      uid,
      keys: secrets.map((secret) => ({
        key: toText(derive(secret, 'kept messages')),
        store: toText(derive(secret, 'store mark').subarray(0, STORE_ID_BYTES)),
      })),
    };
  };
