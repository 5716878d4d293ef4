import { afterEach, beforeEach, expect, test } from 'vitest';

import type { Realtime } from '#domain/ports/network.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { answerWith, type Fault } from '#tests/support/pubnub/faults.ts';
import { recordSignals, type SignalRecorder } from '#tests/support/signal-recorder.ts';

import { type PubnubEngine, startPubnubEngine } from './engine.ts';

const CHANNEL = 'chat.c_1.team';
const LONG_AGO = '17000000000000000' as Timetoken;
/** The service keeps what was not delivered for 20 minutes at most. */
const SLEEP_MS = 25 * 60_000;

let engine: PubnubEngine;
let realtime: Realtime;
let stream: SignalRecorder;
beforeEach(async () => {
  engine = await startPubnubEngine();
  realtime = engine.connect('u_1');
});
afterEach(async () => {
  stream.stop();
  await engine.close();
});

// RFC 9110, 9.2.2: a request whose connection closed without an answer may be repeated; browsers do
// so when a device wakes.
test('a poll that is sent again after a long sleep leaves a hole before what it brings', async () => {
  const woken = Promise.withResolvers<void>();
  const resent: Fault = async (exchange, serve) => {
    await woken.promise;
    const newest = engine.endpoint.log.append(CHANNEL, 'u_app', { text: 'newest' });
    const place = { t: newest, r: 1 };
    const message = { c: CHANNEL, b: 'chat.c_1.*', i: 'u_app', p: place, d: { text: 'newest' } };
    await answerWith(JSON.stringify({ t: place, m: [message] }))(exchange, serve);
  };
  engine.endpoint.faults.break('poll', resent, 1);
  stream = recordSignals(realtime, LONG_AGO);
  await stream.untilBeat();
  const dropped = engine.endpoint.log.append(CHANNEL, 'u_app', { text: 'not kept any more' });
  engine.advance(SLEEP_MS);
  woken.resolve();
  await stream.untilEntries(1);
  await stream.untilEnded();
  const entries = stream.signals.findIndex(({ type }) => type === 'entries');
  const opened = stream.signals.slice(0, entries).findLast(({ type }) => type === 'opened');
  expect(opened).toMatchObject({ type: 'opened' });
  expect(opened?.type === 'opened' && opened.after >= (dropped as Timetoken)).toBe(true);
});
