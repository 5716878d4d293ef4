import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { AppError } from '#domain/errors.ts';
import type { Realtime } from '#domain/ports/network.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { fromEpochMs, parseTimetoken } from '#domain/timetoken.ts';
import { answerRecorded } from '#tests/support/pubnub/faults.ts';
import { type Recorded, RECORDED_PAGE, TIME } from '#tests/support/pubnub/recorded.ts';
import { RECORDED_REFUSALS } from '#tests/support/pubnub/recorded-refusals.ts';

import { type PubnubEngine, startPubnubEngine } from '../pubnub/engine.ts';
import { mustGet, never, toPayload } from '../realtime-harness.ts';

/** The page interprets the service's recorded responses through the service's own SDK. */

const ROOM = toRoomKey('c_1', 'team');

let engine: PubnubEngine;
let realtime: Realtime;
beforeEach(async () => {
  engine = await startPubnubEngine();
  realtime = engine.connect('u_1');
});
afterEach(() => engine.close());

const read = () => realtime.readHistory({ room: ROOM, count: 25 }, never);
const publish = () => realtime.publish(ROOM, toPayload('hello'), never);
const count = () => realtime.countSince(new Map([[ROOM, fromEpochMs(Date.now() - 60_000)]]), never);

describe('a recorded answer', () => {
  test('is the timetoken of a published message', async () => {
    engine.endpoint.faults.break('publish', answerRecorded(RECORDED_PAGE.publish));
    expect(mustGet(await publish())).toBe(parseTimetoken(TIME));
  });

  test('is a history page with its publisher', async () => {
    engine.endpoint.faults.break('history', answerRecorded(RECORDED_PAGE.history));
    const { entries } = mustGet(await read());
    expect(entries).toMatchObject([
      { publisher: 'u_elsewhere', timetoken: TIME, message: { text: 'hello' } },
    ]);
  });

  test('is a count per room', async () => {
    engine.endpoint.faults.break('counts', answerRecorded(RECORDED_PAGE.counts));
    expect([...mustGet(await count())]).toEqual([[ROOM, 1]]);
  });

  test('opens a stream and carries a message for a handshake and a poll', async () => {
    engine.endpoint.faults.break('handshake', answerRecorded(RECORDED_PAGE.handshake), 1);
    engine.endpoint.faults.break('poll', answerRecorded(RECORDED_PAGE.poll), 1);
    const signals: string[] = [];
    const close = realtime.openStream(undefined, (signal) => {
      signals.push(
        signal.type === 'entries'
          ? signal.entries.map(({ message }) => JSON.stringify(message)).join()
          : signal.type,
      );
    });
    await expect.poll(() => signals).toContain('{"text":"hello"}');
    close();
    expect(signals.slice(0, 2)).toEqual(['opened', 'beat']);
  });
});

/** Calls that a refusal may affect, and the error it must become. */
const REFUSALS: ReadonlyArray<
  readonly [keyof typeof RECORDED_REFUSALS, 'history' | 'publish', Partial<AppError>]
> = [
  ['noToken', 'history', { kind: 'forbidden', text: 'Forbidden' }],
  ['noToken', 'publish', { kind: 'forbidden', text: 'Forbidden' }],
  ['revokedToken', 'history', { kind: 'unauthenticated' }],
  ['endedToken', 'publish', { kind: 'unauthenticated' }],
  [
    'wrongSubscribeKey',
    'history',
    { kind: 'rejected', status: 400, text: 'Invalid Subscribe Key' },
  ],
  ['wrongPublishKey', 'publish', { kind: 'rejected', status: 400, text: 'Invalid Key' }],
  ['badArguments', 'history', { kind: 'rejected', status: 400, text: 'Invalid Arguments' }],
  // This is about the keyset, not the token: a new token would be refused in the same way.
  ['noPersistence', 'history', { kind: 'rejected', status: 403 }],
  ['tooLarge', 'publish', { kind: 'too-large', limit: 32_768 }],
  ['tooLargeAsDocumented', 'publish', { kind: 'too-large', limit: 32_768 }],
  [
    'tooDeep',
    'publish',
    { kind: 'rejected', status: 400, text: 'Wildcard maximum depth exceeded' },
  ],
  ['noJson', 'publish', { kind: 'rejected', status: 400, text: 'Invalid JSON' }],
];

describe('a recorded refusal', () => {
  test.each(REFUSALS)('%s of a %s becomes the matching error', async (name, operation, error) => {
    const recorded: Recorded = RECORDED_REFUSALS[name];
    engine.endpoint.faults.break(operation, answerRecorded(recorded));
    const answer = await (operation === 'publish' ? publish() : read());
    expect(answer).toMatchObject({ ok: false, error });
  });
});
