import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { Realtime } from '#domain/ports/network.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { fromEpochMs, type Timetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';
import { answerWith, mute, refuseWith, swallow } from '#tests/support/pubnub/faults.ts';
import { sendJson } from '#tests/support/services/scripted-endpoint.ts';

import { type PubnubEngine, startPubnubEngine } from './engine.ts';
import { PUBNUB_BAD_SHAPES, PUBNUB_FAULTS } from './faults.ts';
import { mustGet, never, toPayload, toTexts } from '../realtime-harness.ts';
import { FAULTS } from '../wire-faults.ts';

const ROOM = toRoomKey('c_1', 'team');
const CHANNEL = 'chat.c_1.team';
const DAY_MS = 86_400_000;

let engine: PubnubEngine;
let realtime: Realtime;
beforeEach(async () => {
  engine = await startPubnubEngine();
  realtime = engine.connect('u_1');
});
afterEach(() => engine.close());

const read = (count = 25) => realtime.readHistory({ room: ROOM, count }, never);
const countFrom = (since: Timetoken) => realtime.countSince(new Map([[ROOM, since]]), never);
const toOperations = () => engine.endpoint.asked.map(({ operation }) => operation);

const CALLS = {
  publish: () => realtime.publish(ROOM, toPayload('hello'), never),
  history: () => read(),
  counts: () => countFrom(fromEpochMs(Date.now())),
} as const;

describe.each(['publish', 'history', 'counts'] as const)('%s', (name) => {
  test.each(Object.entries(PUBNUB_FAULTS))(
    'returns the matching error for %s',
    async (_title, [fault, error]) => {
      engine.endpoint.faults.break(name, fault);
      expect(await CALLS[name]()).toMatchObject({ ok: false, error });
      // The machines retry, not the adapter.
      expect(toOperations()).toEqual([name]);
    },
  );

  test.each(PUBNUB_BAD_SHAPES)(
    'is malformed if answered with an invalid body, %s',
    async (body) => {
      engine.endpoint.faults.break(name, answerWith(body));
      const answer = await CALLS[name]();
      expect(answer).toMatchObject({ ok: false, error: { kind: 'malformed' } });
    },
  );

  test.each(Object.entries(FAULTS).filter(([, [, error]]) => error.kind !== 'rejected'))(
    'returns the error of the token request for %s',
    async (_title, [handler, error]) => {
      engine.server.on('/u_1/api/realtime/token', handler);
      expect(await CALLS[name]()).toEqual({ ok: false, error });
      expect(engine.endpoint.asked).toEqual([]);
    },
  );

  test('continues with a new token after the old one expired', async () => {
    expect((await CALLS[name]()).ok).toBe(true);
    engine.endpoint.access.expireAll();
    expect(await CALLS[name]()).toEqual({ ok: false, error: { kind: 'unauthenticated' } });
    realtime.renewToken();
    expect((await CALLS[name]()).ok).toBe(true);
    expect(engine.countTokens()).toBe(2);
  });
});

describe('publish', () => {
  test('uses POST, so that no proxy can truncate the message', async () => {
    await realtime.publish(ROOM, toPayload('x'.repeat(20_000)), never);
    const [asked] = engine.endpoint.asked;
    expect(asked).toMatchObject({ operation: 'publish', method: 'POST' });
    expect(asked?.url.length).toBeLessThan(3000);
    expect(asked?.url).toContain('store=1');
  });

  test.each([
    refuseWith(413, { message: 'Message Too Large' }),
    answerWith('[0,"Message Too Large","17000000000000000"]', undefined, 400),
  ])('is too large if refused for its size', async (fault) => {
    engine.endpoint.faults.break('publish', fault);
    const answer = await CALLS.publish();
    expect(answer).toMatchObject({ ok: false, error: { kind: 'too-large', limit: 32_768 } });
  });

  test('may have arrived even if its answer is lost', async () => {
    engine.endpoint.faults.break('publish', swallow, 1);
    expect(await CALLS.publish()).toEqual({ ok: false, error: { kind: 'unreachable' } });
    expect(toTexts(mustGet(await read()).entries)).toEqual(['hello']);
  });

  test('ends at once when cancelled', async () => {
    engine.endpoint.faults.break('publish', mute);
    const cancel = new AbortController();
    const answer = realtime.publish(ROOM, toPayload('no'), cancel.signal);
    cancel.abort();
    expect(await answer).toEqual({ ok: false, error: { kind: 'unreachable' } });
  });
});

describe('history', () => {
  const write = (...messages: readonly unknown[]): void => {
    for (const message of messages) engine.endpoint.log.append(CHANNEL, 'u_app', message);
  };

  test('keeps messages of other apps, even falsy ones, for the reader to judge', async () => {
    const messages = ['plain', 0, false, null, '', [], { text: 7 }, { text: 'x', more: [1] }];
    write(...messages);
    const { entries } = mustGet(await read());
    expect(entries.map(({ message }) => message)).toEqual(messages);
    expect(entries.every(({ publisher }) => publisher === 'u_app')).toBe(true);
  });

  test('drops only an entry without a timetoken, and stays full', async () => {
    const good = (at: number) => ({
      message: { text: `${at}` },
      timetoken: `1700000000000000${at}`,
    });
    const bad = [null, 7, 'text', [], {}, { message: 'x', timetoken: 17 }, { timetoken: '17' }];
    const channels = { [CHANNEL]: [good(1), ...bad, good(2)] };
    engine.endpoint.faults.break('history', answerWith(JSON.stringify({ channels })));
    const page = mustGet(await read(bad.length + 2));
    expect(toTexts(page.entries)).toEqual(['1', '2']);
    expect(page.full).toBe(true);
    expect(engine.logged).toEqual(bad.map(() => 'REALTIME_ENTRY_MALFORMED'));
  });

  test('is an error, not an endless loop, if it is full of unreadable entries', async () => {
    const channels = { [CHANNEL]: [null, null] };
    engine.endpoint.faults.break('history', answerWith(JSON.stringify({ channels })));
    expect(await read(2)).toMatchObject({ ok: false, error: { kind: 'malformed' } });
  });
});

describe('counts', () => {
  test('find messages that are older than the engine counts', async () => {
    const { log } = engine.endpoint;
    log.append(CHANNEL, 'u_app', { text: 'old' }, Date.now() - 40 * DAY_MS);
    const newer = log.append(CHANNEL, 'u_app', { text: 'newer' }, Date.now() - 35 * DAY_MS);
    const fortyOneDaysAgo = fromEpochMs(Date.now() - 41 * DAY_MS);
    expect(mustGet(await countFrom(fortyOneDaysAgo)).get(ROOM)).toBe(1);
    expect(mustGet(await countFrom(newer as Timetoken)).get(ROOM)).toBe(0);
    expect(mustGet(await countFrom(TIMETOKEN_ZERO)).get(ROOM)).toBe(1);
  });

  test('verify a room once, not every time', async () => {
    const old = fromEpochMs(Date.now() - 41 * DAY_MS);
    expect(mustGet(await countFrom(old)).get(ROOM)).toBe(0);
    expect(mustGet(await countFrom(old)).get(ROOM)).toBe(0);
    expect(toOperations()).toEqual(['counts', 'history', 'counts']);
    await realtime.publish(ROOM, toPayload('new'), never);
    expect(mustGet(await countFrom(old)).get(ROOM)).toBe(1);
  });

  test.each<[string, object]>([
    [
      'cut',
      { channels: {}, more: { url: '/v3/history/more', start: '17000000000000050', max: 1 } },
    ],
    ['about another channel', { channels: { 'chat.c_1.lobby': [] } }],
    ['unreadable', { channels: { [CHANNEL]: [null] } }],
  ])('omit a room if the answer about its newest message is %s', async (_what, answer) => {
    const old = fromEpochMs(Date.now() - 41 * DAY_MS);
    engine.endpoint.faults.break('history', answerWith(JSON.stringify(answer)), 1);
    expect([...mustGet(await countFrom(old))]).toEqual([]);
    expect([...mustGet(await countFrom(old))]).toEqual([[ROOM, 0]]);
  });

  test('are requested in batches that the engine accepts for many rooms', async () => {
    await engine.close();
    const clientIds = Array.from({ length: 1000 }, (_, at) => `c_${at + 1}`);
    engine = await startPubnubEngine({ clientIds });
    realtime = engine.connect('u_1');
    const now = fromEpochMs(Date.now());
    const since = new Map(clientIds.slice(0, 350).map((id) => [toRoomKey(id, 'team'), now]));
    expect(mustGet(await realtime.countSince(since, never)).size).toBe(350);
    expect(toOperations()).toEqual(['counts', 'counts', 'counts', 'counts']);
  });
});

describe('a token that does not cover a room', () => {
  const NEW = toRoomKey('c_new', 'team');
  const readNew = () => realtime.readHistory({ room: NEW, count: 25 }, never);

  test('is replaced, because the client may be new', async () => {
    await read();
    engine.grant(['c_1', 'c_new']);
    expect((await readNew()).ok).toBe(true);
    expect(engine.countTokens()).toBe(2);
  });

  test('is replaced only occasionally if the room belongs to others', async () => {
    for (let times = 0; times < 5; times += 1) {
      expect(await readNew()).toMatchObject({ ok: false, error: { kind: 'forbidden' } });
    }
    expect(engine.countTokens()).toBe(2);
    engine.advance(60_000);
    await readNew();
    expect(engine.countTokens()).toBe(3);
  });

  test('does not prevent the other counts', async () => {
    const since = fromEpochMs(Date.now());
    await CALLS.publish();
    const counts = mustGet(
      await realtime.countSince(
        new Map([
          [NEW, since],
          [ROOM, since],
        ]),
        never,
      ),
    );
    // The count of the other room is unknown.
    expect([...counts]).toEqual([[ROOM, 1]]);
  });
});

test('tokens are cached until half of their life', async () => {
  await read();
  engine.advance(7 * 60_000);
  await read();
  expect(engine.countTokens()).toBe(1);
  engine.advance(60_000);
  await read();
  await expect.poll(() => engine.countTokens()).toBe(2);
});

test('a keyset without Access Manager is called without a token', async () => {
  await engine.close();
  engine = await startPubnubEngine({ needsToken: false });
  realtime = engine.connect('u_1');
  mustGet(await CALLS.publish());
  expect(engine.endpoint.asked.map(({ url }) => url.includes('auth='))).toEqual([false]);
});

test('a token without a uid is not used', async () => {
  engine.server.on('/u_1/api/realtime/token', sendJson({ token: 'x', expires: Date.now() }));
  expect(await read()).toMatchObject({ ok: false, error: { kind: 'malformed' } });
});
