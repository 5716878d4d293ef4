import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { Realtime } from '#domain/ports/network.ts';
import { ROOM_IDS, toRoomKey } from '#domain/rooms.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { answerWith } from '#tests/support/pubnub/faults.ts';
import { sendJson } from '#tests/support/services/scripted-endpoint.ts';
import { recordSignals, type SignalRecorder } from '#tests/support/signal-recorder.ts';

import { type PubnubEngine, startPubnubEngine } from './engine.ts';
import { PUBNUB_FAULTS } from './faults.ts';
import { mustGet, never, toPayload, toTexts } from '../realtime-harness.ts';

const ROOM = toRoomKey('c_1', 'team');
const CHANNEL = 'chat.c_1.team';

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
const count = (operation: string): number =>
  engine.endpoint.asked.filter((asked) => asked.operation === operation).length;
const open = (cursor?: Timetoken): SignalRecorder => {
  stream = recordSignals(realtime, cursor);
  return stream;
};
const toKinds = () => stream.signals.map(({ type }) => type);

/** The error with which a fault ends a stream: the SDK reports only its category. */
const toEndKind = (kind: string | undefined): string => {
  if (kind === 'unauthenticated' || kind === 'forbidden') return 'forbidden';
  if (kind === 'rejected') return 'malformed';
  return kind === 'timeout' ? kind : 'unreachable';
};

describe('a handshake', () => {
  test.each(Object.entries(PUBNUB_FAULTS))(
    'ends once if answered by %s',
    async (_title, [fault, error]) => {
      engine.endpoint.faults.break('handshake', fault);
      expect((await open().untilEnded()).kind).toBe(toEndKind(error.kind));
      expect(toKinds()).toEqual(['ended']);
      expect(count('handshake')).toBe(1);
    },
  );

  test('is malformed with a number as its cursor, which would lose its last digits', async () => {
    const answer = answerWith('{"t":{"t":17952583650240002,"r":1},"m":[]}');
    engine.endpoint.faults.break('handshake', answer);
    expect((await open().untilEnded()).kind).toBe('malformed');
    expect(toKinds()).toEqual(['ended']);
  });

  test('ends with the reason if there is no token', async () => {
    engine.server.on('/u_1/api/realtime/token', (_request, response) => {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"No."}');
    });
    expect(await open().untilEnded()).toEqual({ kind: 'unauthenticated' });
  });
});

test('a first stream delivers the last messages, which histories may lack', async () => {
  engine.endpoint.log.append(CHANNEL, 'u_app', { text: 'old' }, Date.now() - 60_000);
  const [timetoken] = write(['just before']);
  expect(toTexts(await open().untilEntries(1))).toEqual(['just before']);
  // Pages read from now on cover the room up to here only.
  const [opened] = stream.signals;
  expect(opened?.type === 'opened' && opened.after < timetoken!).toBe(true);
});

describe('a poll', () => {
  test.each(Object.entries(PUBNUB_FAULTS).filter(([, [, { kind }]]) => kind !== 'timeout'))(
    'ends once if answered by %s, and the next one continues from the cursor',
    async (_title, [fault, error]) => {
      engine.endpoint.faults.break('poll', fault);
      const cursor = await open().untilBeat();
      expect((await stream.untilEnded()).kind).toBe(toEndKind(error.kind));
      expect(toKinds()).toEqual(['opened', 'beat', 'ended']);
      engine.endpoint.faults.heal();
      write(['missed']);
      expect(toTexts(await open(cursor).untilEntries(1))).toEqual(['missed']);
    },
  );

  test('is reopened if it is quiet, and the answer is a beat', async () => {
    await open().until((signals) => signals.length === 4);
    expect(toKinds()).toEqual(['opened', 'beat', 'beat', 'beat']);
    write(['after all']);
    expect(toTexts(await stream.untilEntries(1))).toEqual(['after all']);
  });

  test('is complete from the answer of the service on if it resumed from a cursor', async () => {
    const cursor = write(['known'])[0] as Timetoken;
    const missed = write(['missed'])[0] as Timetoken;
    await open(cursor).untilEntries(1);
    const [opened] = stream.signals;
    expect(opened).toMatchObject({ type: 'opened', rooms: expect.arrayContaining([ROOM]) });
    expect(opened?.type === 'opened' && opened.after >= missed).toBe(true);
    expect(realtime.complete).toBe(false);
  });

  test('ends if it stays quiet because the service is gone', async () => {
    await open().untilBeat();
    engine.endpoint.faults.break('handshake', PUBNUB_FAULTS['no answer at all']![0]);
    expect(await stream.untilEnded()).toEqual({ kind: 'timeout' });
  });

  test('uses the current token', async () => {
    await open().untilBeat();
    engine.advance(10 * 60_000);
    await stream.until((signals) => signals.length === 4);
    expect(engine.countTokens()).toBe(2);
  });

  // The service keeps at most 100 messages of a subscriber for up to 20 minutes (its guide to
  // subscribing: "message queue", "catch-up").
  test('is complete from the next answer on after a longer silence than the service remembers', async () => {
    await open().untilBeat();
    engine.advance(21 * 60_000);
    const countOpened = () => toKinds().filter((kind) => kind === 'opened').length;
    await stream.until(() => countOpened() > 1);
    expect(countOpened()).toBe(2);
  });

  test('ends if answered after such a silence, because messages may be lost before the next one', async () => {
    await open().untilBeat();
    engine.advance(21 * 60_000);
    write(['sent before the silence']);
    await stream.untilEntries(1);
    expect((await stream.untilEnded()).kind).toBe('timeout');
  });

  test('continues if answered after a silence that the service bridges', async () => {
    await open().untilBeat();
    engine.advance(14 * 60_000);
    write(['first']);
    await stream.untilEntries(1);
    write(['second']);
    await stream.untilEntries(2);
    expect(toKinds().filter((kind) => kind === 'opened' || kind === 'ended')).toEqual(['opened']);
  });

  test('is complete from the next answer on if a clock that was set back reopened it', async () => {
    await open().untilBeat();
    engine.advance(-60 * 60_000);
    const countOpened = () => toKinds().filter((kind) => kind === 'opened').length;
    await stream.until(() => countOpened() > 1);
    expect(countOpened()).toBe(2);
  });

  test('requests other channels once the token covers others', async () => {
    await open().untilBeat();
    engine.grant(['c_1', 'c_new']);
    engine.advance(10 * 60_000);
    const channels = ['c_1', 'c_new'].flatMap((id) =>
      ROOM_IDS.map((roomId) => toRoomKey(id, roomId)),
    );
    await stream.until((signals) =>
      signals.some(
        ({ type, ...rest }) =>
          type === 'opened' && 'rooms' in rest && rest.rooms?.length === channels.length,
      ),
    );
    write(['hello'], 'chat.c_new.team');
    expect(toTexts(await stream.untilEntries(1))).toEqual(['hello']);
  });

  test('is malformed with the token of a server that now uses another engine', async () => {
    await open().untilBeat();
    const embedded = { token: 'not for this engine', expires: Date.now() + 900_000, uid: 'u_1' };
    engine.server.on('/u_1/api/realtime/token', sendJson(embedded));
    engine.advance(10 * 60_000);
    expect((await stream.untilEnded()).kind).toBe('malformed');
  });

  test('stops once the stream is closed', async () => {
    await engine.close();
    engine = await startPubnubEngine({ pollMs: 60_000 });
    realtime = engine.connect('u_1');
    await open().untilBeat();
    await expect.poll(() => engine.endpoint.log.waiting).toBe(1);
    stream.stop();
    await expect.poll(() => engine.endpoint.log.waiting).toBe(0);
    // Presence is not used.
    expect(engine.endpoint.asked.map(({ operation }) => operation)).toEqual(['handshake', 'poll']);
  });

  test('continues across a restart of the service', async () => {
    const cursor = await open().untilBeat();
    await engine.endpoint.restart();
    await stream.untilEnded();
    write(['missed']);
    expect(toTexts(await open(cursor).untilEntries(1))).toEqual(['missed']);
  });
});

test('1,000 clients are one subscription', async () => {
  await engine.close();
  const clientIds = Array.from({ length: 1000 }, (_, at) => `c_${String(at).padStart(4, '0')}`);
  engine = await startPubnubEngine({ clientIds });
  realtime = engine.connect('u_1');
  await open().untilBeat();
  write(['first'], 'chat.c_0000.general');
  write(['last'], 'chat.c_0999.producers');
  const entries = await stream.untilEntries(2);
  expect(entries.map(({ room }) => room)).toEqual(['c_0000/general', 'c_0999/producers']);
  expect(Math.max(...engine.endpoint.asked.map(({ url }) => url.length))).toBeLessThan(32_768);
  expect(count('handshake')).toBe(1);
});

test('a user without clients and logs is connected and receives nothing', async () => {
  await engine.close();
  engine = await startPubnubEngine({ clientIds: [], probeMs: 100 });
  realtime = engine.connect('u_1');
  const token = { token: '', uid: 'u_1', expires: Date.now() + 900_000, channels: [] };
  engine.server.on('/u_1/api/realtime/token', sendJson(token));
  await open().until((signals) => signals.length === 2);
  expect(toKinds()).toEqual(['beat', 'beat']);
  expect(engine.endpoint.asked).toEqual([]);
});

test('a lost token ends the stream until there is a new one', async () => {
  const cursor = await open().untilBeat();
  engine.endpoint.access.revokeAll();
  expect(await stream.untilEnded()).toEqual({ kind: 'forbidden' });
  realtime.renewToken();
  const later = open(cursor);
  mustGet(await realtime.publish(ROOM, toPayload('back'), never));
  expect(toTexts(await later.untilEntries(1))).toEqual(['back']);
});
