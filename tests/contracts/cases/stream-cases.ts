import { expect } from 'vitest';

import type { StreamSignal } from '#domain/ports/network.ts';
import type { LogEntry } from '#domain/schemas/message.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { recordSignals } from '#tests/support/signal-recorder.ts';

import {
  type Case,
  countUp,
  type Desk,
  isRising,
  mustGet,
  never,
  toPayload,
  toTexts,
  toTimetokens,
  UNICODE,
} from '../realtime-desk.ts';

/** Entries of the case's own rooms: other cases may publish concurrently. */
const toOwn = (desk: Desk, entries: readonly LogEntry[]): readonly LogEntry[] =>
  entries.filter(({ room }) => desk.rooms.includes(room));

/** A full batch may also have lost entries. */
const saysLoss = (signal: StreamSignal): boolean =>
  signal.type === 'opened' || (signal.type === 'entries' && signal.entries.length === 100);

/** The room's log after a position, read page by page. */
const readBack = async (desk: Desk, after: Timetoken): Promise<readonly LogEntry[]> => {
  const read: LogEntry[] = [];
  for (let full = true; full;) {
    const before = read[0]?.timetoken;
    const page = await desk.history(100, { after, ...(before && { before }) });
    read.unshift(...page.entries);
    full = page.full;
  }
  return read;
};

export const STREAM_CASES: Readonly<Record<string, Case>> = {
  'without a cursor starts now, or where the histories may begin to lack messages': async (
    desk,
  ) => {
    await desk.publish('before');
    const stream = recordSignals(desk.realtime);
    await stream.untilBeat();
    await desk.publish('after');
    const toOwnTexts = () => toTexts(toOwn(desk, stream.entries()));
    await stream.until(() => toOwnTexts().includes('after'));
    expect(desk.realtime.complete ? [['after']] : [['after'], ['before', 'after']]).toContainEqual(
      toOwnTexts(),
    );
    stream.stop();
  },
  'from a cursor delivers missed entries, then live ones': async (desk) => {
    const cursor = await desk.publish('known');
    await desk.publishAll(countUp(5));
    const stream = recordSignals(desk.realtime, cursor);
    await stream.untilBeat();
    expect(toTexts(await stream.untilEntries(5))).toEqual(countUp(5));
    await desk.publish('live');
    expect(toTexts(await stream.untilEntries(6))).toEqual([...countUp(5), 'live']);
    stream.stop();
  },
  'never claims to have delivered entries that it has not': async (desk) => {
    const cursor = await desk.publish('known');
    const missed = await desk.publishAll(countUp(5));
    const stream = recordSignals(desk.realtime, cursor);
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
  'resumes where it ended, without gaps or repeats': async (desk) => {
    const first = recordSignals(desk.realtime, await desk.publish('known'));
    await first.untilBeat();
    await desk.publishAll(['one', 'two']);
    await first.untilEntries(2);
    first.stop();
    await desk.publishAll(['three', 'four'], desk.rooms[2]);
    const second = recordSignals(desk.realtime, first.entries().at(-1)!.timetoken);
    await second.untilEntries(2);
    await desk.publish('five');
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
  'resumes from a beat as well as from an entry': async (desk) => {
    const first = recordSignals(desk.realtime, await desk.publish('known'));
    const cursor = await first.untilBeat();
    first.stop();
    await desk.publish('missed');
    const second = recordSignals(desk.realtime, cursor);
    expect(toTexts(await second.untilEntries(1))).toEqual(['missed']);
    second.stop();
  },
  'delivers the same entries to two readers of one cursor': async (desk) => {
    const cursor = await desk.publish('known');
    const streams = [desk.realtime, desk.engine.other.realtime, desk.realtime].map((realtime) =>
      recordSignals(realtime, cursor),
    );
    await desk.publishAll(countUp(7));
    const [a, b, c] = await Promise.all(streams.map((stream) => stream.untilEntries(7)));
    expect(b).toEqual(a);
    expect(c).toEqual(a);
    expect((await desk.history(7)).entries).toEqual(a);
    for (const stream of streams) stream.stop();
  },
  'after a long absence reports every omission, and delivers at most 100 at a time': async (
    desk,
  ) => {
    const cursor = await desk.publish('known');
    const timetokens = await desk.publishCrowd(countUp(350));
    const newest = timetokens.toSorted().at(-1)!;
    const stream = recordSignals(desk.realtime, cursor);
    await stream.until(() => stream.entries().at(-1)?.timetoken === newest);
    const sizes = stream.signals.map((signal) =>
      signal.type === 'entries' ? signal.entries.length : 0,
    );
    expect(Math.max(...sizes)).toBeLessThanOrEqual(100);
    const delivered = toTimetokens(stream.entries());
    expect(isRising(delivered)).toBe(true);
    const isWhole = delivered.length === 350;
    if (!isWhole) await stream.until((signals) => signals.some(saysLoss));
    const read = await readBack(desk, cursor);
    expect(toTimetokens(read)).toEqual(timetokens.toSorted());
    expect(toTimetokens(read).slice(-delivered.length)).toEqual(delivered);
    stream.stop();
  },
  'reports its start position exactly if it may leave something out': async (desk) => {
    const cursor = await desk.publish('known');
    const { complete } = desk.realtime;
    const stream = recordSignals(desk.realtime, cursor);
    await stream.untilBeat();
    expect(stream.signals.some(({ type }) => type === 'opened')).toBe(!complete);
    stream.stop();
  },
  "delivers every room of the user, including the user's own messages": async (desk) => {
    const stream = recordSignals(desk.realtime, await desk.publish('known'));
    await stream.untilBeat();
    for (const room of desk.rooms) await desk.publish(room, room);
    const theirs = toPayload('theirs');
    mustGet(await desk.engine.other.realtime.publish(desk.room, theirs, never));
    const entries = toOwn(desk, await stream.untilEntries(4));
    expect(entries.map(({ room }) => room)).toEqual([...desk.rooms, desk.room]);
    expect(entries.at(-1)?.publisher).toBe(desk.engine.other.uid);
    stream.stop();
  },
  'carries large messages and every character unchanged': async (desk) => {
    const stream = recordSignals(desk.realtime, await desk.publish('known'));
    await stream.untilBeat();
    const texts = [...UNICODE, '💬'.repeat(8000)];
    await desk.publishAll(texts);
    expect(toTexts(await stream.untilEntries(texts.length))).toEqual(texts);
    stream.stop();
  },
  'reports nothing once unsubscribed': async (desk) => {
    const stopped = recordSignals(desk.realtime);
    const witness = recordSignals(desk.realtime);
    await Promise.all([stopped.untilBeat(), witness.untilBeat()]);
    stopped.stop();
    stopped.stop();
    const seen = stopped.signals.length;
    await desk.publish('unheard');
    await witness.untilEntries(1);
    expect(stopped.signals).toHaveLength(seen);
    witness.stop();
  },
};
