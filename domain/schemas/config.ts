import * as z from 'zod/mini';

/** `GET /api/config`: public settings of the page. */
export const publicConfigSchema = z.object({
  version: z.string(),
  demo: z.boolean(),
  engine: z.enum(['embedded', 'hosted']),
  channelTemplate: z.string(),
  /** Seconds between session requests of an open page (spec §4); 0 or absent for none. */
  sessionPollSeconds: z.optional(z.number()),
  subscribeKey: z.optional(z.string()),
  publishKey: z.optional(z.string()),
});
export type PublicConfig = z.infer<typeof publicConfigSchema>;
