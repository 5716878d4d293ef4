import type { Answer } from '#tests/support/server/web-client.ts';
import type { WebServer } from '#tests/support/server/web-server.ts';

import { type Attack, inForms } from '../attack.ts';
import {
  countOf,
  guess,
  guessAll,
  PER_ACCOUNT,
  PER_ADDRESS,
  PER_SITE,
  signIn,
} from './guessing.ts';
import { lockout } from './lockout.ts';
import { PUBLIC_URL } from '../target.ts';

/** Everything in a refusal except its date and number. */
const toVisible = ({ status, text, headers }: Answer) => ({
  status,
  text,
  headers: { ...headers, date: '', 'x-request-id': '' },
});

/** Processor time of the server, which runs in this process, and of the request, µs. */
const measure = async (attempt: () => Promise<Answer>): Promise<number> => {
  const before = process.cpuUsage();
  await attempt();
  const { user, system } = process.cpuUsage(before);
  return user + system;
};

/**
 * Whether the shortest time for an unknown address is about that for a correct password; measured
 * alternately, and repeated until both are undisturbed on a busy machine.
 */
const isSameWork = async ({ port }: WebServer): Promise<boolean> => {
  let [unknown, known] = [Infinity, Infinity];
  for (let round = 0; round < 60; round += 1) {
    const from = `198.51.100.${round}`;
    const guess = () => signIn(port, `nobody-${round}@example.com`, 'wrong', from);
    unknown = Math.min(unknown, await measure(guess));
    known = Math.min(
      known,
      await measure(() => signIn(port, 'team@example.com', 'teammate', from)),
    );
    if (round >= 10 && unknown > known * 0.5) return true;
  }
  return false;
};

const guessing: readonly Attack[] = [
  {
    title: 'distinguishing unknown accounts from wrong passwords by the response',
    attempt: ({ alone }) =>
      alone(async ({ port }) => {
        const [known, unknown] = [
          await signIn(port, 'team@example.com', 'not this'),
          await signIn(port, 'nobody@example.com', 'not this'),
        ];
        const url = new URL(String(unknown.json()['url']));
        const isSame = JSON.stringify(toVisible(known)) === JSON.stringify(toVisible(unknown));
        return [isSame, unknown.status, url.searchParams.get('error')];
      }),
    outcome: [true, 401, 'CredentialsSignin'],
  },
  {
    title: 'distinguishing unknown accounts from wrong passwords by timing',
    attempt: ({ alone }) => alone(isSameWork, { PUBLIC_URL }),
    outcome: true,
  },
  {
    title: 'one account one by one, then with the correct password',
    attempt: ({ alone }) =>
      alone(async ({ port }) => {
        const statuses: number[] = [];
        for (let i = 0; i < PER_ACCOUNT; i += 1) {
          statuses.push(await guess(port, 'producer@example.com'));
        }
        const { status, headers, text } = await signIn(port, 'PRODUCER@example.com', 'producer');
        const wait = Number(headers['retry-after']);
        const other = await signIn(port, 'team@example.com', 'teammate');
        return [countOf(statuses, 401), status, wait > 0 && wait <= 30, other.status].concat(
          text.includes('error=TooManyAttempts'),
        );
      }),
    outcome: [PER_ACCOUNT, 429, true, 200, true],
  },
  {
    title: 'an unknown account one by one',
    attempt: ({ alone }) =>
      alone(async ({ port }) => {
        for (let i = 0; i < PER_ACCOUNT; i += 1) await guess(port, 'nobody@example.com');
        return guess(port, 'nobody@example.com');
      }),
    outcome: 429,
  },
  {
    title: 'one account in a concurrent burst',
    attempt: ({ alone }) =>
      alone(async ({ port }) => {
        const statuses = await guessAll(25, () => signIn(port, 'team@example.com', 'wrong'));
        return [countOf(statuses, 401), countOf(statuses, 429)];
      }),
    outcome: [PER_ACCOUNT, 25 - PER_ACCOUNT],
  },
];

const spraying: readonly Attack[] = [
  {
    title: 'fifty accounts from one address, then another one with its correct password',
    attempt: ({ alone }) =>
      alone(async ({ port }) => {
        const statuses = await guessAll(PER_ADDRESS + 5, (i) =>
          signIn(port, `nobody-${i}@example.com`, 'wrong'),
        );
        const right = await signIn(port, 'producer@example.com', 'producer');
        return [countOf(statuses, 401), right.status];
      }),
    outcome: [PER_ADDRESS, 429],
  },
  {
    title: 'as many from one address that claims to be many, on loopback http',
    attempt: ({ alone }) =>
      alone(async ({ port }) => {
        const statuses = await guessAll(PER_ADDRESS + 1, (i) =>
          signIn(port, `nobody-${i}@example.com`, 'wrong', `10.0.0.${i}`),
        );
        return countOf(statuses, 429);
      }),
    outcome: 1,
  },
  {
    title: 'as many from one address that claims others before it, on https',
    attempt: ({ alone }) =>
      alone(
        async ({ port }) => {
          const statuses = await guessAll(PER_ADDRESS + 1, (i) =>
            signIn(port, `nobody-${i}@example.com`, 'wrong', `10.9.9.${i}, 203.0.113.7`),
          );
          const other = await signIn(port, 'nobody@example.com', 'wrong', '203.0.113.8');
          return [countOf(statuses, 429), other.status];
        },
        { PUBLIC_URL },
      ),
    outcome: [1, 401],
  },
  {
    title: 'as many from one IPv6 network, an address each',
    attempt: ({ alone }) =>
      alone(
        async ({ port }) => {
          const statuses = await guessAll(PER_ADDRESS + 1, (i) =>
            signIn(port, `nobody-${i}@example.com`, 'wrong', `2001:db8:1:2::${i.toString(16)}`),
          );
          const other = await signIn(port, 'nobody@example.com', 'wrong', '2001:db8:1:3::1');
          return [countOf(statuses, 429), other.status];
        },
        { PUBLIC_URL },
      ),
    outcome: [1, 401],
  },
  {
    title: 'as many from one address, a port each, behind a proxy that appends the port',
    attempt: ({ alone }) =>
      alone(
        async ({ port }) => {
          const statuses = await guessAll(PER_ADDRESS + 1, (i) =>
            signIn(port, `nobody-${i}@example.com`, 'wrong', `203.0.113.7:${40_000 + i}`),
          );
          const others = ['203.0.113.8:40000', '[2001:db8:1:3::1]:40000', '[2001:db8:1:4::1]'];
          const after: number[] = [];
          for (const from of others) {
            after.push((await signIn(port, 'nobody@example.com', 'wrong', from)).status);
          }
          return [countOf(statuses, 429), ...after];
        },
        { PUBLIC_URL },
      ),
    outcome: [1, 401, 401, 401],
  },
  {
    title: 'five hundred from one IPv6 site, a network each',
    attempt: ({ alone }) =>
      alone(
        async ({ port }) => {
          const statuses = await guessAll(PER_SITE + 1, (i) =>
            signIn(port, `nobody-${i}@example.com`, '', `2001:db8:1:${i.toString(16)}::1`),
          );
          const other = await signIn(port, 'nobody@example.com', '', '2001:db8:2::1');
          return [countOf(statuses, 429), other.status];
        },
        { PUBLIC_URL },
      ),
    outcome: [1, 401],
  },
];

const closing: readonly Attack[] = [
  {
    title: 'locking an owner out by signing in often',
    attempt: ({ alone }) =>
      alone(async ({ port }) => {
        const statuses = await guessAll(PER_ADDRESS + 10, () =>
          signIn(port, 'producer@example.com', 'producer'),
        );
        for (let i = 0; i < PER_ACCOUNT - 1; i += 1) await guess(port, 'producer@example.com');
        const cleared = await signIn(port, 'producer@example.com', 'producer');
        for (let i = 0; i < PER_ACCOUNT - 1; i += 1) await guess(port, 'producer@example.com');
        const last = await signIn(port, 'producer@example.com', 'producer');
        return [countOf(statuses, 200), cleared.status, last.status];
      }),
    outcome: [PER_ADDRESS + 10, 200, 200],
  },
];

const oddCredentials = inForms<readonly [email: string, password: string]>(
  [
    ['no password', ['producer@example.com', '']],
    ['no address', ['', 'producer']],
    ['an endless password', ['producer@example.com', 'x'.repeat(5000)]],
    ['an endless address', [`${'x'.repeat(5000)}@example.com`, 'producer']],
    ['SQL as an address', ["' OR 1=1 --", 'producer']],
    ['a pattern as an address', ['%@example.com', 'producer']],
    ['a NUL in the address', ['producer@example.com\0', 'producer']],
    ['a lone surrogate', ['\ud800@example.com', '\ud800']],
    ['the stored hash', ['producer@example.com', '$argon2id$v=19$m=19456,t=2,p=1$']],
  ],
  async ({ server }, [email, password]) => (await signIn(server.port, email, password)).status,
  401,
);

/** Guessing, spraying and extending passwords. */
export const passwords: readonly Attack[] = [
  ...guessing,
  ...spraying,
  ...closing,
  ...lockout,
  ...oddCredentials,
];
