import * as z from 'zod/mini';

import { ROOM_IDS, type RoomId } from '../rooms.ts';

/** One line about each room, from the operator (`ROOM_DESCRIPTIONS`); any may be missing. */
export type RoomDescriptions = Readonly<Partial<Record<RoomId, string>>>;

const DESCRIPTION_LENGTH_MAX = 80;
/** Control and format characters: line breaks, and characters that reorder text on the screen. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const isDescription = (text: string): boolean =>
  text.trim() !== '' && text.length <= DESCRIPTION_LENGTH_MAX && !INVISIBLE.test(text);

export const roomDescriptionsSchema = z.partialRecord(
  z.enum(ROOM_IDS),
  z.string().check(z.refine(isDescription)),
);

const common = {
  version: z.string(),
  demo: z.boolean(),
  channelTemplate: z.string(),
  /** Seconds between session requests of an open page (spec §4); 0 or absent for none. */
  sessionPollSeconds: z.optional(z.number()),
  roomDescriptions: z.catch(z.optional(roomDescriptionsSchema), undefined),
};

/** Hosted realtime: the keyset and its host. */
const hostedConfigSchema = z.object({
  ...common,
  engine: z.literal('hosted'),
  subscribeKey: z.string(),
  publishKey: z.string(),
  /** `host[:port][/prefix]`, without a scheme. */
  origin: z.string(),
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
