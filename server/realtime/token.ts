import { createHmac, timingSafeEqual } from 'node:crypto';

import * as z from 'zod/mini';

import { isClientId } from '#domain/rooms.ts';

import type { Authority } from '../kernel/contracts.ts';
import { deriveKey } from '../kernel/secret.ts';
import { TOKEN_LEFT_MAX_MS, TOKEN_LIFE_MS } from './limits.ts';

/** The identity in a token; `expires` is ms since the epoch. */
export type Bearer =
  | {
      readonly kind: 'staff';
      readonly uid: string;
      /** The session it came from: signing that out ends the token. */
      readonly sid: string;
      /** Who confirmed the account: the token is invalid once another authority does that. */
      readonly by: Authority;
      readonly expires: number;
    }
  | { readonly kind: 'client'; readonly clientId: string; readonly expires: number };

const bearerSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('staff'),
    uid: z.string().check(z.minLength(1)),
    sid: z.string(),
    by: z.enum(['embedded accounts', 'product API']),
    expires: z.number(),
  }),
  z.object({
    kind: z.literal('client'),
    clientId: z.custom<string>(isClientId),
    expires: z.number(),
  }),
]);

const TOKEN_LENGTH_MAX = 2048;
/** Valid tokens kept in memory; about 300 bytes each. */
const VERIFIED_TOKENS_MAX = 5000;

/**
 * Short-lived access tokens, verified without any stored state: base64url JSON and its
 * HMAC-SHA256 under a key derived from the server's secret.
 */
export const createTokens = (
  secret: string,
  now: () => number = Date.now,
  by: Authority = 'embedded accounts',
) => {
  const key = deriveKey(secret, 'realtime token v1');
  const sign = (body: string): Buffer => createHmac('sha256', key).update(body).digest();
  const mint = (bearer: Bearer) => {
    const body = Buffer.from(JSON.stringify(bearer)).toString('base64url');
    return { token: `${body}.${sign(body).toString('base64url')}`, expires: bearer.expires };
  };
  const verify = (token: string): Bearer | undefined => {
    const [body, signature, ...rest] = token.split('.');
    if (!body || !signature || rest.length > 0) return undefined;
    const given = Buffer.from(signature, 'base64url');
    const expected = sign(body);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const parsed = bearerSchema.safeParse(JSON.parse(Buffer.from(body, 'base64url').toString()));
    return parsed.success ? parsed.data : undefined;
  };
  const verified = new Map<string, Bearer>();
  /** Verifies each valid token once: a sender presents the same one for minutes. */
  const verifyOnce = (token: string): Bearer | undefined => {
    const known = verified.get(token);
    if (known !== undefined) return known;
    const bearer = verify(token);
    if (bearer === undefined) return undefined;
    if (verified.size >= VERIFIED_TOKENS_MAX) verified.clear();
    verified.set(token, bearer);
    return bearer;
  };
  return {
    /** A token of a signed-in staff member, which ends no later than the session. */
    forStaff: ({ uid, sid, expires }: Omit<Extract<Bearer, { kind: 'staff' }>, 'kind' | 'by'>) =>
      mint({ kind: 'staff', uid, sid, by, expires: Math.min(expires, now() + TOKEN_LIFE_MS) }),
    /** A token of one client, for that client's rooms only. */
    forClient: (clientId: string) =>
      mint({ kind: 'client', clientId, expires: now() + TOKEN_LIFE_MS }),
    /**
     * Undefined if forged, damaged, expired, created while the clock was ahead, or of another
     * authority. Does not check whether its session was denied.
     */
    read: (token: string): Bearer | undefined => {
      const bearer = token.length > TOKEN_LENGTH_MAX ? undefined : verifyOnce(token);
      if (bearer === undefined || (bearer.kind === 'staff' && bearer.by !== by)) return undefined;
      const left = bearer.expires - now();
      return left > 0 && left <= TOKEN_LEFT_MAX_MS ? bearer : undefined;
    },
  };
};

export type Tokens = ReturnType<typeof createTokens>;
