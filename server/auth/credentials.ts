import * as z from 'zod';

import type { AppError } from '#domain/errors.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import type { User } from '#domain/schemas/session.ts';

import type { Accounts } from '../contracts.ts';
import { EMAIL_LENGTH_MAX, PASSWORD_LENGTH_MAX } from '../limits.ts';
import { askUpstream } from '../upstream.ts';

/** The account of an address and password: undefined when refused, an error when nobody could say. */
export type CheckCredentials = (
  email: string,
  password: string,
) => Promise<Result<User | undefined, AppError>>;

const isPossible = (email: string, password: string): boolean =>
  email.length > 0 &&
  email.length <= EMAIL_LENGTH_MAX &&
  password.length > 0 &&
  password.length <= PASSWORD_LENGTH_MAX;

/** Against the embedded accounts. */
export const createEmbeddedCheck =
  (accounts: Accounts): CheckCredentials =>
  async (email, password) =>
    ok(isPossible(email, password) ? await accounts.verify(email, password) : undefined);

/** The user as the product API may state one; the spec leaves the answer of `POST /auth` open. */
const apiUserSchema = z
  .object({
    uid: z.union([z.string(), z.number()]).optional(),
    id: z.union([z.string(), z.number()]).optional(),
    name: z.string().nullish(),
    email: z.string().nullish(),
    image: z.string().nullish(),
    role: z.enum(['producer', 'team']).catch('team'),
  })
  .transform(({ uid, id, ...user }) => ({ ...user, uid: String(uid ?? id ?? '') }))
  .refine(({ uid }) => uid.length > 0 && uid.length <= 128);
const apiAnswerSchema = z.union([
  z.object({ user: apiUserSchema }).transform(({ user }) => user),
  apiUserSchema,
]);

const isRefusal = (error: AppError): boolean =>
  error.kind === 'unauthenticated' || error.kind === 'forbidden' || error.kind === 'rejected';

/** Against the product API's `POST /auth` with `{email, password}` (spec §7); any 4xx is a refusal. */
export const createApiCheck =
  (apiBaseUrl: string): CheckCredentials =>
  async (email, password) => {
    if (!isPossible(email, password)) return ok(undefined);
    const answer = await askUpstream({ url: `${apiBaseUrl}/auth`, body: { email, password } });
    if (!answer.ok) return isRefusal(answer.error) ? ok(undefined) : answer;
    const user = apiAnswerSchema.safeParse(answer.value);
    return user.success
      ? ok({ ...user.data, email: user.data.email ?? email })
      : fail({ kind: 'malformed', detail: 'an answer of POST /auth without a user' });
  };
