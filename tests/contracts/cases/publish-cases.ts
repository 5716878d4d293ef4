import { expect } from 'vitest';

import { MESSAGE_BYTES_MAX } from '#domain/limits.ts';
import { isTimetoken } from '#domain/timetoken.ts';

import {
  type Case,
  countShown,
  countUp,
  isRising,
  mustGet,
  never,
  toPayload,
  toTexts,
  toTimetokens,
  UNICODE,
} from '../realtime-harness.ts';

export const PUBLISH_CASES: Readonly<Record<string, Case>> = {
  'returns a timetoken of 17 digits': async (harness) => {
    const timetoken = await harness.publish('one');
    expect(isTimetoken(timetoken)).toBe(true);
  },
  'keeps the order of one publisher': async (harness) => {
    const timetokens = await harness.publishAll(countUp(20));
    expect(isRising(timetokens)).toBe(true);
    const { entries } = await harness.history(100);
    expect(toTexts(entries)).toEqual(countUp(20));
    expect(toTimetokens(entries)).toEqual(timetokens);
  },
  'gives each of many concurrent messages a separate timetoken': async (harness) => {
    const timetokens = await Promise.all(countUp(50).map((text) => harness.publish(text)));
    expect(new Set(timetokens).size).toBe(50);
    const { entries } = await harness.history(100);
    expect(isRising(toTimetokens(entries))).toBe(true);
    expect(toTexts(entries).toSorted()).toEqual([...countUp(50)].toSorted());
  },
  'stores a repeat once if the engine is idempotent, else twice under the same id': async (
    harness,
  ) => {
    const payload = toPayload('once');
    const first = mustGet(await harness.realtime.publish(harness.room, payload, never));
    await harness.publish('between');
    const again = mustGet(await harness.realtime.publish(harness.room, payload, never));
    const { idempotent } = harness.realtime;
    expect(again === first).toBe(idempotent);
    const { entries } = await harness.history(10);
    expect(toTexts(entries)).toEqual(['once', 'between', ...(idempotent ? [] : ['once'])]);
    expect(countShown(entries)).toBe(2);
  },
  'stores an id that races itself once if the engine is idempotent': async (harness) => {
    const payload = toPayload('raced');
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => harness.realtime.publish(harness.room, payload, never)),
    );
    const { entries } = await harness.history(10);
    expect(entries).toHaveLength(harness.realtime.idempotent ? 1 : 8);
    expect(new Set(answers.map(mustGet))).toEqual(new Set(toTimetokens(entries)));
    expect(countShown(entries)).toBe(1);
  },
  'lets nobody suppress a message of another publisher by its id': async (harness) => {
    const payload = toPayload('mine');
    const { other } = harness.engine;
    mustGet(await other.realtime.publish(harness.room, { ...payload, text: 'theirs' }, never));
    mustGet(await harness.realtime.publish(harness.room, payload, never));
    expect(toTexts((await harness.history(10)).entries)).toEqual(['theirs', 'mine']);
  },
  'states the publisher itself': async (harness) => {
    const { staff, other } = harness.engine;
    const forged = { ...toPayload('forged'), publisher: other.uid };
    mustGet(await harness.realtime.publish(harness.room, forged, never));
    mustGet(await other.realtime.publish(harness.room, toPayload('honest'), never));
    const { entries } = await harness.history(10);
    expect(entries.map(({ publisher }) => publisher)).toEqual([staff.uid, other.uid]);
  },
  'carries every field and every character unchanged': async (harness) => {
    const payloads = UNICODE.map((text) =>
      Object.assign(toPayload(text), { extra: { kept: [1, null, text] } }),
    );
    for (const payload of payloads) {
      mustGet(await harness.realtime.publish(harness.room, payload, never));
    }
    const { entries } = await harness.history(100);
    expect(entries.map(({ message }) => message)).toEqual(payloads);
  },
  'accepts the largest message and refuses one byte more': async (harness) => {
    const empty = new TextEncoder().encode(JSON.stringify(toPayload(''))).length;
    const largest = 'é'.repeat(Math.floor((MESSAGE_BYTES_MAX - empty) / 2));
    const rest = MESSAGE_BYTES_MAX - empty - 2 * largest.length;
    await harness.publish(largest + 'x'.repeat(rest));
    const over = toPayload(`${largest}${'x'.repeat(rest + 1)}`);
    const refused = await harness.realtime.publish(harness.room, over, never);
    expect(refused).toEqual({
      ok: false,
      error: { kind: 'too-large', bytes: MESSAGE_BYTES_MAX + 1, limit: MESSAGE_BYTES_MAX },
    });
    expect((await harness.history(10)).entries).toHaveLength(1);
  },
  'sends nothing once cancelled': async (harness) => {
    const cancelled = AbortSignal.abort();
    const answer = await harness.realtime.publish(harness.room, toPayload('no'), cancelled);
    expect(answer.ok).toBe(false);
    expect((await harness.history(10)).entries).toEqual([]);
  },
  'continues with a new token after renewToken': async (harness) => {
    await harness.publish('one');
    harness.realtime.renewToken();
    await harness.publish('two');
    expect(toTexts((await harness.history(10)).entries)).toEqual(['one', 'two']);
  },
};
