import * as z from 'zod/mini';

/** One session of the user; times are ms since the epoch. */
const openSessionSchema = z.object({
  /** Identifies the session in public without revealing its id. */
  handle: z.string(),
  /** A readable name, such as "Chrome on Windows". */
  device: z.string(),
  since: z.number(),
  /** Updated about once a minute. */
  lastSeen: z.number(),
  /** The session of this request. */
  current: z.boolean(),
});
export type OpenSession = z.infer<typeof openSessionSchema>;

/** The answer of `GET /api/sessions`. */
export const openSessionsSchema = z.object({
  /** False if the servers share no list. */
  available: z.boolean(),
  sessions: z.array(openSessionSchema),
});
export type OpenSessions = z.infer<typeof openSessionsSchema>;
