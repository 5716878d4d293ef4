import { HOSTED_TOKENS_BYTES_MAX } from '../kernel/limits.ts';
import type { Log } from '../kernel/log.ts';
import type { AccessManager } from './access-manager.ts';

/** A token that was granted to a session. */
interface Granted {
  readonly sid: string;
  readonly token: string;
  /** ms since the epoch */
  readonly endsAt: number;
}

/** The tokens this instance granted, until they expire; beyond a limit, the oldest are dropped. */
export const createGrantedTokens = (now: () => number, bytesMax = HOSTED_TOKENS_BYTES_MAX) => {
  // Tokens have similar lifetimes: the first one in is the first one to expire.
  const kept = new Set<Granted>();
  let bytes = 0;
  const drop = (granted: Granted): void => {
    if (kept.delete(granted)) bytes -= granted.token.length;
  };
  return {
    add: (granted: Granted): void => {
      kept.add(granted);
      bytes += granted.token.length;
      for (const oldest of kept) {
        if (oldest.endsAt > now() && bytes <= bytesMax) break;
        drop(oldest);
      }
    },
    /** Removes and returns the tokens of a session, newest first. */
    take: (sid: string): readonly string[] => {
      const taken = [...kept].filter((granted) => granted.sid === sid);
      for (const granted of taken) drop(granted);
      return taken
        .filter(({ endsAt }) => endsAt > now())
        .map(({ token }) => token)
        .toReversed();
    },
  };
};

export type GrantedTokens = ReturnType<typeof createGrantedTokens>;

const BAD_REQUEST = 400;

/**
 * Revokes tokens one after the other. Stops if the service is unreachable or permits no
 * revocation: the tokens expire within 15 minutes.
 */
export const revokeTokens = async (
  access: AccessManager,
  tokens: readonly string[],
  log: Pick<Log, 'warn'>,
): Promise<void> => {
  for (const token of tokens) {
    const revoked = await access.revoke(token);
    if (revoked.ok) continue;
    const { kind, ...fault } = revoked.error;
    log.warn({ reason: kind, ...fault }, 'an access token could not be revoked');
    // A 400 concerns only this token, which may just have expired.
    if (!('status' in fault) || fault.status !== BAD_REQUEST) return;
  }
};
