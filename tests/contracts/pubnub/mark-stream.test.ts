import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { Realtime } from '#domain/ports/network.ts';
import type { MarkEntry, MarkPayload } from '#domain/schemas/mark-log.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { answerWith, type Fault } from '#tests/support/pubnub/faults.ts';
import { recordSignals, type SignalRecorder } from '#tests/support/signal-recorder.ts';

import { type PubnubEngine, startPubnubEngine } from './engine.ts';
import { countUp, mustGet, never, toTexts } from '../realtime-harness.ts';

/** Messages of the user log and the staff log within the stream of all rooms. */

const CHANNELS = { own: 'own.u_1', staff: 'staff.desk' } as const;
const ROOM = 'chat.c_1.team';
const PAYLOAD: MarkPayload = { v: 1, marks: {} };
const LONG_AGO = '17000000000000000' as Timetoken;

let engine: PubnubEngine;
let realtime: Realtime;
let stream: SignalRecorder;
let grown: Record<keyof typeof CHANNELS, number>;
beforeEach(async () => {
  engine = await startPubnubEngine();
  connect();
});
afterEach(async () => {
  stream.stop();
  await engine.close();
});

const connect = (uid = 'u_1'): void => {
  realtime = engine.connect(uid);
  grown = { own: 0, staff: 0 };
  realtime.own.watch(() => {
    grown.own += 1;
  });
  realtime.staff.watch(() => {
    grown.staff += 1;
  });
};
const restart = async (options: Parameters<typeof startPubnubEngine>[0]): Promise<void> => {
  await engine.close();
  engine = await startPubnubEngine(options);
  connect();
};
const write = (to: string, text: string): Timetoken =>
  engine.endpoint.log.append(to, 'u_1', { text, payload: PAYLOAD }) as Timetoken;
const open = (cursor?: Timetoken): SignalRecorder => {
  stream = recordSignals(realtime, cursor);
  return stream;
};
const toKinds = () => stream.signals.map(({ type }) => type);
const place = (at: number): Timetoken => `17000000000000${100 + at}` as Timetoken;
/** A batch with messages of these channels, in order. */
const batch = (channels: readonly string[]): Fault => {
  const m = channels.map((c, at) => ({
    c,
    i: 'u_1',
    p: { t: place(at), r: 1 },
    d: { text: `${at}`, payload: PAYLOAD },
  }));
  return answerWith(JSON.stringify({ t: { t: '17000000000000999', r: 1 }, m }));
};
const repeat = (count: number, one: string) => Array.from({ length: count }, () => one);
const findOpened = () =>
  stream.signals.flatMap((signal) => (signal.type === 'opened' ? [signal.after] : []));

describe.each(['own', 'staff'] as const)('the %s log', (name) => {
  const channel = CHANNELS[name];

  test('an entry of another device is reported, and is not an entry of a room', async () => {
    await open().untilBeat();
    const delivered: MarkEntry[] = [];
    realtime[name].watch((entries) => delivered.push(...entries));
    const other = engine.connect('u_1');
    const timetoken = mustGet(await other[name].publish('id_1', PAYLOAD, never));
    await expect.poll(() => grown[name]).toBe(1);
    expect(delivered).toEqual([{ timetoken, payload: PAYLOAD }]);
    write(ROOM, 'hello');
    expect(toTexts(await stream.untilEntries(1))).toEqual(['hello']);
    expect(grown).toEqual({ own: 0, staff: 0, [name]: 1 });
    expect(toKinds()).toEqual(['opened', 'beat', 'entries']);
  });

  test('a watcher that stopped gets no report', async () => {
    let calls = 0;
    const stop = realtime[name].watch(() => {
      calls += 1;
    });
    await open().untilBeat();
    write(channel, 'first');
    await expect.poll(() => grown[name]).toBe(1);
    stop();
    write(channel, 'second');
    await expect.poll(() => grown[name]).toBe(2);
    expect(calls).toBe(1);
  });

  test('a batch is reported once, and its room entries are delivered without it', async () => {
    engine.endpoint.faults.break('poll', batch([ROOM, channel, channel, ROOM]), 1);
    expect(toTexts(await open(LONG_AGO).untilEntries(2))).toEqual(['0', '3']);
    expect(stream.entries().map(({ room }) => room)).toEqual(['c_1/team', 'c_1/team']);
    expect(grown[name]).toBe(1);
  });

  // The service keeps the newest 100 messages of all channels of a subscriber.
  test.each([
    ['99, one of them of the log, is complete', [channel, ...repeat(98, ROOM)], 98, 1],
    ['100, one of them of the log, may be incomplete', [...repeat(99, ROOM), channel], 99, 2],
    ['100, most of them of the log, may be incomplete', [ROOM, ...repeat(99, channel)], 1, 2],
  ])('a batch of %s', async (_title, channels, entries, opened) => {
    engine.endpoint.faults.break('poll', batch(channels), 1);
    await open(LONG_AGO).until((all) => all.filter(({ type }) => type === 'beat').length === 2);
    expect(stream.entries()).toHaveLength(entries);
    expect(findOpened()).toHaveLength(opened);
    expect(toKinds().lastIndexOf('opened')).toBeLessThan(toKinds().indexOf('entries'));
  });

  test('a batch of 100 is complete near its own beginning, whatever the owners of its messages', async () => {
    engine.endpoint.faults.break('poll', batch([...repeat(50, channel), ...repeat(50, ROOM)]), 1);
    await open(LONG_AGO).untilEntries(50);
    const after = findOpened().at(-1)!;
    expect(after > place(0)).toBe(true);
    expect(after < place(20)).toBe(true);
  });

  test('a batch of 100 entries of the log alone leaves a gap before it', async () => {
    engine.endpoint.faults.break('poll', batch(repeat(100, channel)), 1);
    await open(LONG_AGO).until(() => findOpened().length === 2);
    expect(findOpened().at(-1)! > LONG_AGO).toBe(true);
    expect(findOpened().at(-1)! <= place(99)).toBe(true);
    expect(toKinds()).not.toContain('entries');
  });

  test('an overflow by the log leaves a gap in the rooms', async () => {
    const cursor = write(ROOM, 'known');
    write(ROOM, 'pushed out');
    for (const text of countUp(120)) write(channel, text);
    await open(cursor).until(() => findOpened().length === 2);
    const page = mustGet(
      await realtime.readHistory({ room: 'c_1/team', count: 25, after: cursor }, never),
    );
    expect(toTexts(page.entries)).toEqual(['pushed out']);
    expect(stream.entries()).toEqual([]);
  });

  test('a reported entry is not delivered again after a quiet poll', async () => {
    await restart({ pollMs: 300 });
    await open().untilBeat();
    const last = write(channel, 'own');
    await expect.poll(() => grown[name]).toBe(1);
    await stream.until((all) => all.some((one) => one.type === 'beat' && one.cursor === last));
    const beats = (): number => toKinds().filter((kind) => kind === 'beat').length;
    const before = beats();
    await stream.until(() => beats() > before + 1);
    expect(grown[name]).toBe(1);
  });
});

test("another user's log is not in the stream", async () => {
  await open().untilBeat();
  write('own.u_2', 'theirs');
  write(ROOM, 'hello');
  expect(toTexts(await stream.untilEntries(1))).toEqual(['hello']);
  expect(grown).toEqual({ own: 0, staff: 0 });
  expect(engine.endpoint.asked.map(({ url }) => url).join()).not.toContain('own.u_2');
});

test('a colleague’s entry in the staff log is reported', async () => {
  await open().untilBeat();
  mustGet(await engine.connect('u_2').staff.publish('id_1', PAYLOAD, never));
  await expect.poll(() => grown).toEqual({ own: 0, staff: 1 });
});

test('a batch of both logs reports each of them once', async () => {
  const { own, staff } = CHANNELS;
  engine.endpoint.faults.break('poll', batch([staff, own, ROOM, own, staff]), 1);
  expect(toTexts(await open(LONG_AGO).untilEntries(1))).toEqual(['2']);
  expect(grown).toEqual({ own: 1, staff: 1 });
});

test('a user without clients subscribes only to the logs', async () => {
  await restart({ clientIds: [] });
  await open().untilBeat();
  write(CHANNELS.own, 'own');
  await expect.poll(() => grown).toEqual({ own: 1, staff: 0 });
  write(CHANNELS.staff, 'staff');
  await expect.poll(() => grown).toEqual({ own: 1, staff: 1 });
  expect(stream.signals[0]).toMatchObject({ type: 'opened', rooms: [] });
  expect(toKinds()).toEqual(['opened', 'beat']);
});

test('a user without a user log has the rooms and the staff log', async () => {
  connect('u.1');
  await open().untilBeat();
  write(CHANNELS.staff, 'staff');
  await expect.poll(() => grown).toEqual({ own: 0, staff: 1 });
  write(ROOM, 'hello');
  expect(toTexts(await stream.untilEntries(1))).toEqual(['hello']);
  expect(engine.endpoint.asked.map(({ url }) => url).join()).not.toContain('own.');
});
