import * as fc from 'fast-check';

import { factSchema } from '#domain/events.ts';
import { publicConfigSchema } from '#domain/schemas/config.ts';
import { loginFormSchema } from '#domain/schemas/forms.ts';
import { producerSchema } from '#domain/schemas/producer.ts';
import {
  countsAnswerSchema,
  historyAnswerSchema,
  newestAnswerSchema,
  publishAnswerSchema,
  streamBeatSchema,
  streamEntriesSchema,
  tokenAnswerSchema,
  wireEntrySchema,
} from '#domain/schemas/realtime.ts';
import {
  parseCoverage,
  parseDrafts,
  parseLeaderRow,
  parseMessageRow,
  parseOutboxItem,
  parseRoomActivity,
  type RowParser,
} from '#domain/project/row-schemas.ts';
import {
  csrfAnswerSchema,
  sessionAnswerSchema,
  sessionSchema,
  urlAnswerSchema,
} from '#domain/schemas/session.ts';
import { teamSchema } from '#domain/schemas/team.ts';
import { fromEpochMs } from '#domain/timetoken.ts';
import { errorAnswerSchema } from '#src/adapters/http/status-error.ts';

import { anyText as text, arbitraryFact } from './arbitrary-facts.ts';

/** Where external values enter: the parser of a boundary, and values it must accept. */
export interface Boundary {
  readonly name: string;
  /** Undefined for a value of another shape. */
  readonly read: (value: unknown) => unknown;
  readonly valid: fc.Arbitrary<unknown>;
}

interface Schema {
  safeParse(value: unknown): { readonly data?: unknown };
}

const ofSchema = (name: string, schema: Schema, valid: fc.Arbitrary<unknown>): Boundary => ({
  name,
  read: (value) => schema.safeParse(value).data,
  valid,
});

const ofRows = (name: string, parse: RowParser<unknown>, valid: fc.Arbitrary<unknown>) => ({
  name,
  read: (value: unknown) => {
    const read = parse(value);
    return read.ok ? read.value : undefined;
  },
  valid,
});

const some = fc.string({ minLength: 1, maxLength: 20 });
const name = some.filter((key) => key !== '__proto__');
const page = fc.record(
  { entries: fc.array(fc.jsonValue()), more: fc.boolean() },
  { requiredKeys: ['entries'] },
);
const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const timetoken = fc.nat({ max: 4_000_000_000_000 }).map(fromEpochMs);
const room = fc.constantFrom('c_001/team', 'A-1/general', 'x_9/producers');
const common = { version: text, demo: fc.boolean(), channelTemplate: text };
const user = fc.record(
  {
    uid: some,
    name: maybe(text),
    email: maybe(text),
    image: maybe(text),
    role: fc.constantFrom('producer', 'team'),
  },
  { requiredKeys: ['uid'] },
);
const expires = fc
  .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
  .map((date) => date.toISOString());
const session = fc.record({ user, expires });
const range = fc.record({ from: timetoken, to: timetoken });
const status = fc.oneof(
  fc.record(
    { kind: fc.constant('online'), blocked: fc.constant(true) },
    { requiredKeys: ['kind'] },
  ),
  fc.record({ kind: fc.constant('offline') }),
  fc.record(
    { kind: fc.constant('connecting'), cause: fc.constant('upstream') },
    { requiredKeys: ['kind'] },
  ),
  fc.record(
    { kind: fc.constant('waiting'), retryAt: number, cause: fc.constant('upstream') },
    { requiredKeys: ['kind', 'retryAt'] },
  ),
);

const ANSWERS: readonly Boundary[] = [
  ofSchema(
    'GET /api/config',
    publicConfigSchema,
    fc.oneof(
      fc.record({ ...common, engine: fc.constant('embedded') }),
      fc.record({
        ...common,
        engine: fc.constant('hosted'),
        subscribeKey: some,
        publishKey: some,
        origin: some,
        ssl: fc.boolean(),
      }),
    ),
  ),
  ofSchema('GET /api/auth/session', sessionAnswerSchema, fc.oneof(session, fc.constant({}))),
  ofSchema('GET /api/auth/csrf', csrfAnswerSchema, fc.record({ csrfToken: text })),
  ofSchema('POST /api/auth/callback', urlAnswerSchema, fc.record({ url: text })),
  ofSchema('an error', errorAnswerSchema, fc.record({ error: text })),
  ofSchema('a producer', producerSchema, fc.record({ uid: text, name: text })),
  ofSchema(
    'a team',
    teamSchema,
    fc.record({
      client_id: fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
      client: fc.record({ first_name: text, last_name: text }),
    }),
  ),
];

const REALTIME: readonly Boundary[] = [
  ofSchema(
    'GET /api/realtime/token',
    tokenAnswerSchema,
    fc.record(
      { token: text, expires: number, uid: text, channels: fc.array(text) },
      { requiredKeys: ['token', 'expires'] },
    ),
  ),
  ofSchema(
    'an entry',
    wireEntrySchema,
    fc.record({ channel: text, timetoken, publisher: text, message: fc.jsonValue() }),
  ),
  ofSchema('POST /api/realtime/publish', publishAnswerSchema, fc.record({ timetoken })),
  ofSchema('GET /api/realtime/history', historyAnswerSchema, page),
  ofSchema(
    'POST /api/realtime/history',
    newestAnswerSchema,
    fc.record({ pages: fc.dictionary(name, page) }),
  ),
  ofSchema(
    'POST /api/realtime/counts',
    countsAnswerSchema,
    fc.record({ counts: fc.dictionary(name, number) }),
  ),
  ofSchema(
    'entries of the stream',
    streamEntriesSchema,
    fc.record({ entries: fc.array(fc.jsonValue()) }),
  ),
  ofSchema('a beat of the stream', streamBeatSchema, fc.record({ cursor: timetoken })),
];

const STORED: readonly Boundary[] = [
  ofSchema('a fact', factSchema, arbitraryFact),
  ofSchema('a kept session', sessionSchema, session),
  ofRows(
    'a stored message',
    parseMessageRow,
    fc.record({
      key: text,
      room,
      timetoken,
      publisher: text,
      kind: fc.constantFrom('message', 'unreadable'),
      text,
      clientName: text,
      clientAvatar: text,
    }),
  ),
  ofRows(
    'a stored unsent message',
    parseOutboxItem,
    fc.record(
      {
        id: text,
        room,
        seq: number,
        text,
        uid: text,
        at: number,
        state: fc.constantFrom('queued', 'failed'),
        attemptedAfter: timetoken,
        reason: text,
      },
      { requiredKeys: ['id', 'room', 'seq', 'text', 'uid', 'at', 'state'] },
    ),
  ),
  ofRows(
    'stored drafts',
    parseDrafts,
    fc.record({ tab: text, texts: fc.array(fc.tuple(room, text)), at: number }),
  ),
  ofRows(
    'stored coverage',
    parseCoverage,
    fc.record({ room, ranges: fc.array(range), reachedStart: fc.boolean() }),
  ),
  ofRows(
    'what is unread',
    parseRoomActivity,
    fc.record({
      room,
      newest: timetoken,
      readUpTo: timetoken,
      pending: fc.constantFrom(0, 1),
    }),
  ),
  ofRows(
    'the stored leader',
    parseLeaderRow,
    fc.record(
      { fence: number, tabId: text, at: number, link: status, cursor: timetoken },
      { requiredKeys: ['fence', 'tabId', 'at', 'link'] },
    ),
  ),
];

const FORMS: readonly Boundary[] = [
  ofSchema(
    'the sign-in form',
    loginFormSchema,
    fc.record({
      email: fc.constantFrom('a@example.com', 'first.last+tag@sub.example.org'),
      password: fc.string({ minLength: 5, maxLength: 40 }),
    }),
  ),
];

/** Every schema of the domain, facts, and the errors of adapters. */
export const BOUNDARIES: readonly Boundary[] = [...ANSWERS, ...REALTIME, ...STORED, ...FORMS];
