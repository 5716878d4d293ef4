import { expect } from 'vitest';

import { MESSAGE_BYTES_MAX } from '#domain/limits.ts';
import type { MarkPage, Realtime } from '#domain/ports/network.ts';
import type { MarkPayload } from '#domain/schemas/mark-log.ts';
import { OWN_LOG_VERSION } from '#domain/schemas/own-log.ts';
import { isTimetoken, type Timetoken } from '#domain/timetoken.ts';
import { recordSignals, type SignalRecorder } from '#tests/support/signal-recorder.ts';
import { v7 } from 'uuid';

import {
  type Case,
  type Desk,
  isRising,
  mustGet,
  never,
  toPayload,
  toTimetokens,
} from '../realtime-desk.ts';

const ENVELOPE_BYTES = JSON.stringify({ id: v7(), payload: 0 }).length - 1;

/** A payload that can be told from others. */
const toOwn = (desk: Desk, ticks: number): MarkPayload => ({
  v: OWN_LOG_VERSION,
  reads: { [desk.room]: `${ticks}`.padStart(17, '0') as Timetoken },
});

const publish = async ({ own }: Realtime, payload: MarkPayload, id = v7()): Promise<Timetoken> =>
  mustGet(await own.publish(id, payload, never));

type Query = Parameters<Realtime['own']['read']>[0];
const read = async ({ own }: Realtime, query: Query): Promise<MarkPage> =>
  mustGet(await own.read(query, never));

/** Publishes that many entries. Cases share the logs: each reads after its first entry only. */
const publishMany = async (desk: Desk, count: number) => {
  const after = await publish(desk.realtime, toOwn(desk, 0));
  const entries: { readonly timetoken: Timetoken; readonly payload: MarkPayload }[] = [];
  for (let n = 1; n <= count; n += 1) {
    const payload = toOwn(desk, n);
    entries.push({ timetoken: await publish(desk.realtime, payload), payload });
  }
  return { after, entries };
};

/** Delivered entries of the case's room. */
const findInRoom = (desk: Desk, stream: SignalRecorder) =>
  stream.entries().filter(({ room }) => room === desk.room);

const untilWoken = ({ own }: Realtime): Promise<void> =>
  new Promise((resolve) => {
    const stop = own.watch(() => {
      stop();
      resolve();
    });
  });

export const OWN_CASES: Readonly<Record<string, Case>> = {
  'reads back what was published, on every device of the user': async (desk) => {
    const { after, entries } = await publishMany(desk, 3);
    const timetokens = entries.map(({ timetoken }) => timetoken);
    expect(isTimetoken(after)).toBe(true);
    expect(isRising([after, ...timetokens])).toBe(true);
    for (const realtime of [desk.realtime, desk.engine.second.realtime]) {
      expect(await read(realtime, { count: 100, after })).toEqual({ entries, full: false });
    }
  },
  'pages in both directions between its bounds, oldest first': async (desk) => {
    const { after, entries } = await publishMany(desk, 6);
    const { realtime } = desk;
    const before = entries[4]?.timetoken;
    expect(await read(realtime, { count: 2 })).toEqual({ entries: entries.slice(4), full: true });
    expect(await read(realtime, { count: 2, before })).toEqual({
      entries: entries.slice(2, 4),
      full: true,
    });
    expect(await read(realtime, { count: 100, after, before })).toEqual({
      entries: entries.slice(0, 4),
      full: false,
    });
    const last = entries.at(-1)?.timetoken;
    expect(await read(realtime, { count: 100, after: last })).toEqual({ entries: [], full: false });
  },
  // An engine may send the payload in an envelope with its id, which then counts, too.
  'carries the largest entry and refuses a larger one': async (desk) => {
    const { after } = await publishMany(desk, 0);
    const empty = JSON.stringify({ ...toOwn(desk, 1), pad: '' }).length;
    const pad = 'x'.repeat(MESSAGE_BYTES_MAX - ENVELOPE_BYTES - empty);
    const largest = Object.assign(toOwn(desk, 1), { pad });
    await publish(desk.realtime, largest);
    const over = Object.assign(toOwn(desk, 2), { pad: `${pad}${'x'.repeat(ENVELOPE_BYTES + 1)}` });
    const refused = await desk.realtime.own.publish(v7(), over, never);
    expect(refused).toMatchObject({ error: { kind: 'too-large', limit: MESSAGE_BYTES_MAX } });
    const { entries } = await read(desk.realtime, { count: 100, after });
    expect(entries.map(({ payload }) => payload)).toEqual([largest]);
  },
  'stores a repeat once where it says so': async (desk) => {
    const { after } = await publishMany(desk, 0);
    const id = v7();
    const first = await publish(desk.realtime, toOwn(desk, 1), id);
    const again = await publish(desk.engine.second.realtime, toOwn(desk, 1), id);
    const { idempotent } = desk.realtime;
    expect(again === first).toBe(idempotent);
    const { entries } = await read(desk.realtime, { count: 100, after });
    expect(entries).toHaveLength(idempotent ? 1 : 2);
  },
  'sends nothing once cancelled': async (desk) => {
    const { after } = await publishMany(desk, 0);
    const cancelled = AbortSignal.abort();
    expect((await desk.realtime.own.publish(v7(), toOwn(desk, 1), cancelled)).ok).toBe(false);
    expect((await read(desk.realtime, { count: 100, after })).entries).toEqual([]);
  },
  'shows nobody the log of another user': async (desk) => {
    const other = desk.engine.other.realtime;
    const { after, entries } = await publishMany(desk, 1);
    const theirs = toOwn(desk, 2);
    const timetoken = await publish(other, theirs);
    expect((await read(desk.realtime, { count: 100, after })).entries).toEqual(entries);
    const [last] = (await read(other, { count: 1 })).entries;
    expect(last).toEqual({ timetoken, payload: theirs });
  },
  'wakes the other device of the user, and no other user': async (desk) => {
    const { second, other } = desk.engine;
    const streams = [second, other].map(({ realtime }) => recordSignals(realtime));
    for (const stream of streams) await stream.untilBeat();
    let foreign = 0;
    const stop = other.realtime.own.watch(() => (foreign += 1));
    const woken = untilWoken(second.realtime);
    await publish(desk.realtime, toOwn(desk, 1));
    await woken;
    // A message to both, later than whatever the entry caused.
    mustGet(await desk.realtime.publish(desk.room, toPayload('a barrier'), never));
    for (const stream of streams) await stream.until(() => findInRoom(desk, stream).length > 0);
    expect(foreign).toBe(0);
    stop();
    for (const stream of streams) stream.stop();
  },
  'delivers messages as if the own log did not grow': async (desk) => {
    const stream = recordSignals(desk.realtime);
    await stream.untilBeat();
    const published: Timetoken[] = [];
    for (let n = 0; n < 5; n += 1) {
      await publish(desk.realtime, toOwn(desk, n));
      published.push(await desk.publish(`message ${n}`));
      await publish(desk.realtime, toOwn(desk, n));
    }
    await stream.until(() => findInRoom(desk, stream).length === published.length);
    expect(toTimetokens(findInRoom(desk, stream))).toEqual(published);
    expect(stream.signals.some(({ type }) => type === 'ended')).toBe(false);
    stream.stop();
  },
};
