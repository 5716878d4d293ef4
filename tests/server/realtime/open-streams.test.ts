import { expect, test } from 'vitest';

import { createOpenStreams } from '#server/realtime/open-streams.ts';
import type { Bearer } from '#server/realtime/token.ts';

const PER_SESSION = 16;
const MINUTE_MS = 60_000;

const by = 'embedded accounts';
const toBearer = (sid: string, uid = 'u'): Bearer => ({
  kind: 'staff',
  uid,
  sid,
  by,
  expires: Infinity,
});
const toEnds = (end: () => void = () => undefined) => ({ end, notify: () => undefined });

test('abandoned streams do not lock their browser out', () => {
  let at = 0;
  const streams = createOpenStreams(() => at);
  const ended: number[] = [];
  const open = (n: number): boolean => {
    const admitted = streams.admit(toBearer('tunnel'));
    if (admitted.ok)
      streams.add(
        toBearer('tunnel'),
        toEnds(() => ended.push(n)),
      );
    return admitted.ok;
  };
  for (let n = 0; n < PER_SESSION; n += 1) expect(open(n)).toBe(true);
  at = MINUTE_MS - 1;
  expect(open(100)).toBe(false);
  expect(streams.admit(toBearer('tunnel'))).toMatchObject({ ok: false, error: { status: 429 } });
  at = MINUTE_MS;
  expect(open(101)).toBe(true);
  expect(ended).toEqual([0]);
  expect(streams.count()).toBe(PER_SESSION);
});

test('an abandoned stream gives its place to a new one at the limit of a person, too', () => {
  let at = 0;
  const streams = createOpenStreams(() => at);
  for (const sid of ['a', 'b', 'c', 'd']) {
    for (let n = 0; n < PER_SESSION; n += 1) streams.add(toBearer(sid), toEnds());
  }
  expect(streams.admit(toBearer('e'))).toMatchObject({ ok: false, error: { status: 429 } });
  at = MINUTE_MS;
  expect(streams.admit(toBearer('a')).ok).toBe(true);
});

test('an ended stream frees its slot, once', () => {
  const streams = createOpenStreams(() => 0);
  const forget = Array.from({ length: PER_SESSION }, () => streams.add(toBearer('a'), toEnds()));
  expect(streams.admit(toBearer('a')).ok).toBe(false);
  forget[3]?.();
  forget[3]?.();
  expect(streams.admit(toBearer('a')).ok).toBe(true);
  expect(streams.count()).toBe(PER_SESSION - 1);
});

test('staff streams report entries of the staff log, a client of the same name gets none', () => {
  const streams = createOpenStreams(() => 0);
  const notified: string[] = [];
  const add = (bearer: Bearer, name: string): (() => void) =>
    streams.add(bearer, { end: () => undefined, notify: () => void notified.push(name) });
  const expires = Infinity;
  add({ kind: 'client', clientId: 'c_1', expires }, 'the client');
  add(toBearer('a', 'client:c_1'), 'a namesake');
  add(toBearer('b', 'u_1'), 'one');
  add(toBearer('c', 'u_1'), 'another device');
  const forget = add(toBearer('d', 'u_2'), 'one that ended');
  forget();
  streams.notifyStaff(Buffer.from('frame'));
  expect(notified).toEqual(['a namesake', 'one', 'another device']);
});

test('the end of a session ends its streams and no others', () => {
  const streams = createOpenStreams(() => 0);
  const ended: string[] = [];
  for (const sid of ['a', 'b', 'a'])
    streams.add(
      toBearer(sid),
      toEnds(() => ended.push(sid)),
    );
  streams.endSession('a');
  expect(ended).toEqual(['a', 'a']);
});
