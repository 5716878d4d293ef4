import { afterEach, beforeEach, expect, test } from 'vitest';

import type { Realtime } from '#domain/ports/network.ts';
import { type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { answerWith } from '#tests/support/pubnub/faults.ts';

import { type PubnubEngine, startPubnubEngine } from './engine.ts';
import { PUBNUB_BAD_SHAPES, PUBNUB_FAULTS } from './faults.ts';
import { mustGet, never, toPayload, toTexts } from '../realtime-desk.ts';

const ROOM = toRoomKey('c_1', 'team');
const CHANNEL = 'chat.c_1.team';
const OTHER = toRoomKey('c_1', 'general');
/** A room that the token does not cover. */
const NEW = toRoomKey('c_new', 'team');

let engine: PubnubEngine;
let realtime: Realtime;
beforeEach(async () => {
  engine = await startPubnubEngine();
  realtime = engine.connect('u_1');
});
afterEach(() => engine.close());

const readNewest = (rooms: readonly RoomKey[] = [ROOM, OTHER]) => realtime.readNewest(rooms, never);
const toOperations = () => engine.endpoint.asked.map(({ operation }) => operation);

test.each(Object.entries(PUBNUB_FAULTS))(
  'returns the matching error for %s',
  async (_title, [fault, error]) => {
    engine.endpoint.faults.break('history', fault);
    expect(await readNewest()).toMatchObject({ ok: false, error });
    expect(toOperations()).toEqual(['history']);
  },
);

test.each(PUBNUB_BAD_SHAPES)('is malformed if answered with an invalid body, %s', async (body) => {
  engine.endpoint.faults.break('history', answerWith(body));
  expect(await readNewest()).toMatchObject({ ok: false, error: { kind: 'malformed' } });
});

test('is one request, without the rooms that the token does not cover', async () => {
  mustGet(await realtime.publish(ROOM, toPayload('hello'), never));
  const pages = mustGet(await readNewest([NEW, ROOM, OTHER]));
  expect([...pages.keys()]).toEqual([ROOM, OTHER]);
  expect(toTexts(pages.get(ROOM)?.entries ?? [])).toEqual(['hello']);
  expect(toOperations()).toEqual(['publish', 'history']);
});

test('sends nothing if the token covers none of the rooms', async () => {
  expect(mustGet(await readNewest([NEW])).size).toBe(0);
  expect(toOperations()).toEqual([]);
});

test('omits short pages of an answer that the engine has cut', async () => {
  const item = (at: number) => ({
    message: { text: `${at}` },
    timetoken: `170000000000000${at}`,
    uuid: 'u_app',
  });
  const full = Array.from({ length: 25 }, (_, at) => item(10 + at));
  const channels = { [CHANNEL]: full, 'chat.c_1.general': [item(50)] };
  const more = { url: '/v3/history/more', start: '17000000000000050', max: 25 };
  const body = { status: 200, error: false, error_message: '', channels, more };
  engine.endpoint.faults.break('history', answerWith(JSON.stringify(body)), 1);
  expect([...mustGet(await readNewest()).keys()]).toEqual([ROOM]);
});
