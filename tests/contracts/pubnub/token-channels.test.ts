import { afterEach, beforeEach, expect, test } from 'vitest';

import { ROOM_IDS } from '#domain/rooms.ts';
import { sendJson } from '#tests/support/services/scripted-endpoint.ts';
import { recordSignals, type SignalRecorder } from '#tests/support/signal-recorder.ts';

import { type PubnubEngine, startPubnubEngine } from './engine.ts';

const CLIENTS = ['c_1', 'c_2', 'c_3'];
/** After this, a page requests another token, ms. */
const TOKEN_MS = 10 * 60_000;

let engine: PubnubEngine;
let stream: SignalRecorder;
beforeEach(async () => {
  engine = await startPubnubEngine({ clientIds: CLIENTS });
  stream = recordSignals(engine.connect('u_1'));
  await stream.untilBeat();
});
afterEach(async () => {
  stream.stop();
  await engine.close();
});

test('a stream continues if the next token names the same channels in another order', async () => {
  const before = engine.countTokens();
  engine.grant(CLIENTS.toReversed());
  engine.advance(TOKEN_MS);
  await expect.poll(() => engine.countTokens()).toBeGreaterThan(before);
  const beats = () => stream.signals.filter(({ type }) => type === 'beat').length;
  const known = beats();
  // The poll with the first token has ended.
  await stream.until(() => beats() > known + 1);
  expect(stream.signals.filter(({ type }) => type === 'opened')).toHaveLength(1);
});

test('a stream ends as malformed once the channels are those of another template', async () => {
  const channels = ROOM_IDS.map((roomId) => `talk.c_1.${roomId}`);
  const token = { token: '', uid: 'u_1', expires: Date.now() + 2 * TOKEN_MS, channels };
  engine.server.on('/u_1/api/realtime/token', sendJson(token));
  engine.advance(TOKEN_MS);
  expect((await stream.untilEnded()).kind).toBe('malformed');
});
