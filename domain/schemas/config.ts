import * as z from 'zod/mini';

const common = {
  version: z.string(),
  demo: z.boolean(),
  channelTemplate: z.string(),
  /** Seconds between session requests of an open page (spec §4); 0 or absent for none. */
  sessionPollSeconds: z.optional(z.number()),
};

/** Hosted realtime: the keyset and its host. */
const hostedConfigSchema = z.object({
  ...common,
  engine: z.literal('hosted'),
  subscribeKey: z.string(),
  publishKey: z.string(),
  /** `host[:port][/prefix]`, without a scheme; absent for PubNub's own. */
  origin: z.optional(z.string()),
  /** https, or plain http to `origin`. */
  ssl: z.boolean(),
});
export type HostedConfig = z.infer<typeof hostedConfigSchema>;

/** `GET /api/config`: public settings of the page. */
export const publicConfigSchema = z.discriminatedUnion('engine', [
  z.object({ ...common, engine: z.literal('embedded') }),
  hostedConfigSchema,
]);
export type PublicConfig = z.infer<typeof publicConfigSchema>;
