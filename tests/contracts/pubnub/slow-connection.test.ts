import { afterEach, beforeEach, expect, test } from 'vitest';

import type { Realtime } from '#domain/ports/network.ts';
import { toRoomKey } from '#domain/rooms.ts';
import type { Fault } from '#tests/support/pubnub/faults.ts';

import { type PubnubEngine, startPubnubEngine } from './engine.ts';
import { mustGet, never, toTexts } from '../realtime-harness.ts';

const ROOM = toRoomKey('c_1', 'team');
/** Far longer than a page takes that the connection lets through. */
const TIMEOUT_MS = 6000;

let engine: PubnubEngine;
let realtime: Realtime;
beforeEach(async () => {
  engine = await startPubnubEngine({ timeoutMs: TIMEOUT_MS });
  realtime = engine.connect('u_1');
  for (let at = 1; at <= 8; at += 1) {
    engine.endpoint.log.append('chat.c_1.team', 'u_app', { text: `${at}` });
  }
});
afterEach(() => engine.close());

/** A connection on which a page of so many messages arrives in time, and a larger one does not. */
const slowTo =
  (count: number): Fault =>
  async ({ query }, serve) => {
    if (Number(query.get('max') ?? 100) > count) return;
    const send = await serve();
    engine.advance(TIMEOUT_MS / 2);
    send();
  };
const read = (count = 100) => realtime.readHistory({ room: ROOM, count }, never);
const listSizes = () => engine.endpoint.asked.map(({ url }) => /[?&]max=(\d+)/.exec(url)?.[1]);

test('on a slow connection a page that timed out is requested again with fewer messages', async () => {
  engine.endpoint.faults.break('history', slowTo(5));
  expect(await read()).toEqual({ ok: false, error: { kind: 'timeout' } });
  expect(await read()).toEqual({ ok: false, error: { kind: 'timeout' } });
  const page = mustGet(await read());
  expect([toTexts(page.entries), page.full]).toEqual([['4', '5', '6', '7', '8'], true]);
  const [oldest] = page.entries;
  const query = { room: ROOM, count: 100, before: oldest!.timetoken };
  const rest = mustGet(await realtime.readHistory(query, never));
  expect([toTexts(rest.entries), rest.full]).toEqual([['1', '2', '3'], false]);
  expect(listSizes()).toEqual(['100', '25', '5', '5']);
});

test('pages stay small until one proves that a larger one would arrive', async () => {
  engine.endpoint.faults.break('history', slowTo(25));
  expect(await read()).toEqual({ ok: false, error: { kind: 'timeout' } });
  engine.endpoint.faults.heal();
  // Fewer messages than would fit.
  mustGet(await read(5));
  mustGet(await read());
  mustGet(await read());
  expect(listSizes()).toEqual(['100', '5', '25', '25']);
});

test('pages grow again once they arrive quickly', async () => {
  for (let at = 9; at <= 100; at += 1) {
    engine.endpoint.log.append('chat.c_1.team', 'u_app', { text: `${at}` });
  }
  engine.endpoint.faults.break('history', slowTo(25));
  expect(await read()).toEqual({ ok: false, error: { kind: 'timeout' } });
  mustGet(await read());
  engine.endpoint.faults.heal();
  await expect.poll(async () => mustGet(await read()) && listSizes().at(-1)).toBe('100');
});
