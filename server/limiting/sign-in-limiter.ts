import { createHmac } from 'node:crypto';

import {
  DEVICE_PACE,
  DEVICES_PACE,
  SIGN_IN_PACE_PER_ACCOUNT,
  SIGN_IN_PACE_PER_ADDRESS,
  SIGN_IN_PACE_PER_SITE,
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
  /** The larger network of an IPv6 address, as a key for limits. */
  readonly site: string | undefined;
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

/** Letters that NFKD leaves whole. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ħ: 'h',
  ł: 'l',
  ŧ: 't',
};

/**
 * One key for all spellings that a product may treat as the same address: full-width and other
 * compatibility letters (NFKD), capitals, invisible and control characters, accents, strokes and
 * ligatures (the Unicode collation table, by which MySQL 8 compares). Two people with one key are
 * only counted together.
 */
const toAccountKey = (account: string): string =>
  account
    .normalize('NFKD')
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{M}\p{C}]/gu, '')
    // ß has only a capital of two letters.
    .toUpperCase()
    .toLowerCase()
    .replaceAll(/[æœøđħłŧ]/g, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .trim();

type Admitted = Extract<Admission, { readonly ok: true }>;

/** Admits an attempt that both admit. One that the second refuses does not count for the first. */
const enterBoth = async (
  enterFirst: () => Promise<Admission>,
  enterSecond: () => Promise<Admission>,
): Promise<Admission> => {
  const first = await enterFirst();
  if (!first.ok) return first;
  const second = await enterSecond().catch(async (error: unknown) => {
    await first.settle('passed');
    throw error;
  });
  if (!second.ok) {
    await first.settle('passed');
    return second;
  }
  const settle: Admitted['settle'] = async (outcome) => {
    await second.settle(outcome);
    await first.settle(outcome === 'failed' ? 'failed' : 'passed');
  };
  return { ok: true, settle };
};

/**
 * Counts per account, per address and per IPv6 site, to slow down guessing and password spraying.
 * A browser that signed in to the account before has a limit of its own instead of these: guesses
 * from elsewhere, or from the same network, do not lock it out. After too many failures of such
 * browsers of one account together they count like others: whoever knew the password once could
 * otherwise collect browsers to guess the next one.
 */
export const createSignInLimiter = ({
  createLimiter,
  secret,
  log,
}: SignInLimiterDeps): SignInLimiter => {
  const enterAccount = createAttemptLimiter(SIGN_IN_PACE_PER_ACCOUNT, createLimiter, log);
  const enterAddress = createAttemptLimiter(SIGN_IN_PACE_PER_ADDRESS, createLimiter, log);
  const enterSite = createAttemptLimiter(SIGN_IN_PACE_PER_SITE, createLimiter, log);
  const enterDevice = createAttemptLimiter(DEVICE_PACE, createLimiter, log);
  const enterDevices = createAttemptLimiter(DEVICES_PACE, createLimiter, log);
  const key = deriveKey(secret, 'limit keys v1');
  const toKey = (text: string): string =>
    createHmac('sha256', key).update(text).digest('base64url');
  return async ({ account, address, site, device }) => {
    const accountKey = toKey(toAccountKey(account));
    if (device !== undefined) {
      const common = await enterDevices(accountKey);
      const byDevice = () => enterDevice(toKey(device));
      if (common.ok) return enterBoth(async () => common, byDevice);
    }
    const byAddress = () => enterAddress(toKey(address));
    const byNetwork = () =>
      site === undefined ? byAddress() : enterBoth(() => enterSite(toKey(site)), byAddress);
    return enterBoth(byNetwork, () => enterAccount(accountKey));
  };
};
