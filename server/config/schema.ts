import * as z from 'zod';

import { CHANNEL_TEMPLATE_DEFAULT, isChannelTemplate } from '#domain/rooms.ts';
import { roomDescriptionsSchema } from '#domain/schemas/config.ts';
import { parseJson } from '#domain/schemas/json.ts';

import { isPublicAddress, isStoreAddress, parseAddress } from './addresses.ts';

/** The documentation of one variable, also used in its error messages. */
export interface VariableDocs {
  readonly meaning: string;
  /** The default, in words. */
  readonly fallback: string;
  /** Completes "Expected: …". */
  readonly expected: string;
  readonly example: string;
  /** A secret: its value is never printed, and examples are refused. */
  readonly secret?: true;
}

const variableDocs = z.registry<VariableDocs>();

const SECRET_BYTES_MIN = 32;
const METRICS_TOKEN_LENGTH_MIN = 16;
/** Also sent to browsers: the content policy would have to list the many hosts that the SDK uses. */
export const HOSTED_ORIGIN_DEFAULT = 'ps.pndsn.com';

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max);

const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
const secret = z.string().refine((text) => Buffer.byteLength(text) >= SECRET_BYTES_MIN);
/** Browsers get two of the three keys, so a key in the wrong variable must stop the start. */
const key = (shape: RegExp) => z.string().regex(shape).optional();

/**
 * Every environment variable the server reads. Values arrive as strings; an empty one counts
 * as not set. `.env.example` and docs/settings.md are generated from here.
 */
export const environmentSchema = z.object({
  PORT: integer(0, 65_535).default(4600).register(variableDocs, {
    meaning: 'The port of the page, session, proxy and embedded realtime; 0 picks a free one.',
    fallback: '4600',
    expected: 'a whole number from 0 to 65535',
    example: '4600',
  }),
  HOST: z
    .string()
    .regex(/^[\w.:-]{1,253}$/)
    .default('127.0.0.1')
    .register(variableDocs, {
      meaning: 'The address to listen on.',
      fallback: '127.0.0.1',
      expected: 'a host name or an IP address',
      example: '0.0.0.0',
    }),
  PUBLIC_URL: z
    .string()
    .refine(isPublicAddress)
    .transform((text) => new URL(text).origin)
    .optional()
    .register(variableDocs, {
      meaning:
        'The address that browsers use; with https, cookies are `__Host-` and Secure. An https one is required if `HOST` is neither the loopback nor a wildcard.',
      fallback: 'http://localhost:$PORT',
      expected: 'an https address without a path (http for localhost, 127.0.0.1 and [::1] only)',
      example: 'https://desk.example.com',
    }),
  DATA_DIR: z.string().default('.data').register(variableDocs, {
    meaning:
      'Folder of the embedded database, the generated secret and the assets of earlier builds.',
    fallback: '.data',
    expected: 'a path to a folder',
    example: '/var/lib/replay-desk',
  }),
  AUTH_SECRET: secret.optional().register(variableDocs, {
    meaning: 'Key of sessions and tokens; required with `API_BASE_URL`; the same on all instances.',
    fallback: 'generated once in `DATA_DIR`',
    expected: `at least ${SECRET_BYTES_MIN} bytes`,
    example: 'the output of: openssl rand -base64 48',
    secret: true,
  }),
  AUTH_SECRET_PREVIOUS: secret.optional().register(variableDocs, {
    meaning:
      'A second secret that is accepted during a rotation, usually the previous `AUTH_SECRET`: its sessions stay valid and move to `AUTH_SECRET`.',
    fallback: 'none',
    expected: `at least ${SECRET_BYTES_MIN} bytes, together with AUTH_SECRET`,
    example: 'the complete other value, usually the old one',
    secret: true,
  }),
  DEMO: flag.optional().register(variableDocs, {
    meaning:
      '`true` seeds demo accounts, clients and conversations and prefills the sign-in form. `false`: demo accounts cannot sign in. Unset: only a new folder is seeded; its accounts can sign in unless realtime is hosted, and with everything embedded the form is prefilled.',
    fallback: 'true when the data folder is new and everything is embedded',
    expected: 'true or false',
    example: 'false',
  }),
  API_BASE_URL: z
    .string()
    .refine((text) => parseAddress(text) !== undefined)
    .transform((text) => text.replace(/\/+$/, ''))
    .optional()
    .register(variableDocs, {
      meaning: 'The product API: `POST /auth`, `GET /staff/producers`, `GET /staff/teams`.',
      fallback: 'none: embedded staff data',
      expected: 'an http or https address without user, query or fragment',
      example: 'https://api.example.com/v1',
    }),
  PUBNUB_SUBSCRIBE_KEY: key(/^(?!pub-|sec-)[\w-]{1,128}$/).register(variableDocs, {
    meaning: 'Hosted realtime: the subscribe key of the keyset.',
    fallback: 'none: embedded realtime',
    expected: 'a subscribe key',
    example: 'sub-c-00000000-0000-0000-0000-000000000000',
  }),
  PUBNUB_PUBLISH_KEY: key(/^(?!sub-|sec-)[\w-]{1,128}$/).register(variableDocs, {
    meaning: 'Hosted realtime: the publish key of the keyset.',
    fallback: 'none: embedded realtime',
    expected: 'a publish key, together with PUBNUB_SUBSCRIBE_KEY',
    example: 'pub-c-00000000-0000-0000-0000-000000000000',
  }),
  PUBNUB_SECRET_KEY: key(/^(?!sub-|pub-)[\w-]{1,128}$/).register(variableDocs, {
    meaning: 'Grants short-lived Access Manager tokens; never leaves the server.',
    fallback: 'none: the server does not start without `PUBNUB_OPEN_CHANNELS`',
    expected: 'a secret key, together with PUBNUB_SUBSCRIBE_KEY',
    example: 'sec-c-00000000000000000000000000000000',
    secret: true,
  }),
  PUBNUB_OPEN_CHANNELS: flag.default(false).register(variableDocs, {
    meaning:
      '`true` allows a start without `PUBNUB_SECRET_KEY`: anyone who opens this address can then read and write every room. For trials only.',
    fallback: 'false',
    expected: 'true or false, together with PUBNUB_SUBSCRIBE_KEY',
    example: 'false',
  }),
  PUBNUB_ORIGIN: z
    .string()
    .regex(/^[\w.-]+(?::\d{1,5})?(?:\/[\w./-]*)?$/)
    .refine((text) => URL.canParse(`https://${text}`))
    .transform((text) => text.replace(/\/+$/, ''))
    .optional()
    .register(variableDocs, {
      meaning: 'Host of the realtime service, for this server and for browsers.',
      fallback: HOSTED_ORIGIN_DEFAULT,
      expected: 'host[:port][/prefix], without a scheme',
      example: 'ps.pndsn.com',
    }),
  PUBNUB_SSL: flag.default(true).register(variableDocs, {
    meaning: '`false` uses plain http for `PUBNUB_ORIGIN`.',
    fallback: 'true',
    expected: 'true or false',
    example: 'true',
  }),
  CHANNEL_TEMPLATE: z
    .string()
    .refine(isChannelTemplate)
    .default(CHANNEL_TEMPLATE_DEFAULT)
    .register(variableDocs, {
      meaning: 'The channel name of a room.',
      fallback: `\`${CHANNEL_TEMPLATE_DEFAULT}\``,
      expected: 'a text with {cid} and {rid} once each, not touching, without spaces , : * / \\',
      example: 'desk.{cid}.{rid}',
    }),
  ROOM_DESCRIPTIONS: z
    .string()
    .transform(parseJson)
    .pipe(roomDescriptionsSchema)
    .optional()
    .register(variableDocs, {
      meaning:
        'One line about each room, for example who reads it; shown in the header of the room and in its message field.',
      fallback: 'none',
      expected: 'JSON with one line of up to 80 characters for `team`, `general` or `producers`',
      example: '{"team":"Only staff read this","general":"Your client reads this"}',
    }),
  SESSION_MAX_AGE: integer(1, 31_536_000).default(2_592_000).register(variableDocs, {
    meaning:
      'Seconds until an unused session expires; every session expires after three times that.',
    fallback: '2592000',
    expected: 'a whole number of seconds from 1 to 31536000',
    example: '86400',
  }),
  SESSION_POLL_SECONDS: integer(0, 86_400).default(0).register(variableDocs, {
    meaning:
      "Seconds between session requests of an open page; 0: no interval. In any case the page requests the session when it becomes visible, when the network returns, on a signal from another tab and, while visible, when half of the session's time has passed.",
    fallback: '0',
    expected: 'a whole number of seconds from 0 to 86400',
    example: '300',
  }),
  SIGN_OUT_DIR: z.string().optional().register(variableDocs, {
    meaning:
      'Fully hosted mode: a folder shared by all instances, so that a sign-out on one takes effect on all within seconds. Not together with `SHARED_STORE_URL`.',
    fallback: 'none: a sign-out takes effect on the instance that received it',
    expected: 'a path to a folder, together with API_BASE_URL and PUBNUB_SUBSCRIBE_KEY',
    example: '/mnt/shared/replay-desk-sign-outs',
  }),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7E]+$/)
    .min(METRICS_TOKEN_LENGTH_MIN)
    .optional()
    .register(variableDocs, {
      meaning:
        'Bearer token of `GET /api/metrics`, for Prometheus; create one with `openssl rand -hex 24`.',
      fallback: 'none: no metrics',
      expected: `at least ${METRICS_TOKEN_LENGTH_MIN} ASCII characters without spaces`,
      example: '0123456789abcdef0123456789abcdef',
      secret: true,
    }),
  SHARED_STORE_URL: z.string().refine(isStoreAddress).optional().register(variableDocs, {
    meaning:
      'Fully hosted mode: a Redis or Valkey shared by all instances, for sign-outs, open sessions and sign-in limits.',
    fallback: 'none: each instance on its own',
    expected:
      'a redis:// or rediss:// address, with special characters of the password percent-encoded, together with API_BASE_URL and PUBNUB_SUBSCRIBE_KEY',
    example: 'rediss://desk:password@store.example.com:6380/0',
    secret: true,
  }),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .register(variableDocs, {
      meaning: 'The lowest level that is logged.',
      fallback: 'info',
      expected: 'fatal, error, warn, info, debug, trace or silent',
      example: 'debug',
    }),
});

export type Values = z.infer<typeof environmentSchema>;

/** One documented variable, in the order of the schema. */
export interface Variable {
  readonly name: string;
  readonly docs: VariableDocs;
}

/** Every variable with its documentation. */
export const VARIABLES: readonly Variable[] = Object.entries(environmentSchema.shape).map(
  ([name, schema]) => {
    const docs = variableDocs.get(schema);
    if (docs === undefined) throw new Error(`${name} is not documented`);
    return { name, docs };
  },
);
