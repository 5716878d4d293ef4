import type { PublicConfig } from '#domain/schemas/config.ts';

/** The public settings of a server with the embedded engine. */
export const EMBEDDED: PublicConfig = {
  version: '1',
  demo: false,
  channelTemplate: 'chat.{cid}.{rid}',
  engine: 'embedded',
};

/** The same server with a hosted engine. */
export const OTHER: PublicConfig = {
  ...EMBEDDED,
  engine: 'hosted',
  subscribeKey: 'sub-c-1',
  publishKey: 'pub-c-1',
  origin: 'ps.example.com',
  ssl: true,
};
