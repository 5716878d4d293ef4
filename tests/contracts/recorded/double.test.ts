import { afterEach, describe, expect, test } from 'vitest';

import {
  type PubnubEndpoint,
  type PubnubEndpointOptions,
  startPubnubEndpoint,
} from '#tests/support/pubnub/endpoint.ts';
import {
  type Recorded,
  RECORDED_PAGE,
  RECORDED_SERVER,
  TIME,
} from '#tests/support/pubnub/recorded.ts';
import { RECORDED_REFUSALS } from '#tests/support/pubnub/recorded-refusals.ts';

/** The double answers like the recorded service: status, type, shape, and texts of refusals. */

const SUB = 'sub-c-test';
const KEYS = { subscribeKey: SUB, publishKey: 'pub-c-test' };
const ROOM = 'chat.c_1.team';
const READ_AND_WRITE = { ttl: 1, permissions: { resources: { channels: { [ROOM]: 3 } } } };

let endpoint: PubnubEndpoint | undefined;
afterEach(() => endpoint?.close());

/** The shape of a value, without times and tokens, which differ. */
const toShape = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toShape);
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).map(([name, entry]) => [name, toShape(entry)]);
  }
  if (typeof value === 'number' && value > 1000) return 'a number';
  if (typeof value !== 'string') return value;
  return /^\d{17}$|^qEF2/.test(value) ? 'a time or a token' : value.replaceAll(/\d{17}/g, 'time');
};

interface Asked {
  readonly path: string;
  readonly init?: RequestInit;
  readonly options?: PubnubEndpointOptions;
  /** Earlier requests; a returned token is added to the URL. */
  readonly before?: (double: PubnubEndpoint) => string | undefined;
}

const HISTORY = `/v3/history/sub-key/${SUB}/channel/${ROOM}?max=25`;
const COUNTS = `/v3/history/sub-key/${SUB}/message-counts/${ROOM}?timetoken=${TIME}`;
const PUBLISH = `/publish/pub-c-test/${SUB}/0/${ROOM}/0`;
const SUBSCRIBE = `/v2/subscribe/${SUB}/${ROOM}/0`;
const GRANT = `/v3/pam/${SUB}/grant`;
const post = (body: unknown, type = 'application/json'): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': type },
  body: JSON.stringify(body),
});
const NOTHING = { resources: {}, patterns: {}, meta: {} };
const toGrant = (ttl: number) => ({
  ttl,
  permissions: { ...NOTHING, resources: { channels: { [ROOM]: 3 } } },
});
const store = (double: PubnubEndpoint): undefined =>
  void double.log.append(ROOM, 'u_elsewhere', { text: 'hello' });
const withToken = (state: 'live' | 'ended' | 'revoked') => (double: PubnubEndpoint) => {
  const token = double.access.issue(READ_AND_WRITE);
  if (state === 'ended') double.access.expireAll();
  if (state === 'revoked') double.access.revokeAll();
  return token;
};
const SECRET = { secretKey: 'sec-c-test' };
const HOUR_S = 3600;
/** A grant that another secret key signed, `ago` seconds ago. */
const toSigned = (ago: number): string =>
  `${GRANT}?timestamp=${Math.floor(Date.now() / 1000) - ago}&signature=v2.c2lnbmVkIGVsc2V3aGVyZQ`;
const needsToken = { needsToken: true };

const CASES: ReadonlyArray<readonly [name: string, recorded: Recorded, asked: Asked]> = [
  ['the time', RECORDED_SERVER.time, { path: '/time/0' }],
  ['a grant', RECORDED_SERVER.grant, { path: GRANT, init: post(toGrant(60)) }],
  ['a grant too long', RECORDED_SERVER.grantOfNoTime, { path: GRANT, init: post(toGrant(43_201)) }],
  [
    'a grant of another type',
    RECORDED_SERVER.grantOfNoJson,
    { path: GRANT, init: post(toGrant(60), 'text/plain') },
  ],
  [
    'a revocation',
    RECORDED_SERVER.revoke,
    { path: `${GRANT}/{token}`, init: { method: 'DELETE' }, before: withToken('live') },
  ],
  [
    'a revocation too late',
    RECORDED_SERVER.revokeOfAnEndedToken,
    { path: `${GRANT}/{token}`, init: { method: 'DELETE' }, before: withToken('ended') },
  ],
  ['a message published', RECORDED_PAGE.publish, { path: PUBLISH, init: post({ text: 'hello' }) }],
  ['a handshake', RECORDED_PAGE.handshake, { path: `${SUBSCRIBE}?tt=0` }],
  ['a poll', RECORDED_PAGE.poll, { path: `${SUBSCRIBE}?tt=1&tr=42`, before: store }],
  ['a page of history', RECORDED_PAGE.history, { path: HISTORY, before: store }],
  ['counts', RECORDED_PAGE.counts, { path: COUNTS, before: store }],
  ['no token', RECORDED_REFUSALS.noToken, { path: `${SUBSCRIBE}?tt=0`, options: needsToken }],
  ['no token for the history', RECORDED_REFUSALS.noToken, { path: HISTORY, options: needsToken }],
  [
    'a revoked token',
    RECORDED_REFUSALS.revokedToken,
    { path: `${SUBSCRIBE}?tt=0&auth={token}`, options: needsToken, before: withToken('revoked') },
  ],
  [
    'an ended token',
    RECORDED_REFUSALS.endedToken,
    { path: `${SUBSCRIBE}?tt=0&auth={token}`, options: needsToken, before: withToken('ended') },
  ],
  [
    'a wrong subscribe key',
    RECORDED_REFUSALS.wrongSubscribeKey,
    { path: COUNTS.replace(SUB, 'sub-c-wrong') },
  ],
  [
    'a wrong signature',
    RECORDED_REFUSALS.wrongSignature,
    { path: toSigned(0), init: post(toGrant(60)), options: SECRET },
  ],
  [
    'a signature of another time',
    RECORDED_REFUSALS.wrongTime,
    { path: toSigned(HOUR_S), init: post(toGrant(60)), options: SECRET },
  ],
  [
    'no persistence',
    RECORDED_REFUSALS.noPersistence,
    { path: COUNTS, options: { persists: false } },
  ],
  ['bad arguments', RECORDED_REFUSALS.badArguments, { path: HISTORY.replace('25', '-1') }],
  [
    'a wrong publish key',
    RECORDED_REFUSALS.wrongPublishKey,
    { path: PUBLISH.replace('pub-c-test', 'fake'), init: post('hey') },
  ],
  [
    'a message that is not JSON',
    RECORDED_REFUSALS.noJson,
    { path: PUBLISH, init: { method: 'POST', body: '{' } },
  ],
  [
    'a message too large',
    RECORDED_REFUSALS.tooLarge,
    { path: PUBLISH, init: post('x'.repeat(33_000)) },
  ],
  [
    'a channel too deep',
    RECORDED_REFUSALS.tooDeep,
    { path: PUBLISH.replace('team', 'team.more'), init: post('hey') },
  ],
];

const ask = async ({ path, init = {}, options, before }: Asked) => {
  endpoint = await startPubnubEndpoint({ ...KEYS, ...options });
  const token = encodeURIComponent(before?.(endpoint) ?? '');
  const answer = await fetch(`http://${endpoint.origin}${path.replace('{token}', token)}`, init);
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    text: await answer.text(),
  };
};

/** The fields of an envelope or an entry may be in any order. */
const sortDeep = (shape: unknown): unknown => {
  if (!Array.isArray(shape)) return shape;
  return shape.map(sortDeep).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
};

describe('the test double of the hosted engine answers like the recorded service', () => {
  test.each(CASES)('%s', async (_name, recorded, asked) => {
    const { status, type, text } = await ask(asked);
    expect({ status, type }).toEqual({ status: recorded.status, type: recorded.type });
    const [given, wanted] = [text, recorded.body].map((body) =>
      sortDeep(toShape(JSON.parse(body))),
    );
    expect(given).toEqual(wanted);
    expect(text.endsWith('\n')).toBe(recorded.body.endsWith('\n'));
    expect(recorded.source).toMatch(/pubnub|C library/);
  });
});
