import { type CookieClient, createCookieClient } from '#tests/support/server/web-client.ts';

import type { Attack } from '../attack.ts';
import { countOf, guess, guessAll, PER_ACCOUNT, PER_ADDRESS, signIn } from './guessing.ts';

const OWNER = 'producer@example.com';
const DEVICE_COOKIE = 'replay-desk.device';

/** A browser of the owner that signed in and out. */
const openOwner = async (port: number): Promise<CookieClient> => {
  const owner = createCookieClient(port);
  await owner.signIn();
  await owner.post('/api/auth/signout');
  return owner;
};

const close = async (port: number): Promise<void> => {
  for (let i = 0; i < PER_ACCOUNT; i += 1) await guess(port, OWNER);
};

/** Guesses the owner's password with a forged or foreign cookie. */
const guessWith = async (port: number, value: string, password = 'producer'): Promise<number> => {
  const thief = createCookieClient(port);
  thief.cookies.set(DEVICE_COOKIE, value);
  return (await thief.signIn(OWNER, password)).status;
};

const deviceOf = (client: CookieClient): string => client.cookies.get(DEVICE_COOKIE) ?? '';

/** Guessing until the owner of an account is locked out, and posing as the owner's browser. */
export const lockout: readonly Attack[] = [
  {
    title: 'an account until its owner, in a known browser, is locked out',
    attempt: ({ alone }) =>
      alone(async ({ port }) => {
        const owner = await openOwner(port);
        await close(port);
        const stranger = await signIn(port, OWNER, 'producer');
        return [stranger.status, (await owner.signIn()).status];
      }),
    outcome: [429, 200],
  },
  {
    title: 'all accounts of an address until an owner at the same address is locked out',
    attempt: ({ alone }) =>
      alone(async ({ port }) => {
        const owner = await openOwner(port);
        await guessAll(PER_ADDRESS, (i) => signIn(port, `nobody-${i}@example.com`, 'wrong'));
        return [await guess(port, 'nobody@example.com'), (await owner.signIn()).status];
      }),
    outcome: [429, 200],
  },
  {
    title: 'with the device cookie of another account, or a forged one',
    attempt: ({ alone }) =>
      alone(async ({ port }) => {
        const owner = await openOwner(port);
        const other = createCookieClient(port);
        await other.signIn('team@example.com', 'teammate');
        await close(port);
        const [id = '', until = '', mac = ''] = deviceOf(owner).split('.');
        const forged = [
          deviceOf(other),
          `${id}.${Number(until) + 1}.${mac}`,
          `${'A'.repeat(22)}.${until}.${mac}`,
          `${id}.${until}.${'A'.repeat(43)}`,
          `${id}.${until}.`,
          'x',
        ];
        const statuses: number[] = [];
        for (const value of forged) statuses.push(await guessWith(port, value));
        return [countOf(statuses, 429), await guessWith(port, deviceOf(owner))];
      }),
    outcome: [6, 200],
  },
  {
    title: 'with a stolen device cookie of the account',
    attempt: ({ alone }) =>
      alone(async ({ port }) => {
        const owner = await openOwner(port);
        const statuses: number[] = [];
        for (let i = 0; i < PER_ACCOUNT + 2; i += 1) {
          statuses.push(await guessWith(port, deviceOf(owner), 'wrong'));
        }
        const stranger = await signIn(port, OWNER, 'producer');
        return [countOf(statuses, 401), countOf(statuses, 429), stranger.status];
      }),
    outcome: [PER_ACCOUNT, 2, 200],
  },
];
