import * as z from 'zod/mini';

/** Where the user is signed in; times are ms since the epoch. */
export const openSessionSchema = z.object({
  /** Names it in public; says nothing about its id. */
  handle: z.string(),
  /** In plain words, such as "Chrome on Windows". */
  device: z.string(),
  since: z.number(),
  /** Kept about once a minute. */
  lastSeen: z.number(),
  /** The one that asks. */
  current: z.boolean(),
});
export type OpenSession = z.infer<typeof openSessionSchema>;

/** The answer of `GET /api/sessions`. */
export const openSessionsSchema = z.object({
  /** False where the servers share no list. */
  available: z.boolean(),
  sessions: z.array(openSessionSchema),
});
export type OpenSessions = z.infer<typeof openSessionsSchema>;
