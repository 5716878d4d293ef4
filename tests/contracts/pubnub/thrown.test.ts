import PubNub from 'pubnub';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { Realtime } from '#domain/ports/network.ts';
import { toRoomKey } from '#domain/rooms.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { sendJson } from '#tests/support/services/scripted-endpoint.ts';
import { recordSignals, type SignalRecorder } from '#tests/support/signal-recorder.ts';

import { type PubnubEngine, startPubnubEngine } from './engine.ts';
import { never, toPayload, toTexts } from '../realtime-harness.ts';

/** The SDK throws instead of reporting a failure. */

let engine: PubnubEngine;
let realtime: Realtime;
let stream: SignalRecorder;
beforeEach(async () => {
  engine = await startPubnubEngine({ probeMs: 100 });
  realtime = engine.connect('u_1');
});
afterEach(async () => {
  vi.restoreAllMocks();
  stream.stop();
  await engine.close();
});

const open = (cursor?: Timetoken): SignalRecorder => {
  stream = recordSignals(realtime, cursor);
  return stream;
};
const listEnds = () => stream.signals.filter(({ type }) => type === 'ended');

test.each(['subscribe', 'time'] as const)(
  'a stream ends once if %s throws, and the next one continues from the cursor',
  async (name) => {
    const cursor = await open().untilBeat();
    stream.stop();
    const broken = vi.spyOn(PubNub.prototype, name).mockImplementation(() => {
      throw new TypeError('broken');
    });
    open(cursor);
    expect((await stream.untilEnded()).kind).toBe('malformed');
    expect(listEnds()).toHaveLength(1);
    broken.mockRestore();
    engine.endpoint.log.append('chat.c_1.team', 'u_app', { text: 'missed' });
    expect(toTexts(await open(cursor).untilEntries(1))).toEqual(['missed']);
  },
);

test('a stream ends once if its next poll throws', async () => {
  await open().untilBeat();
  vi.spyOn(PubNub.prototype, 'reconnect').mockImplementation(() => {
    throw new TypeError('broken');
  });
  // Another token ends the poll.
  engine.advance(10 * 60_000);
  expect((await stream.untilEnded()).kind).toBe('malformed');
  expect(listEnds()).toHaveLength(1);
});

test('a token for nobody, which the SDK refuses, fails everything that needs it', async () => {
  const token = { token: '', uid: ' ', expires: Date.now() + 900_000, channels: ['chat.c_1.team'] };
  engine.server.on('/u_1/api/realtime/token', sendJson(token));
  expect((await open().untilEnded()).kind).toBe('malformed');
  const room = toRoomKey('c_1', 'team');
  const malformed = { ok: false, error: { kind: 'malformed' } };
  expect(await realtime.publish(room, toPayload('hello'), never)).toMatchObject(malformed);
  expect(await realtime.readHistory({ room, count: 25 }, never)).toMatchObject(malformed);
});
