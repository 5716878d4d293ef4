import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { isTimetoken } from '#domain/timetoken.ts';
import {
  createRealtimeClient,
  createTestTokens,
  type RealtimeClient,
  toMessage,
} from '#tests/support/server/realtime-client.ts';
import type { Answer } from '#tests/support/server/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

const ROOM = 'chat.c_016.team';

let server: WebServer;
let tokens: ReturnType<typeof createTestTokens>;

beforeAll(async () => {
  server = await startWebServer();
  tokens = createTestTokens(server.dataDir);
});
afterAll(() => server.dispose());

const as = (token: string): RealtimeClient => createRealtimeClient(server.port, token);
let taken = 0;
/** A user without entries. */
const takeUser = (): { readonly uid: string; readonly wire: RealtimeClient } => {
  const uid = `u_own_${(taken += 1)}`;
  return { uid, wire: as(tokens.staff(uid, `session of ${uid}`)) };
};

const post = (wire: RealtimeClient, body: unknown): Promise<Answer> =>
  wire.send('own', {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const publish = async (wire: RealtimeClient, id: string, payload: object): Promise<string> => {
  const answer = await post(wire, { id, payload });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json()['timetoken'] as string;
};
const read = async (wire: RealtimeClient, query = ''): Promise<Record<string, unknown>> =>
  (await wire.send(`own?${query}`)).json();

describe('publishing', () => {
  test('stores an entry once per user and id, and only its user reads it', async () => {
    const [mine, theirs] = [takeUser().wire, takeUser().wire];
    const timetoken = await publish(mine, 'same', { n: 1 });
    expect(isTimetoken(timetoken)).toBe(true);
    expect(await publish(mine, 'same', { n: 2 })).toBe(timetoken);
    expect(await read(theirs)).toEqual({ entries: [], more: false });
    const other = await publish(theirs, 'same', { n: 3 });
    expect(await read(mine)).toEqual({
      entries: [{ timetoken, payload: { n: 1 } }],
      more: false,
    });
    expect(await read(theirs)).toEqual({
      entries: [{ timetoken: other, payload: { n: 3 } }],
      more: false,
    });
  });

  test('goes to the token’s user, whatever the request claims', async () => {
    const [mine, theirs] = [takeUser(), takeUser()];
    const claim = { uid: theirs.uid, publisher: theirs.uid };
    expect((await post(mine.wire, { id: 'a', payload: { n: 1 }, ...claim })).status).toBe(200);
    expect((await read(theirs.wire))['entries']).toEqual([]);
    expect((await read(theirs.wire, `uid=${mine.uid}`))['entries']).toEqual([]);
    expect((await read(mine.wire, `uid=${theirs.uid}`))['entries']).toHaveLength(1);
  });

  test('keeps every field and character', async () => {
    const { wire } = takeUser();
    const raw = String.raw`{"v":1,"__proto__":{"x":1},"deep":[[[{"a":null}]]],"t":"nul \u0000 \ud800 é"}`;
    expect((await post(wire, `{"id":"odd","payload":${raw}}`)).status).toBe(200);
    const { text } = await wire.send('own');
    expect(text).toContain('"__proto__":{"x":1},"deep":[[[{"a":null}]]]');
    expect(text).toContain(String.raw`\u0000 \ud800 é`);
  });

  test('counts towards the same rate as messages', async () => {
    const { wire } = takeUser();
    const message = toMessage('one', 'rate');
    let refused: Answer | undefined;
    let count = 0;
    for (; refused === undefined; count += 1) {
      const messages = Array.from({ length: 49 }, () => wire.publish(ROOM, message));
      const [answer] = await Promise.all([post(wire, { id: 'one', payload: {} }), ...messages]);
      if (answer.status !== 200) refused = answer;
    }
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, expect.any(String)]);
    // Entries alone would not have reached the limit.
    expect(count).toBeLessThan(1000);
  });
});

describe('reading', () => {
  test('pages both ways without a gap or a duplicate', async () => {
    const { wire } = takeUser();
    const all: string[] = [];
    for (let n = 0; n < 60; n += 1) all.push(await publish(wire, `${n}`, { n }));
    const page = async (query: string): Promise<readonly string[]> =>
      ((await read(wire, query))['entries'] as { timetoken: string }[]).map(
        ({ timetoken }) => timetoken,
      );
    expect(await page('')).toEqual(all.slice(-25));
    expect(await page('count=100')).toEqual(all);
    expect(await page(`count=10&before=${all[30]}`)).toEqual(all.slice(20, 30));
    expect(await page(`count=10&after=${all[30]}`)).toEqual(all.slice(-10));
    expect(await page(`after=${all[3]}&before=${all[9]}`)).toEqual(all.slice(4, 9));
    expect([
      (await read(wire, 'count=60'))['more'],
      (await read(wire, 'count=61'))['more'],
    ]).toEqual([true, false]);
    expect(await page('count=100&bytes=1')).toEqual(all.slice(-1));
  });

  test('a restart loses nothing and repeats nothing', async () => {
    const { wire, uid } = takeUser();
    const first = await publish(wire, 'first', { n: 1 });
    server = await server.restart();
    const again = as(tokens.staff(uid, `session of ${uid}`));
    expect(await publish(again, 'first', { n: 1 })).toBe(first);
    const second = await publish(again, 'second', { n: 2 });
    expect(second > first).toBe(true);
    expect((await read(again))['entries']).toEqual([
      { timetoken: first, payload: { n: 1 } },
      { timetoken: second, payload: { n: 2 } },
    ]);
  });
});

describe('the stream', () => {
  test('a user who is named like a client shares nothing with that client', async () => {
    const named = as(tokens.staff('client:c_015', 'session of a namesake'));
    const stream = await as(tokens.client('c_015')).stream();
    await stream.until('the first beat', ({ beats }) => beats.length === 1);
    await publish(named, 'a', { n: 1 });
    await named.publish('chat.c_015.team', toMessage('a barrier'));
    await stream.until('the barrier', ({ entries }) => entries.length === 1);
    expect(stream.own).toEqual([]);
    stream.stop();
  });

  test('a stream that opens later is not notified of earlier growth', async () => {
    const { wire } = takeUser();
    await publish(wire, 'a', { n: 1 });
    const stream = await wire.stream('00000000000000000');
    await stream.until('a beat', ({ beats }) => beats.length === 1);
    expect(stream.own).toEqual([]);
    stream.stop();
  });
});
