import { expect } from 'vitest';

import { MESSAGE_BYTES_MAX } from '#domain/limits.ts';
import type { LogPage, MarkLog, PageQuery } from '#domain/ports/network.ts';
import type { MarkEntry, MarkLogName, MarkPayload } from '#domain/schemas/mark-log.ts';
import { isTimetoken, type Timetoken } from '#domain/timetoken.ts';
import { recordSignals, type SignalRecorder } from '#tests/support/signal-recorder.ts';
import { v7 } from 'uuid';

import {
  type Case,
  type Harness,
  isRising,
  mustGet,
  never,
  toPayload,
  toTimetokens,
} from '../realtime-harness.ts';

/** One log of the first staff member, on two devices, and the log of another one. */
interface Logs {
  readonly mine: MarkLog;
  readonly second: MarkLog;
  readonly other: MarkLog;
}

type MarkCase = (harness: Harness, logs: Logs) => Promise<void>;

const ENVELOPE_BYTES = JSON.stringify({ id: v7(), payload: 0 }).length - 1;

/** A payload that is different for each number. */
const toMark = ({ room }: Harness, n: number): MarkPayload => ({ v: 1, marks: { [room]: n } });

const publish = async (log: MarkLog, payload: MarkPayload, id = v7()): Promise<Timetoken> =>
  mustGet(await log.publish(id, payload, never));

const read = async (log: MarkLog, query: PageQuery): Promise<LogPage<MarkEntry>> =>
  mustGet(await log.read(query, never));

/** Publishes `count` entries. Cases share the logs: each reads after its first entry only. */
const publishMany = async (harness: Harness, { mine }: Logs, count: number) => {
  const after = await publish(mine, toMark(harness, 0));
  const entries: MarkEntry[] = [];
  for (let n = 1; n <= count; n += 1) {
    const payload = toMark(harness, n);
    entries.push({ timetoken: await publish(mine, payload), payload });
  }
  return { after, entries };
};

/** Delivered entries of the case's room. */
const findInRoom = (harness: Harness, stream: SignalRecorder) =>
  stream.entries().filter(({ room }) => room === harness.room);

const untilWoken = (log: MarkLog): Promise<void> =>
  new Promise((resolve) => {
    const stop = log.watch(() => {
      stop();
      resolve();
    });
  });

/** Opens the streams of the user's second device and of another user while `run` runs. */
const besideStreams = async (
  { engine, realtime, room }: Harness,
  run: (streams: readonly SignalRecorder[]) => Promise<void>,
): Promise<void> => {
  const now = mustGet(await realtime.publish(room, toPayload('before'), never));
  const streams = [engine.second, engine.other].map((one) => recordSignals(one.realtime, now));
  for (const stream of streams) await stream.untilBeat();
  await run(streams);
  for (const stream of streams) stream.stop();
};

/** Waits for a message in both streams that is later than everything published before. */
const passBarrier = async (harness: Harness, streams: readonly SignalRecorder[]): Promise<void> => {
  mustGet(await harness.realtime.publish(harness.room, toPayload('a barrier'), never));
  for (const stream of streams) await stream.until(() => findInRoom(harness, stream).length > 0);
};

/** Cases for both the log of one user and the log of all staff. */
const BOTH: Readonly<Record<string, MarkCase>> = {
  'returns the published entries on every device of the user': async (harness, logs) => {
    const { after, entries } = await publishMany(harness, logs, 3);
    const timetokens = entries.map(({ timetoken }) => timetoken);
    expect(isTimetoken(after)).toBe(true);
    expect(isRising([after, ...timetokens])).toBe(true);
    for (const log of [logs.mine, logs.second]) {
      expect(await read(log, { count: 100, after })).toEqual({ entries, full: false });
    }
  },
  'pages in both directions between its bounds, oldest first': async (harness, logs) => {
    const { after, entries } = await publishMany(harness, logs, 6);
    const { mine } = logs;
    const before = entries[4]?.timetoken;
    expect(await read(mine, { count: 2 })).toEqual({ entries: entries.slice(4), full: true });
    expect(await read(mine, { count: 2, before })).toEqual({
      entries: entries.slice(2, 4),
      full: true,
    });
    expect(await read(mine, { count: 100, after, before })).toEqual({
      entries: entries.slice(0, 4),
      full: false,
    });
    const last = entries.at(-1)?.timetoken;
    expect(await read(mine, { count: 100, after: last })).toEqual({ entries: [], full: false });
  },
  // An engine may send the payload in an envelope with its id, which then counts as well.
  'carries the largest entry and refuses a larger one': async (harness, logs) => {
    const { after } = await publishMany(harness, logs, 0);
    const empty = JSON.stringify({ ...toMark(harness, 1), pad: '' }).length;
    const pad = 'x'.repeat(MESSAGE_BYTES_MAX - ENVELOPE_BYTES - empty);
    const largest = { ...toMark(harness, 1), pad };
    await publish(logs.mine, largest);
    const over = { ...toMark(harness, 2), pad: `${pad}${'x'.repeat(ENVELOPE_BYTES + 1)}` };
    const refused = await logs.mine.publish(v7(), over, never);
    expect(refused).toMatchObject({ error: { kind: 'too-large', limit: MESSAGE_BYTES_MAX } });
    const { entries } = await read(logs.mine, { count: 100, after });
    expect(entries.map(({ payload }) => payload)).toEqual([largest]);
  },
  'stores a repeat once if the engine is idempotent': async (harness, logs) => {
    const { after } = await publishMany(harness, logs, 0);
    const id = v7();
    const first = await publish(logs.mine, toMark(harness, 1), id);
    const again = await publish(logs.second, toMark(harness, 1), id);
    const { idempotent } = harness.realtime;
    expect(again === first).toBe(idempotent);
    const { entries } = await read(logs.mine, { count: 100, after });
    expect(entries).toHaveLength(idempotent ? 1 : 2);
  },
  'sends nothing once cancelled': async (harness, logs) => {
    const { after } = await publishMany(harness, logs, 0);
    const cancelled = AbortSignal.abort();
    expect((await logs.mine.publish(v7(), toMark(harness, 1), cancelled)).ok).toBe(false);
    expect((await read(logs.mine, { count: 100, after })).entries).toEqual([]);
  },
  'delivers messages as if the log did not grow': async (harness, { mine }) => {
    const stream = recordSignals(harness.realtime);
    await stream.untilBeat();
    const published: Timetoken[] = [];
    for (let n = 0; n < 5; n += 1) {
      await publish(mine, toMark(harness, n));
      published.push(await harness.publish(`message ${n}`));
      await publish(mine, toMark(harness, n));
    }
    await stream.until(() => findInRoom(harness, stream).length === published.length);
    expect(toTimetokens(findInRoom(harness, stream))).toEqual(published);
    expect(stream.signals.some(({ type }) => type === 'ended')).toBe(false);
    stream.stop();
  },
};

const toCases = (name: MarkLogName, cases: Readonly<Record<string, MarkCase>>) =>
  Object.fromEntries(
    Object.entries({ ...BOTH, ...cases }).map(([title, run]): [string, Case] => [
      title,
      (harness) => {
        const { second, other } = harness.engine;
        return run(harness, {
          mine: harness.realtime[name],
          second: second.realtime[name],
          other: other.realtime[name],
        });
      },
    ]),
  );

export const OWN_CASES = toCases('own', {
  'shows nobody the log of another user': async (harness, logs) => {
    const { after, entries } = await publishMany(harness, logs, 1);
    const theirs = toMark(harness, 2);
    const timetoken = await publish(logs.other, theirs);
    expect((await read(logs.mine, { count: 100, after })).entries).toEqual(entries);
    const [last] = (await read(logs.other, { count: 1 })).entries;
    expect(last).toEqual({ timetoken, payload: theirs });
  },
  'wakes the other device of the user, and no other user': (harness, { mine, second, other }) =>
    besideStreams(harness, async (streams) => {
      let foreign = 0;
      const stop = other.watch(() => (foreign += 1));
      const woken = untilWoken(second);
      await publish(mine, toMark(harness, 1));
      await woken;
      await passBarrier(harness, streams);
      expect(foreign).toBe(0);
      stop();
    }),
});

export const STAFF_CASES = toCases('staff', {
  'shows all staff the same entries, of any author': async (harness, logs) => {
    const { after, entries } = await publishMany(harness, logs, 1);
    const payload = toMark(harness, 2);
    const timetoken = await publish(logs.other, payload);
    for (const log of [logs.mine, logs.second, logs.other]) {
      expect((await read(log, { count: 100, after })).entries).toEqual([
        ...entries,
        { timetoken, payload },
      ]);
    }
  },
  'stores a repeat of another user once if the engine is idempotent': async (harness, logs) => {
    const { after } = await publishMany(harness, logs, 0);
    const id = v7();
    const first = await publish(logs.mine, toMark(harness, 1), id);
    const again = await publish(logs.other, toMark(harness, 1), id);
    const { idempotent } = harness.realtime;
    expect(again === first).toBe(idempotent);
    const { entries } = await read(logs.mine, { count: 100, after });
    expect(entries).toHaveLength(idempotent ? 1 : 2);
  },
  'wakes the other device of the user, and every other user': (harness, { mine, second, other }) =>
    besideStreams(harness, async () => {
      const woken = Promise.all([untilWoken(second), untilWoken(other)]);
      const payload = toMark(harness, 1);
      await publish(mine, payload);
      await woken;
      expect((await read(other, { count: 1 })).entries).toMatchObject([{ payload }]);
    }),
  'is separate from the user logs': async (harness, logs) => {
    const { own } = harness.realtime;
    const { after } = await publishMany(harness, logs, 0);
    const id = v7();
    const mark = await publish(logs.mine, toMark(harness, 1), id);
    await publish(own, toMark(harness, 2), id);
    const [last] = (await read(own, { count: 1 })).entries;
    expect(last?.payload).toEqual(toMark(harness, 2));
    expect((await read(logs.mine, { count: 100, after })).entries).toEqual([
      { timetoken: mark, payload: toMark(harness, 1) },
    ]);
  },
  'is watched separately from the user log': (harness, { mine, second }) =>
    besideStreams(harness, async (streams) => {
      const { realtime } = harness.engine.second;
      let own = 0;
      let staff = 0;
      const stops = [realtime.own.watch(() => (own += 1)), second.watch(() => (staff += 1))];
      const woken = untilWoken(second);
      await publish(mine, toMark(harness, 1));
      await woken;
      const ownWoken = untilWoken(realtime.own);
      await publish(harness.realtime.own, toMark(harness, 2));
      await ownWoken;
      await passBarrier(harness, streams);
      expect({ own, staff }).toEqual({ own: 1, staff: 1 });
      for (const stop of stops) stop();
    }),
});
