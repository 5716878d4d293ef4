import { afterEach, beforeEach, expect, test } from 'vitest';

import type { Realtime } from '#domain/ports/network.ts';
import { fromEpochMs, type Timetoken } from '#domain/timetoken.ts';
import { answerWith } from '#tests/support/pubnub/faults.ts';
import { recordSignals, type SignalRecorder } from '#tests/support/signal-recorder.ts';

import { type PubnubEngine, startPubnubEngine } from './engine.ts';
import { PUBNUB_FAULTS } from './faults.ts';
import { toTexts } from '../realtime-harness.ts';

/** The probes while a poll is quiet for so long that it is not reopened. */

let engine: PubnubEngine;
let realtime: Realtime;
let stream: SignalRecorder;
beforeEach(async () => {
  engine = await startPubnubEngine({ pollMs: 600_000, probeMs: 100 });
  realtime = engine.connect('u_1');
});
afterEach(async () => {
  stream.stop();
  await engine.close();
});

const write = (text: string): unknown =>
  engine.endpoint.log.append('chat.c_1.team', 'u_app', { text });
const listOperations = () => engine.endpoint.asked.map(({ operation }) => operation);
const open = (cursor?: Timetoken): SignalRecorder => {
  stream = recordSignals(realtime, cursor);
  return stream;
};
const toKinds = () => stream.signals.map(({ type }) => type);

// The service does not bill requests of its clock (its page on billable metrics: "Free").
test('the clock of the service is the only request, and its answer counts as a beat', async () => {
  await open().until((signals) => signals.length === 6);
  expect(toKinds()).toEqual(['opened', 'beat', 'beat', 'beat', 'beat', 'beat']);
  expect(listOperations().toSorted()).toEqual([
    'handshake',
    'poll',
    'time',
    'time',
    'time',
    'time',
  ]);
  write('after all');
  expect(toTexts(await stream.untilEntries(1))).toEqual(['after all']);
});

test.each(Object.entries(PUBNUB_FAULTS))(
  'a clock answered by %s ends the stream once, and the next one continues from the cursor',
  async (_title, [fault, error]) => {
    const cursor = await open().untilBeat();
    engine.endpoint.faults.break('time', fault);
    expect(await stream.untilEnded()).toMatchObject(error);
    expect(toKinds().filter((kind) => kind === 'ended')).toHaveLength(1);
    engine.endpoint.faults.heal();
    write('missed');
    expect(toTexts(await open(cursor).untilEntries(1))).toEqual(['missed']);
  },
);

test.each(['null', '[]', '["17000000000000000"]', '{"t":1}', '7'])(
  'a clock of the shape %s is malformed',
  async (text) => {
    await open().untilBeat();
    engine.endpoint.faults.break('time', answerWith(text));
    expect((await stream.untilEnded()).kind).toBe('malformed');
  },
);

test('another token is used at once, and the segment continues', async () => {
  await open().untilBeat();
  engine.advance(10 * 60_000);
  await expect.poll(() => listOperations().filter((one) => one === 'handshake').length).toBe(2);
  write('with the new token');
  expect(toTexts(await stream.untilEntries(1))).toEqual(['with the new token']);
  expect(engine.countTokens()).toBe(2);
  expect(toKinds().filter((kind) => kind === 'opened')).toHaveLength(1);
});

test('rooms that are added begin earlier, because histories may lack the last messages', async () => {
  engine.endpoint.log.append('chat.c_new.team', 'u_app', { text: 'just before' });
  const cursor = write('known') as Timetoken;
  await open(cursor).untilBeat();
  engine.grant(['c_1', 'c_new']);
  engine.advance(10 * 60_000);
  expect(toTexts(await stream.untilEntries(1))).toEqual(['just before', 'known']);
});

test('no beat is before the cursor, however often rooms are added', async () => {
  const cursor = fromEpochMs(Date.now());
  await open(cursor).untilBeat();
  for (const [added, clientIds] of [['c_1'], ['c_1', 'c_2'], ['c_2']].entries()) {
    engine.grant(clientIds);
    engine.advance(10 * 60_000);
    await stream.until(() => toKinds().filter((kind) => kind === 'opened').length === added + 2);
    await stream.until(() => toKinds().at(-1) === 'beat');
  }
  // It would state that the log was replaced.
  const beats = stream.signals.filter((signal) => signal.type === 'beat');
  expect(beats.filter((beat) => beat.cursor < cursor)).toEqual([]);
});

test('a beat before the first answer is not before the cursor, even if that was refused', async () => {
  const cursor = write('known') as Timetoken;
  engine.endpoint.faults.break('handshake', PUBNUB_FAULTS['a refused request (400)']![0]);
  for (let times = 0; times < 2; times += 1) {
    expect((await open(cursor).untilEnded()).kind).toBe('malformed');
  }
  engine.endpoint.faults.break('handshake', PUBNUB_FAULTS['no answer at all']![0]);
  expect(await open(cursor).untilBeat()).toBe(cursor);
});
