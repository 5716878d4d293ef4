import { type Answer, createCookieClient } from '#tests/support/server/web-client.ts';

/** Failures before there is a delay. */
export const PER_ACCOUNT = 10;
export const PER_ADDRESS = 50;
export const PER_SITE = 500;
const CALLBACK = '/api/auth/callback/credentials';
const FORWARDED = 'x-forwarded-for';

/** One attempt in a new browser, from an address if one is given. */
export const signIn = (
  port: number,
  email: string,
  password: string,
  from?: string,
): Promise<Answer> =>
  createCookieClient(port).post(
    CALLBACK,
    { email, password },
    from === undefined ? {} : { [FORWARDED]: from },
  );

/** A wrong password; returns the status. */
export const guess = async (port: number, email: string): Promise<number> =>
  (await signIn(port, email, 'wrong')).status;

/** Many concurrent guesses; returns their statuses. */
export const guessAll = async (
  count: number,
  attempt: (index: number) => Promise<Answer>,
): Promise<readonly number[]> =>
  (await Promise.all(Array.from({ length: count }, (_, index) => attempt(index)))).map(
    ({ status }) => status,
  );

export const countOf = (statuses: readonly number[], status: number): number =>
  statuses.filter((each) => each === status).length;
