import {
  LIMITER_KEYS_MAX,
  SIGN_IN_FAILURES_PER_ACCOUNT,
  SIGN_IN_FAILURES_PER_ADDRESS,
  SIGN_IN_WINDOW_MS,
} from '../limits.ts';
import { createRateLimiter } from '../rate-limiter.ts';

/** One attempt to sign in; it counts as failed until it is reported a success. */
export type Attempt =
  | { readonly ok: true; readonly succeeded: () => void; readonly undecided: () => void }
  | { readonly ok: false; readonly retryAfterMs: number };

/**
 * Limits failed sign-ins per account and per address. Attempts are counted when they begin,
 * so that a burst at once gets no further than one by one; successes are taken back.
 */
export type SignInLimiter = (account: string, address: string) => Attempt;

export const createSignInLimiter = (now: () => number): SignInLimiter => {
  const common = { windowMs: SIGN_IN_WINDOW_MS, keysMax: LIMITER_KEYS_MAX };
  const accounts = createRateLimiter({ ...common, limit: SIGN_IN_FAILURES_PER_ACCOUNT }, now);
  const addresses = createRateLimiter({ ...common, limit: SIGN_IN_FAILURES_PER_ADDRESS }, now);
  return (account, address) => {
    const byAddress = addresses.take(address);
    if (!byAddress.ok) return byAddress;
    const byAccount = accounts.take(account);
    if (!byAccount.ok) {
      addresses.giveBack(address);
      return byAccount;
    }
    return {
      ok: true,
      succeeded: () => {
        accounts.forget(account);
        addresses.giveBack(address);
      },
      undecided: () => {
        accounts.giveBack(account);
        addresses.giveBack(address);
      },
    };
  };
};
