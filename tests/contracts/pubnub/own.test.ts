import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { MarkLog, Realtime } from '#domain/ports/network.ts';
import { toRoomKey } from '#domain/rooms.ts';
import type { MarkPayload } from '#domain/schemas/mark-log.ts';
import { tokenAnswerSchema } from '#domain/schemas/realtime.ts';
import { type Timetoken, TIMETOKEN_MAX, TIMETOKEN_ZERO } from '#domain/timetoken.ts';
import { answerWith, mute, refuseWith } from '#tests/support/pubnub/faults.ts';
import { sendJson } from '#tests/support/services/scripted-endpoint.ts';

import { type PubnubEngine, startPubnubEngine } from './engine.ts';
import { mustGet, never, toPayload } from '../realtime-desk.ts';

const OWN = 'own.u_1';
const PAYLOAD: MarkPayload = { v: 1, reads: { 'c_1/team': '17000000000000000' as Timetoken } };
const EMPTY = { entries: [], full: false };

let engine: PubnubEngine;
let realtime: Realtime;
let own: MarkLog;
beforeEach(async () => {
  engine = await startPubnubEngine();
  realtime = engine.connect('u_1');
  ({ own } = realtime);
});
afterEach(() => engine.close());

const write = (message: unknown): Timetoken =>
  engine.endpoint.log.append(OWN, 'u_1', message) as Timetoken;
const number = (at: number): Timetoken => write({ id: `id_${at}`, payload: { at } });
const read = (count = 100, bounds: { before?: Timetoken; after?: Timetoken } = {}) =>
  own.read({ count, ...bounds }, never);
const numbers = async (...given: Parameters<typeof read>) => {
  const { entries, full } = mustGet(await read(...given));
  return { full, at: entries.map(({ payload }) => (payload as { readonly at: number }).at) };
};
const listOperations = () => engine.endpoint.asked.map(({ operation }) => operation);

const CALLS = {
  publish: () => own.publish('id_1', PAYLOAD, never),
  history: () => read(),
} as const;

describe('an entry', () => {
  test("is stored in the user's own channel, with its id", async () => {
    const timetoken = mustGet(await own.publish('id_1', PAYLOAD, never));
    expect(engine.endpoint.log.findIn(OWN)).toEqual([
      { channel: OWN, timetoken, publisher: 'u_1', message: { id: 'id_1', payload: PAYLOAD } },
    ]);
    expect(engine.endpoint.asked).toMatchObject([{ operation: 'publish', method: 'POST' }]);
    expect(engine.endpoint.asked[0]?.url).toContain('store=1');
  });

  test('is read by another device of the user', async () => {
    const timetoken = mustGet(await own.publish('id_1', PAYLOAD, never));
    const page = mustGet(await engine.connect('u_1').own.read({ count: 10 }, never));
    expect(page).toEqual({ entries: [{ timetoken, payload: PAYLOAD }], full: false });
    expect(mustGet(await engine.connect('u_2').own.read({ count: 10 }, never))).toEqual(EMPTY);
  });

  test('that is too large is not sent', async () => {
    const large = Array.from({ length: 700 }, (_, at) => [`c_${at}_${'x'.repeat(30)}/team`, '1']);
    const payload = { v: 1, reads: Object.fromEntries(large) } as MarkPayload;
    expect(await own.publish('id_1', payload, never)).toMatchObject({
      ok: false,
      error: { kind: 'too-large', limit: 32_768 },
    });
    expect(listOperations()).toEqual([]);
  });
});

describe('a page', () => {
  test('has the newest entries strictly between its bounds, oldest first', async () => {
    const places = [1, 2, 3, 4, 5].map(number) as [Timetoken, ...Timetoken[]];
    expect(await numbers()).toEqual({ at: [1, 2, 3, 4, 5], full: false });
    expect(await numbers(2)).toEqual({ at: [4, 5], full: true });
    expect(await numbers(2, { before: places[3]! })).toEqual({ at: [2, 3], full: true });
    expect(await numbers(9, { after: places[2]! })).toEqual({ at: [4, 5], full: false });
    const inner = { after: places[0], before: places[4]! };
    expect(await numbers(2, inner)).toEqual({ at: [3, 4], full: true });
  });

  test('between neighbours and beyond the ends is empty, without a request', async () => {
    const [first, second] = [
      '17000000000000001' as Timetoken,
      '17000000000000002' as Timetoken,
    ] as const;
    for (const bounds of [
      { after: first, before: second },
      { after: TIMETOKEN_MAX },
      { before: TIMETOKEN_ZERO },
    ]) {
      expect(mustGet(await read(10, bounds))).toEqual(EMPTY);
    }
    expect(listOperations()).toEqual([]);
  });

  test('leaves out what is no entry, and stays full', async () => {
    number(1);
    for (const message of [null, 7, 'text', [], {}, { id: 'id_2' }, { text: 'hi' }]) write(message);
    number(2);
    expect(await numbers(9)).toEqual({ at: [1, 2], full: true });
  });

  test('full of something else is full and empty, which blocks nothing', async () => {
    write('text');
    expect(mustGet(await read(1))).toEqual({ entries: [], full: true });
    mustGet(await own.publish('id_1', PAYLOAD, never));
    expect(mustGet(await read(1)).entries).toHaveLength(1);
  });
});

describe.each(['publish', 'history'] as const)('%s', (name) => {
  test.each([
    ['an ended token', refuseWith(403, { message: 'Token is expired.' }), 'unauthenticated'],
    ['a refusal', refuseWith(403, { message: 'Forbidden', payload: {} }), 'forbidden'],
    ['too many requests', refuseWith(429), 'limited'],
    ['a failing service', refuseWith(503), 'server'],
    ['an invalid body', answerWith('{"t":'), 'malformed'],
  ])('answered by %s fails once', async (_title, fault, kind) => {
    engine.endpoint.faults.break(name, fault);
    expect(await CALLS[name]()).toMatchObject({ ok: false, error: { kind } });
    expect(listOperations()).toEqual([name]);
  });

  test('ends at once when cancelled', async () => {
    engine.endpoint.faults.break(name, mute);
    const cancel = new AbortController();
    const answer =
      name === 'publish'
        ? own.publish('id_1', PAYLOAD, cancel.signal)
        : own.read({ count: 1 }, cancel.signal);
    cancel.abort();
    expect(await answer).toEqual({ ok: false, error: { kind: 'unreachable' } });
  });

  // A uid that cannot be part of a channel's name.
  test('of a user without an own log is rejected', async () => {
    ({ own } = engine.connect('u.1'));
    const error = { kind: 'rejected', status: 404, text: 'You have no own log' };
    expect(await CALLS[name]()).toEqual({ ok: false, error });
    expect(listOperations()).toEqual([]);
  });

  test('with a token that does not cover the own log is rejected, until one does', async () => {
    const older = { token: '', uid: 'u_1', expires: Date.now() + 900_000 };
    const channels = ['chat.c_1.team', 'own.u_2'];
    engine.server.on('/u_1/api/realtime/token', sendJson({ ...older, channels }));
    const error = { kind: 'rejected', status: 404, text: 'You have no own log' };
    expect(await CALLS[name]()).toEqual({ ok: false, error });
    ({ own } = engine.connect('u_1'));
    expect((await CALLS[name]()).ok).toBe(true);
  });

  test.each([
    { token: 'x', expires: Date.now() + 900_000 },
    { token: 'x', expires: Date.now() + 900_000, uid: 'u_1' },
  ])('with the token of another engine is malformed', async (token) => {
    engine.server.on('/u_1/api/realtime/token', sendJson(token));
    expect(await CALLS[name]()).toMatchObject({ ok: false, error: { kind: 'malformed' } });
  });
});

// "Any unauthorized request … will return a 403": the service's page on its Access Manager.
test("another user's own channel is refused", async () => {
  const { origin } = engine.endpoint;
  const given = await fetch(`${engine.server.origin}/u_1/api/realtime/token`);
  const { token } = tokenAnswerSchema.parse(await given.json());
  const ask = async (path: string, init?: RequestInit): Promise<number> =>
    (await fetch(`http://${origin}${path}?uuid=u_1&auth=${encodeURIComponent(token)}`, init))
      .status;
  const paths = (name: string) => [
    ask(`/v3/history/sub-key/sub-c-test/channel/${name}`),
    ask(`/v2/subscribe/sub-c-test/${name}/0`),
    ask(`/publish/pub-c-test/sub-c-test/0/${name}/0`, { method: 'POST', body: '{"id":"id_1"}' }),
  ];
  expect(await Promise.all(paths(OWN))).toEqual([200, 200, 200]);
  expect(await Promise.all(paths('own.u_2'))).toEqual([403, 403, 403]);
  expect(await Promise.all(paths('own.*'))).toEqual([403, 403, 403]);
});

test('a room is untouched by its own log', async () => {
  await CALLS.publish();
  const room = toRoomKey('c_1', 'team');
  mustGet(await realtime.publish(room, toPayload('hello'), never));
  expect(mustGet(await realtime.readHistory({ room, count: 10 }, never)).entries).toHaveLength(1);
  expect(mustGet(await read()).entries).toHaveLength(1);
});
