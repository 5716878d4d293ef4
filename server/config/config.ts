import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';

import { fail, ok, type Result } from '#domain/result.ts';
import type { RoomDescriptions } from '#domain/schemas/config.ts';

import { findConflicts } from './conflicts.ts';
import { environmentSchema, HOSTED_ORIGIN_DEFAULT, VARIABLES, type Values } from './schema.ts';

/** The hosted realtime service: its keyset and its host. */
export interface HostedKeyset {
  readonly subscribeKey: string;
  readonly publishKey: string;
  /** Undefined: the channels are open to everyone, and there are no tokens. */
  readonly secretKey: string | undefined;
  /** `host[:port][/prefix]`, without a trailing slash. */
  readonly origin: string;
  /** https, or plain http to `origin`. */
  readonly ssl: boolean;
}

/** The server's settings, checked. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** The origin that browsers use; undefined = `http://localhost:{the port listened on}`. */
  readonly publicUrl: string | undefined;
  /** Absolute path. */
  readonly dataDir: string;
  /** Undefined = generated in the data folder. */
  readonly authSecret: string | undefined;
  /** Decrypts older sessions; undefined = none. */
  readonly authSecretPrevious: string | undefined;
  /** Undefined = when the data folder is new and everything is embedded. */
  readonly demo: boolean | undefined;
  /** Product API without a trailing slash; undefined = embedded staff data. */
  readonly apiBaseUrl: string | undefined;
  /** Undefined = embedded realtime. */
  readonly hosted: HostedKeyset | undefined;
  readonly channelTemplate: string;
  /** Undefined = none. */
  readonly roomDescriptions: RoomDescriptions | undefined;
  readonly sessionMaxAgeMs: number;
  readonly sessionPollSeconds: number;
  /** Absolute path of the shared list of sign-outs; undefined = none. */
  readonly signOutDir: string | undefined;
  /** Undefined = no metrics. */
  readonly metricsToken: string | undefined;
  /** A Redis or Valkey that instances share; undefined = none. May contain a password. */
  readonly sharedStoreUrl: string | undefined;
  readonly logLevel: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const NAMES = VARIABLES.map((variable) => variable.name);
const HOSTED_PREFIX = 'PUBNUB_';
/** Variables of Node, the tests and the build that a `.env` file may also contain. */
const FOREIGN = /^(?:NODE_\w+|CI|CHROMIUM_(?:SHELL_)?PATH|VITE_\w+)$/;

/** Single-character edits between two words (Levenshtein). */
const countEdits = (left: string, right: string): number => {
  let row = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
};

/** Short names (PORT, HOST, DEMO) are too close to many others for a guess. */
const GUESSABLE_LENGTH_MIN = 8;
const EDITS_MAX = 2;

/** The known name that `name` probably means: at most two edits away. */
const suggestName = (name: string, known: readonly string[]): string | undefined =>
  known.find(
    (candidate) =>
      candidate.length >= GUESSABLE_LENGTH_MIN &&
      Math.abs(candidate.length - name.length) <= EDITS_MAX &&
      countEdits(name, candidate) <= EDITS_MAX,
  );

/** Why an unknown name is refused: a probable misspelling, or an unused name in our own file. */
const findUnknown = (name: string, isInFile: boolean): string | undefined => {
  if (NAMES.includes(name)) return undefined;
  const meant = suggestName(name, NAMES);
  const known = `Known variables: ${NAMES.join(', ')}.`;
  if (meant !== undefined) return `${name} is not known. Did you mean ${meant}?`;
  if (name.startsWith(HOSTED_PREFIX)) return `${name} is not known. ${known}`;
  return isInFile && !FOREIGN.test(name) ? `${name} in .env is not known. ${known}` : undefined;
};

const describeInvalid = (name: string, value: string): string => {
  const docs = VARIABLES.find((variable) => variable.name === name)?.docs;
  // The variable of a public key may contain a secret one by mistake.
  const isSecret = docs?.secret || value.includes('sec-');
  // An address may contain a password by mistake.
  const masked = value.replace(/(^|\/\/)[^/@]*@/, '$1…@');
  const shown = isSecret ? 'has an invalid value' : `is ${JSON.stringify(masked)}`;
  return `${name} ${shown}: expected ${docs?.expected}, for example ${name}=${docs?.example}`;
};

const PUBLISHED: ReadonlySet<string | undefined> = new Set(
  VARIABLES.map(({ docs }) => docs.example),
);

/** Secrets that are the documented example of any variable. */
const findPublished = (given: Environment): readonly string[] =>
  VARIABLES.filter(({ name, docs }) => docs.secret && PUBLISHED.has(given[name])).map(
    ({ name }) => `${name} has a published value, which anyone can read: set a secret of your own`,
  );

const toKeyset = (values: Values): HostedKeyset | undefined => {
  const { PUBNUB_SUBSCRIBE_KEY, PUBNUB_PUBLISH_KEY, PUBNUB_SECRET_KEY } = values;
  if (PUBNUB_SUBSCRIBE_KEY === undefined || PUBNUB_PUBLISH_KEY === undefined) return undefined;
  return {
    subscribeKey: PUBNUB_SUBSCRIBE_KEY,
    publishKey: PUBNUB_PUBLISH_KEY,
    secretKey: PUBNUB_SECRET_KEY,
    origin: values.PUBNUB_ORIGIN ?? HOSTED_ORIGIN_DEFAULT,
    ssl: values.PUBNUB_SSL,
  };
};

const toConfig = (values: Values): Config => ({
  port: values.PORT,
  host: values.HOST,
  publicUrl: values.PUBLIC_URL,
  dataDir: resolve(values.DATA_DIR),
  authSecret: values.AUTH_SECRET,
  authSecretPrevious: values.AUTH_SECRET_PREVIOUS,
  demo: values.DEMO,
  apiBaseUrl: values.API_BASE_URL,
  hosted: toKeyset(values),
  channelTemplate: values.CHANNEL_TEMPLATE,
  roomDescriptions: values.ROOM_DESCRIPTIONS,
  sessionMaxAgeMs: values.SESSION_MAX_AGE * 1000,
  sessionPollSeconds: values.SESSION_POLL_SECONDS,
  signOutDir: values.SIGN_OUT_DIR && resolve(values.SIGN_OUT_DIR),
  metricsToken: values.METRICS_TOKEN,
  sharedStoreUrl: values.SHARED_STORE_URL,
  logLevel: values.LOG_LEVEL,
});

/**
 * The settings of an environment, or every reason why it is refused, one line each. `fileNames`
 * are the variables in our own `.env`, where every unknown name is an error; in the rest of the
 * environment only probable misspellings are.
 */
export const parseConfig = (
  environment: Environment,
  fileNames: readonly string[] = [],
): Result<Config, readonly string[]> => {
  const entries = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined || value.trim() === '' ? [] : [[name, value.trim()] as const],
  );
  const given = Object.fromEntries(entries.filter(([name]) => NAMES.includes(name)));
  const names = new Set([...entries.map(([name]) => name), ...fileNames]);
  const refused = [
    ...[...names].flatMap((name) => findUnknown(name, fileNames.includes(name)) ?? []),
    ...findPublished(given),
  ];
  const parsed = environmentSchema.safeParse(given);
  if (!parsed.success) {
    const wrong = new Set(parsed.error.issues.map((issue) => String(issue.path[0])));
    return fail([
      ...refused,
      ...[...wrong].map((name) => describeInvalid(name, given[name] ?? '')),
    ]);
  }
  const problems = [...refused, ...findConflicts(parsed.data, Object.keys(given))];
  return problems.length > 0 ? fail(problems) : ok(toConfig(parsed.data));
};

/** The text of a file, without the byte order mark that some editors write. */
const readText = (file: string): Result<string, string> => {
  try {
    return ok(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  } catch (thrown) {
    return fail(`${file} cannot be read: ${thrown instanceof Error ? thrown.message : 'unknown'}`);
  }
};

/** The settings of this process: its environment, which overrides `.env` in the working folder. */
export const loadConfig = (): Result<Config, readonly string[]> => {
  const file = resolve('.env');
  if (!existsSync(file)) return parseConfig(process.env);
  const text = readText(file);
  if (!text.ok) return fail([text.error]);
  const variables = parseEnv(text.value);
  for (const [name, value] of Object.entries(variables)) {
    // A blank variable counts as not set.
    if (!process.env[name]?.trim()) process.env[name] = value;
  }
  return parseConfig(process.env, Object.keys(variables));
};

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

/** Whether others can reach this server, judging by its settings. */
export const isPublic = ({ host, publicUrl }: Config): boolean =>
  [host, publicUrl === undefined ? host : new URL(publicUrl).hostname].some(
    (name) => !LOOPBACK.test(name),
  );

/** Whether demo accounts may sign in, if there are any. */
export const allowsDemo = ({ apiBaseUrl, hosted, demo }: Config): boolean =>
  apiBaseUrl === undefined && (demo ?? hosted === undefined);
