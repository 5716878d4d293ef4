import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { MarkLog, Realtime } from '#domain/ports/network.ts';
import { toRoomKey } from '#domain/rooms.ts';
import type { MarkPayload } from '#domain/schemas/mark-log.ts';
import { tokenAnswerSchema } from '#domain/schemas/realtime.ts';
import { type Timetoken, TIMETOKEN_MAX, TIMETOKEN_ZERO } from '#domain/timetoken.ts';
import { answerWith, mute, refuseWith } from '#tests/support/pubnub/faults.ts';
import { sendJson } from '#tests/support/services/scripted-endpoint.ts';

import { type PubnubEngine, startPubnubEngine } from './engine.ts';
import { mustGet, never, toPayload } from '../realtime-harness.ts';

const CHANNELS = { own: 'own.u_1', staff: 'staff.desk' } as const;
const PAYLOAD: MarkPayload = { v: 1, marks: { 'c_1/team': '17000000000000000' } };
const EMPTY = { entries: [], full: false };

let engine: PubnubEngine;
beforeEach(async () => {
  engine = await startPubnubEngine();
});
afterEach(() => engine.close());

describe.each(['own', 'staff'] as const)('the %s log', (name) => {
  const channel = CHANNELS[name];
  const none = {
    kind: 'rejected',
    status: 404,
    text: `Your account has no ${name === 'own' ? 'user' : name} log`,
  };
  let realtime: Realtime;
  let log: MarkLog;
  beforeEach(() => {
    realtime = engine.connect('u_1');
    log = realtime[name];
  });

  const write = (message: unknown): Timetoken =>
    engine.endpoint.log.append(channel, 'u_1', message) as Timetoken;
  const number = (at: number): Timetoken => write({ id: `id_${at}`, payload: { at } });
  const read = (count = 100, bounds: { before?: Timetoken; after?: Timetoken } = {}) =>
    log.read({ count, ...bounds }, never);
  const numbers = async (...given: Parameters<typeof read>) => {
    const { entries, full } = mustGet(await read(...given));
    return { full, at: entries.map(({ payload }) => (payload as { readonly at: number }).at) };
  };
  const listOperations = () => engine.endpoint.asked.map(({ operation }) => operation);

  const CALLS = {
    publish: () => log.publish('id_1', PAYLOAD, never),
    history: () => read(),
  } as const;

  describe('an entry', () => {
    test('is stored in the channel of the log, with its id', async () => {
      const timetoken = mustGet(await log.publish('id_1', PAYLOAD, never));
      expect(engine.endpoint.log.findIn(channel)).toEqual([
        {
          channel,
          timetoken,
          publisher: 'u_1',
          message: { id: 'id_1', payload: PAYLOAD },
        },
      ]);
      expect(engine.endpoint.asked).toMatchObject([{ operation: 'publish', method: 'POST' }]);
      expect(engine.endpoint.asked[0]?.url).toContain('store=1');
    });

    test('is read by another device of the user', async () => {
      const timetoken = mustGet(await log.publish('id_1', PAYLOAD, never));
      const page = mustGet(await engine.connect('u_1')[name].read({ count: 10 }, never));
      expect(page).toEqual({ entries: [{ timetoken, payload: PAYLOAD }], full: false });
      const colleague = mustGet(await engine.connect('u_2')[name].read({ count: 10 }, never));
      expect(colleague).toEqual(name === 'own' ? EMPTY : page);
    });

    test('is not sent if it is too large', async () => {
      const large = Array.from({ length: 700 }, (_, at) => [`c_${at}_${'x'.repeat(30)}/team`, '1']);
      const payload = { v: 1, marks: Object.fromEntries(large) };
      expect(await log.publish('id_1', payload, never)).toMatchObject({
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

    test('is empty between neighbours and beyond the ends, without a request', async () => {
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

    test('leaves out messages that are not entries, and stays full', async () => {
      number(1);
      for (const message of [null, 7, 'text', [], {}, { id: 'id_2' }, { text: 'hi' }])
        write(message);
      number(2);
      expect(await numbers(9)).toEqual({ at: [1, 2], full: true });
    });

    test('is full and empty if it is full of other messages, which blocks nothing', async () => {
      write('text');
      expect(mustGet(await read(1))).toEqual({ entries: [], full: true });
      mustGet(await log.publish('id_1', PAYLOAD, never));
      expect(mustGet(await read(1)).entries).toHaveLength(1);
    });
  });

  describe.each(['publish', 'history'] as const)('%s', (operation) => {
    test.each([
      ['an ended token', refuseWith(403, { message: 'Token is expired.' }), 'unauthenticated'],
      ['a refusal', refuseWith(403, { message: 'Forbidden', payload: {} }), 'forbidden'],
      ['too many requests', refuseWith(429), 'limited'],
      ['a failing service', refuseWith(503), 'server'],
      ['an invalid body', answerWith('{"t":'), 'malformed'],
    ])('answered by %s fails once', async (_title, fault, kind) => {
      engine.endpoint.faults.break(operation, fault);
      expect(await CALLS[operation]()).toMatchObject({ ok: false, error: { kind } });
      expect(listOperations()).toEqual([operation]);
    });

    test('ends at once when cancelled', async () => {
      engine.endpoint.faults.break(operation, mute);
      const cancel = new AbortController();
      const answer =
        operation === 'publish'
          ? log.publish('id_1', PAYLOAD, cancel.signal)
          : log.read({ count: 1 }, cancel.signal);
      cancel.abort();
      expect(await answer).toEqual({ ok: false, error: { kind: 'unreachable' } });
    });

    // This uid cannot be part of a channel's name.
    test('is rejected for the user log alone if the user has none', async () => {
      log = engine.connect('u.1')[name];
      const answer = await CALLS[operation]();
      expect(answer).toMatchObject(name === 'own' ? { ok: false, error: none } : { ok: true });
      expect(listOperations()).toEqual(name === 'own' ? [] : [operation]);
    });

    test('is rejected with a token that does not cover the log, until one does', async () => {
      const older = { token: '', uid: 'u_1', expires: Date.now() + 900_000 };
      const channels = ['chat.c_1.team', 'own.u_2', 'staff.c_1'];
      engine.server.on('/u_1/api/realtime/token', sendJson({ ...older, channels }));
      expect(await CALLS[operation]()).toEqual({ ok: false, error: none });
      log = engine.connect('u_1')[name];
      expect((await CALLS[operation]()).ok).toBe(true);
    });

    test.each([
      { token: 'x', expires: Date.now() + 900_000 },
      { token: 'x', expires: Date.now() + 900_000, uid: 'u_1' },
    ])('is malformed with the token of another engine', async (token) => {
      engine.server.on('/u_1/api/realtime/token', sendJson(token));
      expect(await CALLS[operation]()).toMatchObject({ ok: false, error: { kind: 'malformed' } });
    });
  });

  test('does not affect the rooms', async () => {
    await CALLS.publish();
    const room = toRoomKey('c_1', 'team');
    mustGet(await realtime.publish(room, toPayload('hello'), never));
    expect(mustGet(await realtime.readHistory({ room, count: 10 }, never)).entries).toHaveLength(1);
    expect(mustGet(await read()).entries).toHaveLength(1);
  });
});

/**
 * Requests the history of a channel, subscribes to it and publishes there; returns the statuses.
 */
const askAll = async (name: string, uid: string, token: string): Promise<readonly number[]> => {
  const ask = async (path: string, init?: RequestInit): Promise<number> => {
    const query = `?uuid=${uid}&auth=${encodeURIComponent(token)}`;
    return (await fetch(`http://${engine.endpoint.origin}${path}${query}`, init)).status;
  };
  const body = '{"id":"id_1","payload":{}}';
  return [
    await ask(`/publish/pub-c-test/sub-c-test/0/${name}/0`, { method: 'POST', body }),
    await ask(`/v3/history/sub-key/sub-c-test/channel/${name}`),
    await ask(`/v2/subscribe/sub-c-test/${name}/0`),
  ];
};
const ALLOWED = [200, 200, 200];
const REFUSED = [403, 403, 403];

// "Any unauthorized request … will return a 403": the service's page on its Access Manager.
describe('a token', () => {
  test("is for the user's own log and the staff log alone if it is for staff", async () => {
    engine.connect('u_1');
    const given = await fetch(`${engine.server.origin}/u_1/api/realtime/token`);
    const { token } = tokenAnswerSchema.parse(await given.json());
    for (const name of Object.values(CHANNELS)) {
      expect(await askAll(name, 'u_1', token)).toEqual(ALLOWED);
    }
    for (const name of ['own.u_2', 'own.*', 'staff.*', 'staff.desk.x', 'staff.u_1']) {
      expect(await askAll(name, 'u_1', token)).toEqual(REFUSED);
    }
  });

  test('is for no log if it is for a client', async () => {
    const permissions = {
      uuid: 'client:c_1',
      resources: {},
      patterns: { channels: { '^chat\\.(c_1)\\.(team|general|producers)$': 3 } },
    };
    const token = engine.endpoint.access.issue({ ttl: 15, permissions });
    expect(await askAll('chat.c_1.team', 'client:c_1', token)).toEqual(ALLOWED);
    for (const name of ['staff.desk', 'staff.*', 'own.u_1', 'own.client:c_1']) {
      expect(await askAll(name, 'client:c_1', token)).toEqual(REFUSED);
    }
    expect(engine.endpoint.log.findIn('staff.desk')).toEqual([]);
  });
});
