import * as z from 'zod/mini';

/**
 * `GET /api/auth/keys` of a signed-in person: AES-256 keys in base64url that encrypt the data which
 * stays in a browser after a sign-out. The current key is first; older ones only decrypt. `store`
 * names the person's store in a browser without revealing whose it is.
 */
export const personalKeysSchema = z.object({
  uid: z.string(),
  keys: z
    .array(
      z.object({
        key: z.string().check(z.regex(/^[\w-]{43}$/)),
        store: z.string().check(z.regex(/^[\w-]{22}$/)),
      }),
    )
    .check(z.minLength(1)),
});
export type PersonalKeys = z.infer<typeof personalKeysSchema>;
