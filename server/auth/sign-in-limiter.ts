import {
  LIMITER_KEYS_MAX,
  SIGN_IN_FAILURES_PER_ACCOUNT,
  SIGN_IN_FAILURES_PER_ADDRESS,
  SIGN_IN_WINDOW_MS,
} from '../limits.ts';
import type { Refused } from '../rate-limiter.ts';
import { createFailureLimiter } from './failure-limiter.ts';

/** An admitted attempt to sign in; exactly one of these tells how it ended. */
export type Attempt =
  | {
      readonly ok: true;
      readonly failed: () => void;
      readonly succeeded: () => void;
      /** Nobody could say. */
      readonly undecided: () => void;
    }
  | Refused;

/** Limits failed sign-ins per account and per address; successes are not limited. */
export type SignInLimiter = (account: string, address: string) => Promise<Attempt>;

export const createSignInLimiter = (now: () => number): SignInLimiter => {
  const common = { windowMs: SIGN_IN_WINDOW_MS, keysMax: LIMITER_KEYS_MAX };
  const enterAccount = createFailureLimiter(
    { ...common, limit: SIGN_IN_FAILURES_PER_ACCOUNT },
    now,
  );
  const enterAddress = createFailureLimiter(
    { ...common, limit: SIGN_IN_FAILURES_PER_ADDRESS },
    now,
  );
  return async (account, address) => {
    const byAddress = await enterAddress(address);
    if (!byAddress.ok) return byAddress;
    const byAccount = await enterAccount(account);
    if (!byAccount.ok) {
      byAddress.settle('passed');
      return byAccount;
    }
    return {
      ok: true,
      failed: () => {
        byAccount.settle('failed');
        byAddress.settle('failed');
      },
      succeeded: () => {
        byAccount.settle('cleared');
        byAddress.settle('passed');
      },
      undecided: () => {
        byAccount.settle('passed');
        byAddress.settle('passed');
      },
    };
  };
};
