import { afterEach, beforeEach, expect, test } from 'vitest';

import type { Realtime } from '#domain/ports/network.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { parseIncoming } from '#domain/schemas/message.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { ODD_MESSAGES, TEXTLESS_MESSAGES } from '#tests/support/hostile-payloads.ts';
import { answerWith } from '#tests/support/pubnub/faults.ts';
import { recordSignals } from '#tests/support/signal-recorder.ts';

import { type PubnubEngine, startPubnubEngine } from '../pubnub/engine.ts';
import { mustGet, never } from '../realtime-harness.ts';

const ROOM = toRoomKey('c_1', 'team');
const CHANNEL = 'chat.c_1.team';
const FIRST = 17_000_000_000_000_100n;

/** Payloads that any app of the keyset may publish, between two messages of ours, as JSON. */
const PAYLOADS = ['{"text":"first"}', ...TEXTLESS_MESSAGES, ...ODD_MESSAGES, '{"text":"last"}'];
const TIMETOKENS = PAYLOADS.map((_, index) => String(FIRST + BigInt(index)));
const KINDS = [
  'message',
  ...TEXTLESS_MESSAGES.map(() => 'unreadable'),
  ...ODD_MESSAGES.map(() => 'message'),
  'message',
];

let engine: PubnubEngine;
let realtime: Realtime;
beforeEach(async () => {
  engine = await startPubnubEngine();
  realtime = engine.connect('u_1');
});
afterEach(() => engine.close());

test('a history of hostile payloads is read as a whole', async () => {
  const entries = PAYLOADS.map(
    (payload, at) => `{"message":${payload},"timetoken":"${TIMETOKENS[at]}","uuid":"u_app"}`,
  );
  const body = `{"status":200,"channels":{"${CHANNEL}":[${entries.join(',')}]}}`;
  engine.endpoint.faults.break('history', answerWith(body));
  const page = mustGet(await realtime.readHistory({ room: ROOM, count: 100 }, never));
  expect(page.entries.map(({ timetoken }) => timetoken)).toEqual(TIMETOKENS);
  expect(page.entries.map(({ message }) => parseIncoming(message).kind)).toEqual(KINDS);
});

test('a batch of hostile payloads is delivered as a whole, and the stream continues', async () => {
  const envelopes = PAYLOADS.map(
    (payload, at) =>
      `{"c":"${CHANNEL}","b":"chat.c_1.*","i":"u_app","p":{"t":"${TIMETOKENS[at]}","r":1},"d":${payload}}`,
  );
  const body = `{"t":{"t":"17000000000000999","r":1},"m":[${envelopes.join(',')}]}`;
  engine.endpoint.faults.break('poll', answerWith(body), 1);
  const stream = recordSignals(realtime, '17000000000000000' as Timetoken);
  const delivered = await stream.untilEntries(PAYLOADS.length);
  expect(delivered.map(({ timetoken }) => timetoken)).toEqual(TIMETOKENS);
  engine.endpoint.log.append(CHANNEL, 'u_app', { text: 'live' });
  const [live] = (await stream.untilEntries(PAYLOADS.length + 1)).slice(-1);
  expect(live?.message).toEqual({ text: 'live' });
  expect(stream.signals.map(({ type }) => type)).not.toContain('ended');
  stream.stop();
});
