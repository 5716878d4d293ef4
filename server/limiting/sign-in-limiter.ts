import { createHmac } from 'node:crypto';

import {
  DEVICE_PACE,
  SIGN_IN_PACE_PER_ACCOUNT,
  SIGN_IN_PACE_PER_ADDRESS,
} from '../kernel/limits.ts';
import type { Log } from '../kernel/log.ts';
import { deriveKey } from '../kernel/secret.ts';
import { type Admission, createAttemptLimiter } from './attempt-limiter.ts';
import type { CreateLimiter } from './limiters.ts';

/** The origin of a sign-in attempt. */
export interface Candidate {
  readonly account: string;
  /** The client's address, as a key for limits. */
  readonly address: string;
  /** Id of a browser that signed in to this account before. */
  readonly device: string | undefined;
}

/** Limits failed sign-ins; successes are not limited. Rejects if nothing can be counted. */
export type SignInLimiter = (candidate: Candidate) => Promise<Admission>;

export interface SignInLimiterDeps {
  readonly createLimiter: CreateLimiter;
  /** The server's secret: counters contain neither addresses nor accounts in plaintext. */
  readonly secret: string;
  readonly log: Log;
}

/**
 * One key for all spellings that a product may treat as the same address: full-width and other
 * compatibility letters (NFKC), capitals, invisible characters.
 */
const toAccountKey = (account: string): string =>
  account
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .trim();

/**
 * Counts per account and per address, to slow down guessing and password spraying. A browser
 * that signed in to the account before has a limit of its own instead of both: guesses from
 * elsewhere, or from the same network, never lock it out.
 */
export const createSignInLimiter = ({
  createLimiter,
  secret,
  log,
}: SignInLimiterDeps): SignInLimiter => {
  const enterAccount = createAttemptLimiter(SIGN_IN_PACE_PER_ACCOUNT, createLimiter, log);
  const enterAddress = createAttemptLimiter(SIGN_IN_PACE_PER_ADDRESS, createLimiter, log);
  const enterDevice = createAttemptLimiter(DEVICE_PACE, createLimiter, log);
  const key = deriveKey(secret, 'limit keys v1');
  const toKey = (text: string): string =>
    createHmac('sha256', key).update(text).digest('base64url');
  return async ({ account, address, device }) => {
    if (device !== undefined) return enterDevice(toKey(device));
    const byAddress = await enterAddress(toKey(address));
    if (!byAddress.ok) return byAddress;
    const byAccount = await enterAccount(toKey(toAccountKey(account))).catch(
      async (error: unknown) => {
        await byAddress.settle('passed');
        throw error;
      },
    );
    if (!byAccount.ok) {
      await byAddress.settle('passed');
      return byAccount;
    }
    const settle = async (outcome: Parameters<typeof byAccount.settle>[0]): Promise<void> => {
      await byAccount.settle(outcome);
      await byAddress.settle(outcome === 'failed' ? 'failed' : 'passed');
    };
    return { ok: true, settle };
  };
};
