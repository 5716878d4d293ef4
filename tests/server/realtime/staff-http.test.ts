import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  createRealtimeClient,
  createTestTokens,
  type RealtimeClient,
  toMessage,
} from '#tests/support/server/realtime-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

/** The log that all staff share, and no client. */

let server: WebServer;
let tokens: ReturnType<typeof createTestTokens>;

beforeAll(async () => {
  server = await startWebServer();
  tokens = createTestTokens(server.dataDir);
});
afterAll(() => server.dispose());

const as = (token: string): RealtimeClient => createRealtimeClient(server.port, token);
const toStaff = (uid: string): RealtimeClient => as(tokens.staff(uid, `session of ${uid}`));

const publish = async (
  wire: RealtimeClient,
  id: string,
  payload: object,
  log = 'staff',
): Promise<string> => {
  const body = JSON.stringify({ id, payload });
  const answer = await wire.send(log, { method: 'POST', body });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json()['timetoken'] as string;
};
const read = async (wire: RealtimeClient, query: string, log = 'staff'): Promise<unknown> =>
  (await wire.send(`${log}?${query}`)).json()['entries'];

test('all staff write to the staff log and read the same entries', async () => {
  const [ana, bo] = [toStaff('u_ana'), toStaff('u_bo')];
  const after = await publish(ana, 'first', {});
  const one = await publish(ana, 'one', { n: 1 });
  const two = await publish(bo, 'two', { n: 2 });
  expect(two > one).toBe(true);
  for (const wire of [ana, bo, toStaff('client:c_016')]) {
    expect(await read(wire, `after=${after}`)).toEqual([
      { timetoken: one, payload: { n: 1 } },
      { timetoken: two, payload: { n: 2 } },
    ]);
  }
});

test('an id is stored once in the staff log for all senders, and separately in the user logs', async () => {
  const [ana, bo] = [toStaff('u_ana'), toStaff('u_bo')];
  const timetoken = await publish(ana, 'same', { n: 1 });
  expect(await publish(bo, 'same', { n: 2 })).toBe(timetoken);
  await publish(bo, 'same', { n: 3 }, 'own');
  expect(await read(ana, 'count=1')).toEqual([{ timetoken, payload: { n: 1 } }]);
  expect(await read(bo, 'count=100', 'own')).toMatchObject([{ payload: { n: 3 } }]);
  expect(await read(ana, 'count=100', 'own')).toEqual([]);
});

test('no claim in a request makes a user the owner of the staff log', async () => {
  const ana = toStaff('u_ana');
  const before = await read(ana, 'count=100');
  const body = JSON.stringify({ id: 'claim', payload: { n: 1 }, owner: '', uid: '' });
  expect((await ana.send('own', { method: 'POST', body })).status).toBe(200);
  expect(await read(ana, 'count=100')).toEqual(before);
  expect(await read(ana, 'count=100&uid=&owner=', 'own')).toMatchObject([{ payload: { n: 1 } }]);
});

test('a restart loses nothing and repeats nothing', async () => {
  const first = await publish(toStaff('u_ana'), 'kept', { n: 1 });
  server = await server.restart();
  expect(await publish(toStaff('u_bo'), 'kept', { n: 1 })).toBe(first);
  expect(await read(toStaff('u_bo'), 'count=1')).toEqual([{ timetoken: first, payload: { n: 1 } }]);
});

test('growth of the staff log wakes every stream of staff, and never that of a client', async () => {
  const ana = toStaff('u_ana');
  const streams = await Promise.all([
    ana.stream(),
    as(tokens.staff('u_ana', 'another session')).stream(),
    toStaff('u_bo').stream(),
    toStaff('client:c_016').stream(),
    as(tokens.client('c_016')).stream(),
  ]);
  for (const stream of streams) await stream.until('a beat', ({ beats }) => beats.length === 1);
  const timetoken = await publish(ana, 'wakes', { n: 1 });
  // A repeat adds nothing, and the user log is separate.
  await publish(ana, 'wakes', { n: 1 });
  const own = await publish(ana, 'wakes', { n: 1 }, 'own');
  await publish(ana, 'wakes', { n: 1 }, 'own');
  // The message follows all events that the entries cause.
  await ana.publish('chat.c_016.team', toMessage('a barrier'));
  for (const stream of streams) {
    await stream.until('the barrier', ({ entries }) => entries.length === 1);
  }
  expect(streams.map(({ staff }) => staff)).toEqual([
    [timetoken],
    [timetoken],
    [timetoken],
    [timetoken],
    [],
  ]);
  expect(streams.map((stream) => stream.own)).toEqual([[own], [own], [], [], []]);
  for (const stream of streams) stream.stop();
});
