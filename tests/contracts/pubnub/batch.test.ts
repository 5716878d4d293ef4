import { setTimeout as pause } from 'node:timers/promises';

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { Realtime } from '#domain/ports/network.ts';
import { toRoomKey } from '#domain/rooms.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { OPEN_TO_ALL } from '#tests/support/pubnub/exchange.ts';
import { QUOTED } from '#tests/support/pubnub/recorded.ts';
import { answerWith, type Fault } from '#tests/support/pubnub/faults.ts';
import { recordSignals, type SignalRecorder } from '#tests/support/signal-recorder.ts';

import { type PubnubEngine, startPubnubEngine } from './engine.ts';
import { countUp, isRising, mustGet, never, toTexts, toTimetokens } from '../realtime-harness.ts';

const ROOM = toRoomKey('c_1', 'team');
const CHANNEL = 'chat.c_1.team';
const WILDCARD = 'chat.c_1.*';

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

const write = (texts: readonly string[], channel = CHANNEL): readonly string[] =>
  texts.map((text) => engine.endpoint.log.append(channel, 'u_app', { text }));
const open = (cursor?: Timetoken): SignalRecorder => {
  stream = recordSignals(realtime, cursor);
  return stream;
};
const toKinds = () => stream.signals.map(({ type }) => type);

const LONG_AGO = '17000000000000000' as Timetoken;
/** The service keeps undelivered messages for at most 20 minutes. */
const SLEEP_MS = 25 * 60_000;

const POISON: readonly unknown[] = [
  null,
  7,
  'text',
  [],
  {},
  { c: null },
  { c: CHANNEL },
  { c: CHANNEL, p: null },
  { c: CHANNEL, p: { t: 17_000_000_000_000_000 } },
  { c: CHANNEL, p: { t: '17' } },
  { c: `${CHANNEL}-pnpres`, b: WILDCARD, p: { t: '17000000000000001' }, d: null },
  { c: CHANNEL, b: WILDCARD, e: 2, p: { t: '17000000000000001' }, d: null },
  { c: CHANNEL, b: WILDCARD, e: 3, p: { t: '17000000000000001' } },
  { c: CHANNEL, b: WILDCARD, e: 'x', p: { t: '17000000000000001' } },
  { c: 'other', b: WILDCARD, p: { t: '17000000000000001' }, d: { text: 'other' } },
];
const envelope = (at: number, d: unknown = { text: `${at}` }) => ({
  c: CHANNEL,
  b: WILDCARD,
  i: 'u_app',
  p: { t: `17000000000000${100 + at}`, r: 1 },
  d,
});
const batch = (m: readonly unknown[]): Fault =>
  answerWith(JSON.stringify({ t: { t: '17000000000000999', r: 1 }, m }));

test('a batch with an invalid entry delivers the others, and the stream continues', async () => {
  engine.endpoint.faults.break('poll', batch([envelope(1), ...POISON, envelope(2)]), 1);
  open('17000000000000000' as Timetoken);
  expect(toTexts(await stream.untilEntries(2))).toEqual(['1', '2']);
  write(['live']);
  expect(toTexts(await stream.untilEntries(3))).toEqual(['1', '2', 'live']);
  expect(toKinds()).not.toContain('ended');
});

test.each([null, 0, false, '', [], 'plain', 5, { text: 7 }])(
  'a batch with a message of another app, %j, delivers it for the reader to judge',
  async (message) => {
    engine.endpoint.faults.break('poll', batch([envelope(1, message)]), 1);
    const [entry] = await open('17000000000000000' as Timetoken).untilEntries(1);
    expect(entry).toEqual({
      room: ROOM,
      timetoken: '17000000000000101',
      publisher: 'u_app',
      message,
    });
  },
);

test.each([
  ['without the name it is subscribed by', { b: undefined }],
  ['with another name', { b: 'chat.*' }],
  ['as a file', { e: 4 }],
])('a message %s is delivered', async (_title, over) => {
  engine.endpoint.faults.break('poll', batch([{ ...envelope(1), ...over }]), 1);
  const [entry] = await open('17000000000000000' as Timetoken).untilEntries(1);
  expect(entry).toMatchObject({ room: ROOM, message: { text: '1' } });
});

test('a batch without region or content type is still accepted', async () => {
  const text = JSON.stringify({ t: { t: '17000000000000999' }, m: [envelope(1)] });
  engine.endpoint.faults.break('poll', answerWith(text, ''), 1);
  expect(toTexts(await open('17000000000000000' as Timetoken).untilEntries(1))).toEqual(['1']);
});

test('a batch on a slow network is awaited', async () => {
  const text = JSON.stringify({ t: { t: '17000000000000999', r: 1 }, m: [envelope(1)] });
  const trickle: Fault = async ({ response }) => {
    response.writeHead(200, { ...OPEN_TO_ALL, 'content-type': QUOTED });
    for (const part of text.match(/.{1,4}/g) ?? []) {
      response.write(part);
      // Together the parts take longer than a poll may be quiet, each less than a body may stall.
      await pause(100);
    }
    response.end();
  };
  engine.endpoint.faults.break('poll', trickle, 1);
  expect(toTexts(await open('17000000000000000' as Timetoken).untilEntries(1))).toEqual(['1']);
  expect(toKinds()).toEqual(['opened', 'beat', 'entries']);
});

test('a batch out of order is put in order', async () => {
  engine.endpoint.faults.break('poll', batch([3, 1, 2].map((at) => envelope(at))), 1);
  open('17000000000000000' as Timetoken);
  expect(isRising(toTimetokens(await stream.untilEntries(3)))).toBe(true);
});

test.each([
  ['of 99 is complete', 99, ['opened', 'beat', 'entries', 'beat']],
  ['of 100 may be incomplete', 100, ['opened', 'beat', 'opened', 'entries', 'beat']],
])('a batch %s', async (_title, size, kinds) => {
  const envelopes = Array.from({ length: size }, (_, at) => envelope(at));
  engine.endpoint.faults.break('poll', batch(envelopes), 1);
  await open('17000000000000000' as Timetoken).until((all) => all.length === kinds.length);
  expect(toKinds()).toEqual(kinds);
});

// The queue of a subscriber keeps the newest 100 messages of all its channels (the service's guide
// to subscribing: "message queue").
test('a batch of 100 is complete near its own beginning', async () => {
  const envelopes = Array.from({ length: 100 }, (_, at) => envelope(at));
  engine.endpoint.faults.break('poll', batch(envelopes), 1);
  await open('17000000000000000' as Timetoken).untilEntries(100);
  const opened = stream.signals.flatMap((signal) =>
    signal.type === 'opened' ? [signal.after] : [],
  );
  const places = toTimetokens(stream.entries());
  expect(places).toHaveLength(100);
  expect(places.indexOf(opened.at(-1)!)).toBeLessThan(20);
  expect(places.indexOf(opened.at(-1)!)).toBeGreaterThan(0);
});

test('a batch of 100 with invalid entries also counts as possibly incomplete', async () => {
  const others = [...POISON, ...POISON];
  const rest = Array.from({ length: 100 - others.length }, (_, at) => envelope(at));
  engine.endpoint.faults.break('poll', batch([...others, ...rest]), 1);
  await open('17000000000000000' as Timetoken).until(() => stream.entries().length > 0);
  expect(toKinds().filter((kind) => kind === 'opened')).toHaveLength(2);
  expect(toTexts(stream.entries())).toHaveLength(rest.length);
});

test('a batch without any of our messages is not read again after a quiet poll', async () => {
  const end = '17000000000000999';
  engine.endpoint.faults.break('poll', batch([{ ...envelope(1), e: 1 }, ...POISON]), 1);
  await open('17000000000000000' as Timetoken).until(() => toKinds().length === 3);
  expect(stream.signals.at(-1)).toEqual({ type: 'beat', cursor: end });
});

test('a batch that is malformed repeatedly is left to the history', async () => {
  const past = Date.now() - 60_000;
  const { log } = engine.endpoint;
  const timetoken = log.append(CHANNEL, 'u_app', { text: 'known' }, past) as Timetoken;
  log.append(CHANNEL, 'u_app', { text: 'in the bad batch' }, past + 1);
  engine.endpoint.faults.break('poll', answerWith('{"t":{},"m":7}'), 2);
  expect((await open(timetoken).untilEnded()).kind).toBe('malformed');
  expect((await open(timetoken).untilEnded()).kind).toBe('malformed');
  const beat = await open(timetoken).untilBeat();
  expect(beat > timetoken).toBe(true);
  write(['after it']);
  expect(toTexts(await stream.untilEntries(1))).toEqual(['after it']);
  const page = mustGet(
    await realtime.readHistory({ room: ROOM, count: 25, after: timetoken }, never),
  );
  expect(toTexts(page.entries)).toEqual(['in the bad batch', 'after it']);
});

test('a stream that leaves its cursor does not report an older log', async () => {
  const cursor = write(['known'])[0] as Timetoken;
  engine.endpoint.faults.break('poll', answerWith('{"t":{},"m":7}'), 2);
  expect((await open(cursor).untilEnded()).kind).toBe('malformed');
  expect((await open(cursor).untilEnded()).kind).toBe('malformed');
  expect(await open(cursor).untilBeat()).toBe(cursor);
});

test('an overflow across all rooms is reported, and nothing arrives twice', async () => {
  const cursor = write(['known'])[0] as Timetoken;
  write(countUp(150));
  write(countUp(150), 'chat.c_2.general');
  await open(cursor).until(() => toKinds().lastIndexOf('opened') > 0);
  const seen = stream.entries().map(({ room, timetoken }) => `${room} ${timetoken}`);
  expect(new Set(seen).size).toBe(seen.length);
});

// RFC 9110, 9.2.2: a request whose connection closed without an answer may be repeated; browsers do
// so when a device wakes.
test('a poll that is sent again after a long sleep leaves a gap before its entries', async () => {
  const woken = Promise.withResolvers<void>();
  const resent: Fault = async (exchange, serve) => {
    await woken.promise;
    const [newest] = write(['newest']);
    const place = { t: newest, r: 1 };
    const message = { c: CHANNEL, b: WILDCARD, i: 'u_app', p: place, d: { text: 'newest' } };
    await answerWith(JSON.stringify({ t: place, m: [message] }))(exchange, serve);
  };
  engine.endpoint.faults.break('poll', resent, 1);
  await open(LONG_AGO).untilBeat();
  const [dropped = ''] = write(['not kept any more']);
  engine.advance(SLEEP_MS);
  woken.resolve();
  await stream.untilEntries(1);
  await stream.untilEnded();
  const entries = stream.signals.findIndex(({ type }) => type === 'entries');
  const opened = stream.signals.slice(0, entries).findLast(({ type }) => type === 'opened');
  expect(opened).toMatchObject({ type: 'opened' });
  expect(opened?.type === 'opened' && opened.after >= (dropped as Timetoken)).toBe(true);
});
