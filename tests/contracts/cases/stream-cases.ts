import { expect } from 'vitest';

import type { StreamSignal } from '#domain/ports/network.ts';
import type { LogEntry } from '#domain/schemas/message.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { recordSignals } from '#tests/support/signal-recorder.ts';

import {
  type Case,
  countUp,
  type Harness,
  isRising,
  mustGet,
  never,
  toPayload,
  toTexts,
  toTimetokens,
  UNICODE,
} from '../realtime-harness.ts';

/** Entries of the case's own rooms: other cases may publish concurrently. */
const toOwn = (harness: Harness, entries: readonly LogEntry[]): readonly LogEntry[] =>
  entries.filter(({ room }) => harness.rooms.includes(room));

/** A full batch may also have lost entries. */
const saysLoss = (signal: StreamSignal): boolean =>
  signal.type === 'opened' || (signal.type === 'entries' && signal.entries.length === 100);

/** The room's log after a position, read page by page. */
const readBack = async (harness: Harness, after: Timetoken): Promise<readonly LogEntry[]> => {
  const read: LogEntry[] = [];
  for (let full = true; full;) {
    const before = read[0]?.timetoken;
    const page = await harness.history(100, { after, ...(before && { before }) });
    read.unshift(...page.entries);
    full = page.full;
  }
  return read;
};

export const STREAM_CASES: Readonly<Record<string, Case>> = {
  'without a cursor starts now, or where the histories may begin to lack messages': async (
    harness,
  ) => {
    await harness.publish('before');
    const stream = recordSignals(harness.realtime);
    await stream.untilBeat();
    await harness.publish('after');
    const toOwnTexts = () => toTexts(toOwn(harness, stream.entries()));
    await stream.until(() => toOwnTexts().includes('after'));
    expect(
      harness.realtime.complete ? [['after']] : [['after'], ['before', 'after']],
    ).toContainEqual(toOwnTexts());
    stream.stop();
  },
  'from a cursor delivers missed entries, then live ones': async (harness) => {
    const cursor = await harness.publish('known');
    await harness.publishAll(countUp(5));
    const stream = recordSignals(harness.realtime, cursor);
    await stream.untilBeat();
    expect(toTexts(await stream.untilEntries(5))).toEqual(countUp(5));
    await harness.publish('live');
    expect(toTexts(await stream.untilEntries(6))).toEqual([...countUp(5), 'live']);
    stream.stop();
  },
  'never claims to have delivered entries that it has not': async (harness) => {
    const cursor = await harness.publish('known');
    const missed = await harness.publishAll(countUp(5));
    const stream = recordSignals(harness.realtime, cursor);
    await stream.untilEntries(5);
    await stream.untilBeat();
    let delivered = 0;
    for (const signal of stream.signals) {
      if (signal.type === 'entries') delivered += signal.entries.length;
      if (signal.type !== 'beat') continue;
      expect(signal.cursor >= cursor).toBe(true);
      expect(missed.filter((timetoken) => timetoken <= signal.cursor)).toHaveLength(delivered);
    }
    stream.stop();
  },
  'resumes where it ended, without gaps or repeats': async (harness) => {
    const first = recordSignals(harness.realtime, await harness.publish('known'));
    await first.untilBeat();
    await harness.publishAll(['one', 'two']);
    await first.untilEntries(2);
    first.stop();
    await harness.publishAll(['three', 'four'], harness.rooms[2]);
    const second = recordSignals(harness.realtime, first.entries().at(-1)!.timetoken);
    await second.untilEntries(2);
    await harness.publish('five');
    await second.untilEntries(3);
    expect(toTexts([...first.entries(), ...second.entries()])).toEqual([
      'one',
      'two',
      'three',
      'four',
      'five',
    ]);
    second.stop();
  },
  'resumes from a beat as well as from an entry': async (harness) => {
    const first = recordSignals(harness.realtime, await harness.publish('known'));
    const cursor = await first.untilBeat();
    first.stop();
    await harness.publish('missed');
    const second = recordSignals(harness.realtime, cursor);
    expect(toTexts(await second.untilEntries(1))).toEqual(['missed']);
    second.stop();
  },
  'delivers the same entries to two readers of one cursor': async (harness) => {
    const cursor = await harness.publish('known');
    const streams = [harness.realtime, harness.engine.other.realtime, harness.realtime].map(
      (realtime) => recordSignals(realtime, cursor),
    );
    await harness.publishAll(countUp(7));
    const [a, b, c] = await Promise.all(streams.map((stream) => stream.untilEntries(7)));
    expect(b).toEqual(a);
    expect(c).toEqual(a);
    expect((await harness.history(7)).entries).toEqual(a);
    for (const stream of streams) stream.stop();
  },
  'after a long absence reports every omission, and delivers at most 100 at a time': async (
    harness,
  ) => {
    const cursor = await harness.publish('known');
    const timetokens = await harness.publishCrowd(countUp(350));
    const newest = timetokens.toSorted().at(-1)!;
    const stream = recordSignals(harness.realtime, cursor);
    await stream.until(() => stream.entries().at(-1)?.timetoken === newest);
    const sizes = stream.signals.map((signal) =>
      signal.type === 'entries' ? signal.entries.length : 0,
    );
    expect(Math.max(...sizes)).toBeLessThanOrEqual(100);
    const delivered = toTimetokens(stream.entries());
    expect(isRising(delivered)).toBe(true);
    const isWhole = delivered.length === 350;
    if (!isWhole) await stream.until((signals) => signals.some(saysLoss));
    const read = await readBack(harness, cursor);
    expect(toTimetokens(read)).toEqual(timetokens.toSorted());
    expect(toTimetokens(read).slice(-delivered.length)).toEqual(delivered);
    stream.stop();
  },
  'reports its start position exactly if it may leave something out': async (harness) => {
    const cursor = await harness.publish('known');
    const { complete } = harness.realtime;
    const stream = recordSignals(harness.realtime, cursor);
    await stream.untilBeat();
    expect(stream.signals.some(({ type }) => type === 'opened')).toBe(!complete);
    stream.stop();
  },
  "delivers every room of the user, including the user's own messages": async (harness) => {
    const stream = recordSignals(harness.realtime, await harness.publish('known'));
    await stream.untilBeat();
    for (const room of harness.rooms) await harness.publish(room, room);
    const theirs = toPayload('theirs');
    mustGet(await harness.engine.other.realtime.publish(harness.room, theirs, never));
    const entries = toOwn(harness, await stream.untilEntries(4));
    expect(entries.map(({ room }) => room)).toEqual([...harness.rooms, harness.room]);
    expect(entries.at(-1)?.publisher).toBe(harness.engine.other.uid);
    stream.stop();
  },
  'carries large messages and every character unchanged': async (harness) => {
    const stream = recordSignals(harness.realtime, await harness.publish('known'));
    await stream.untilBeat();
    const texts = [...UNICODE, '💬'.repeat(8000)];
    await harness.publishAll(texts);
    expect(toTexts(await stream.untilEntries(texts.length))).toEqual(texts);
    stream.stop();
  },
  'reports nothing once unsubscribed': async (harness) => {
    const stopped = recordSignals(harness.realtime);
    const witness = recordSignals(harness.realtime);
    await Promise.all([stopped.untilBeat(), witness.untilBeat()]);
    stopped.stop();
    stopped.stop();
    const seen = stopped.signals.length;
    await harness.publish('unheard');
    await witness.untilEntries(1);
    expect(stopped.signals).toHaveLength(seen);
    witness.stop();
  },
};
