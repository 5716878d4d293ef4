import { afterAll, beforeAll, expect, test } from 'vitest';

import { toRoomKey } from '#domain/rooms.ts';
import { recordSignals } from '#tests/support/signal-recorder.ts';

import { type RealEngine, startRealEngine } from '../real-engine.ts';
import { mustGet, never, toPayload, toTexts } from '../realtime-harness.ts';

let engine: RealEngine;
beforeAll(async () => {
  engine = await startRealEngine();
});
afterAll(() => engine.close());

test('signing out ends the stream and refuses every call', async () => {
  const room = toRoomKey('c_signed_out', 'team');
  const { realtime, session } = await engine.signIn('u_leaving');
  const stream = recordSignals(realtime);
  await stream.untilBeat();
  expect(await session.signOut(never)).toEqual({ ok: true, value: undefined });
  expect(await stream.untilEnded()).toEqual({ kind: 'unreachable' });
  const refused = { ok: false, error: { kind: 'unauthenticated' } };
  expect(await realtime.publish(room, toPayload('late'), never)).toEqual(refused);
  expect(await realtime.readHistory({ room, count: 1 }, never)).toEqual(refused);
  realtime.renewToken();
  expect(await realtime.publish(room, toPayload('later'), never)).toEqual(refused);
  expect(await recordSignals(realtime).untilEnded()).toEqual({ kind: 'unauthenticated' });
});

test('a restart of the server loses nothing and repeats nothing', async () => {
  const room = toRoomKey('c_restart', 'team');
  const { realtime } = await engine.signIn('u_reader');
  const writer = (await engine.signIn('u_writer')).realtime;
  const payload = toPayload('before');
  const first = recordSignals(realtime);
  await first.untilBeat();
  const timetoken = mustGet(await writer.publish(room, payload, never));
  await first.untilEntries(1);
  await engine.restart();
  expect(await first.untilEnded()).toEqual({ kind: 'unreachable' });
  expect(mustGet(await writer.publish(room, payload, never))).toBe(timetoken);
  expect(mustGet(await writer.publish(room, toPayload('after'), never)) > timetoken).toBe(true);
  const second = recordSignals(realtime, timetoken);
  expect(toTexts(await second.untilEntries(1))).toEqual(['after']);
  second.stop();
});
