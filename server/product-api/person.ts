import * as z from 'zod';

import type { SignedIn } from '../kernel/contracts.ts';

const UID_LENGTH_MAX = 128;

/** Ids are strings or numbers; beyond 2^53 a number was rounded when it was read. */
export const idSchema = z.union([z.string(), z.int()]).transform(String);

/** A missing name is an empty one. */
export const nameSchema = z
  .string()
  .nullish()
  .transform((name) => name ?? '');

/**
 * A staff member as the product API may return one; the spec leaves the fields open (§3). The
 * id is `uid` or `id`, the name `name` or `first_name` and `last_name`.
 */
export const apiPersonSchema = z
  .object({
    uid: idSchema.nullish().catch(undefined),
    id: idSchema.nullish().catch(undefined),
    name: nameSchema.catch(''),
    first_name: nameSchema.catch(''),
    last_name: nameSchema.catch(''),
    email: z.string().nullish().catch(undefined),
    image: z.string().nullish().catch(undefined),
    role: z.enum(['producer', 'team']).catch('team'),
  })
  .transform(({ uid, id, name, first_name, last_name, ...rest }) => ({
    ...rest,
    uid: uid ?? id ?? '',
    name: name || `${first_name} ${last_name}`.trim() || null,
  }))
  .refine(({ uid }) => uid.length > 0 && uid.length <= UID_LENGTH_MAX);

/** Visible ASCII, as in a header; the session cookie limits its length. An empty one is none. */
const tokenSchema = z
  .string()
  .regex(/^[\x21-\x7E]*$/)
  .nullish();

const withTokenSchema = z
  .object({ token: tokenSchema, accessToken: tokenSchema, access_token: tokenSchema })
  .transform(({ token, accessToken, access_token }) => token || accessToken || access_token);

/**
 * The response of `POST /auth`, which the spec leaves open: a user, at the top level or as `user`,
 * and optionally a token next to or inside it as `token`, `accessToken` or `access_token`.
 */
export const signInAnswerSchema = z.unknown().transform((answer, context): SignedIn => {
  const outer = z.object({ user: z.unknown() }).safeParse(answer);
  const stated = outer.data?.user ?? answer;
  const user = apiPersonSchema.safeParse(stated);
  const tokens = [answer, stated].map((place) => withTokenSchema.safeParse(place));
  const isValid = tokens.every((token) => token.success);
  if (!user.success || !isValid) {
    context.addIssue(user.success ? 'with an invalid token' : 'without a user');
    return z.NEVER;
  }
  return { user: user.data, upstreamToken: tokens.find((token) => token.data)?.data ?? undefined };
});
