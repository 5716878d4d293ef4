import type { AppError } from '#domain/errors.ts';
import { fail, ok, type Result } from '#domain/result.ts';

import type { Accounts, SignedIn } from '../kernel/contracts.ts';
import { EMAIL_LENGTH_MAX, PASSWORD_LENGTH_MAX } from '../kernel/limits.ts';
import { signInAnswerSchema } from '../product-api/person.ts';
import { askUpstream, isRefusal } from '../kernel/upstream.ts';

/**
 * The account of an email and password: undefined if refused, an error if it could not be checked.
 */
export type CheckCredentials = (
  email: string,
  password: string,
) => Promise<Result<SignedIn | undefined, AppError>>;

const isPossible = (email: string, password: string): boolean =>
  email.length > 0 &&
  email.length <= EMAIL_LENGTH_MAX &&
  password.length > 0 &&
  password.length <= PASSWORD_LENGTH_MAX;

/** Checks against the embedded accounts; those of the `refused` uids cannot sign in. */
export const createEmbeddedCheck =
  (accounts: Accounts, refused: ReadonlySet<string>): CheckCredentials =>
  async (email, password) => {
    const user = isPossible(email, password) ? await accounts.verify(email, password) : undefined;
    return ok(user === undefined || refused.has(user.uid) ? undefined : { user });
  };

/** Checks against the product API's `POST /auth` (spec §7); any 4xx except 429 is a refusal. */
export const createApiCheck =
  (apiBaseUrl: string): CheckCredentials =>
  async (email, password) => {
    if (!isPossible(email, password)) return ok(undefined);
    const body = JSON.stringify({ email, password });
    const answer = await askUpstream({ url: `${apiBaseUrl}/auth`, body });
    if (!answer.ok) return isRefusal(answer.error) ? ok(undefined) : answer;
    const parsed = signInAnswerSchema.safeParse(answer.value);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return fail({ kind: 'malformed', detail: `an answer of POST /auth ${issue?.message}` });
    }
    const { user, upstreamToken } = parsed.data;
    return ok({ user: { ...user, email: user.email ?? email }, upstreamToken });
  };
