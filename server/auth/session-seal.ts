import { EncryptJWT, jwtDecrypt, type JWTPayload } from 'jose';
import * as z from 'zod';

import { type User, userSchema } from '#domain/schemas/session.ts';

import type { Authority } from '../kernel/contracts.ts';
import { deriveKey } from '../kernel/secret.ts';

/** The content of a session cookie. Times are ms since the epoch, in whole seconds. */
export interface SealedSession {
  readonly user: User;
  /** The product API's token, which page code cannot read. */
  readonly upstreamToken?: string | undefined;
  /** New at every sign-in, unchanged by renewals. */
  readonly sid: string;
  /** Time of the sign-in. */
  readonly startedAt: number;
  /** Time of the last renewal. */
  readonly issuedAt: number;
  readonly expires: number;
  /** Decrypted with the previous secret: to be encrypted again. */
  readonly isOld?: true;
}

const claimsSchema = z.object({
  user: userSchema,
  sid: z.string().min(1),
  up: z.string().optional(),
  start: z.number().int(),
  iat: z.number().int(),
  exp: z.number().int(),
});

const ALGORITHM = { alg: 'dir', enc: 'A256GCM' } as const;
const OPEN_OPTIONS = {
  keyManagementAlgorithms: [ALGORITHM.alg],
  contentEncryptionAlgorithms: [ALGORITHM.enc],
};

const toSeconds = (ms: number): number => Math.floor(ms / 1000);

const PURPOSES = {
  'embedded accounts': 'session cookie v1',
  'product API': 'session cookie of the product API v1',
} as const satisfies Readonly<Record<Authority, string>>;

/** The payload of a text encrypted with this key; throws for anything else. */
const decrypt = async (text: string, key: Uint8Array, now: number): Promise<JWTPayload> => {
  const options = { ...OPEN_OPTIONS, currentDate: new Date(now) };
  return (await jwtDecrypt(text, key, options)).payload;
};

/**
 * Sessions as encrypted, authenticated texts (JWE, direct key, only A256GCM). A session from one
 * authority is invalid under the other, even with the same secret. `previous` decrypts sessions from
 * before a rotation of the secret; it never encrypts.
 */
export const createSessionSeal = (secret: string, authority: Authority, previous?: string) => {
  const key = deriveKey(secret, PURPOSES[authority]);
  const previousKey = previous === undefined ? undefined : deriveKey(previous, PURPOSES[authority]);
  return {
    seal: ({ user, upstreamToken, sid, startedAt, issuedAt, expires }: SealedSession) =>
      new EncryptJWT({ user, up: upstreamToken, sid, start: toSeconds(startedAt) })
        .setProtectedHeader(ALGORITHM)
        .setIssuedAt(toSeconds(issuedAt))
        .setExpirationTime(toSeconds(expires))
        .encrypt(key),
    /** Undefined for anything but a valid, unexpired session of this server. */
    open: async (text: string, now: number): Promise<SealedSession | undefined> => {
      try {
        const opened = await decrypt(text, key, now).catch(() => undefined);
        const isOld = opened === undefined && previousKey !== undefined;
        const payload = isOld ? await decrypt(text, previousKey, now) : opened;
        const claims = claimsSchema.safeParse(payload);
        if (!claims.success) return undefined;
        const { user, up, sid, start, iat, exp } = claims.data;
        return {
          user,
          upstreamToken: up,
          sid,
          startedAt: start * 1000,
          issuedAt: iat * 1000,
          expires: exp * 1000,
          ...(isOld ? { isOld } : {}),
        };
      } catch {
        return undefined;
      }
    },
  };
};

export type SessionSeal = ReturnType<typeof createSessionSeal>;
