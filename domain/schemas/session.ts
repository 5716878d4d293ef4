import * as z from 'zod/mini';

/** The signed-in staff member (contract: `role` is producer or team). */
export const userSchema = z.object({
  uid: z.string().check(z.minLength(1), z.maxLength(128)),
  name: z.optional(z.nullable(z.string())),
  email: z.optional(z.nullable(z.string())),
  image: z.optional(z.nullable(z.string())),
  role: z.optional(z.enum(['producer', 'team'])),
});
export type User = z.infer<typeof userSchema>;

/** A session; `expires` is an ISO 8601 date. */
export const sessionSchema = z.object({ user: userSchema, expires: z.iso.datetime() });
export type Session = z.infer<typeof sessionSchema>;

/** `GET /api/auth/session`: a session, or `{}` when there is none. */
export const sessionAnswerSchema = z.union([sessionSchema, z.strictObject({})]);

/** `GET /api/auth/csrf`. */
export const csrfAnswerSchema = z.object({ csrfToken: z.string() });

/** `POST /api/auth/callback/{provider}` and `signout`: an absolute url, errors in its query. */
export const urlAnswerSchema = z.object({ url: z.string() });
