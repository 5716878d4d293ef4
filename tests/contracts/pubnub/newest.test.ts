import { afterEach, beforeEach, expect, test } from 'vitest';

import type { Realtime } from '#domain/ports/network.ts';
import { type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { answerWith } from '#tests/support/pubnub/faults.ts';

import { type PubnubEngine, startPubnubEngine } from './engine.ts';
import { PUBNUB_BAD_SHAPES, PUBNUB_FAULTS } from './faults.ts';
import { mustGet, never, toPayload, toTexts } from '../realtime-harness.ts';

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

const toItem = (at: number) => ({
  message: { text: `${at}` },
  timetoken: `170000000000000${at}`,
  uuid: 'u_app',
});
/** Makes the engine answer with these entries, by the name of their channel. */
const answer = (channels: object, rest: object = {}): void => {
  const body = { status: 200, error: false, error_message: '', channels, ...rest };
  engine.endpoint.faults.break('history', answerWith(JSON.stringify(body)), 1);
};
const FULL = Array.from({ length: 25 }, (_, at) => toItem(10 + at));

test('omits short pages of an answer that the engine has cut', async () => {
  const more = { url: '/v3/history/more', start: '17000000000000050', max: 25 };
  answer({ [CHANNEL]: FULL, 'chat.c_1.general': [toItem(50)] }, { more });
  expect([...mustGet(await readNewest()).keys()]).toEqual([ROOM]);
});

test('continues after a page of one room that the engine has cut', async () => {
  const more = { url: '/v3/history/more', start: '17000000000000050', max: 25 };
  answer({ [CHANNEL]: [toItem(50)] }, { more });
  const page = mustGet(await realtime.readHistory({ room: ROOM, count: 25 }, never));
  expect([toTexts(page.entries), page.full]).toEqual([['50'], true]);
});

test('reads names of channels however many of their characters are encoded', async () => {
  answer({ 'chat%2Ec_1.team': [toItem(50)] });
  const pages = mustGet(await readNewest());
  expect(toTexts(pages.get(ROOM)?.entries ?? [])).toEqual(['50']);
  expect(pages.get(OTHER)).toEqual({ entries: [], full: false });
});

test.each(['chat.c_1.lobby', 'chat.c_1.%'])(
  'does not count a room as empty if an answer has a channel that was not requested: %s',
  async (name) => {
    answer({ [CHANNEL]: FULL, [name]: [toItem(50)] });
    expect([...mustGet(await readNewest()).keys()]).toEqual([ROOM]);
  },
);
