import { once } from 'node:events';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { StreamSignal } from '#domain/ports/network.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { sendEndlessHtml, sendEvents } from '#tests/support/services/scripted-endpoint.ts';
import { recordSignals } from '#tests/support/signal-recorder.ts';

import {
  type ScriptedEngine,
  startScriptedEngine,
  TIMEOUT_MS,
  toEvent,
  toWireEntry,
} from '../scripted-engine.ts';
import { FAULTS } from '../wire-faults.ts';

const PATH = '/api/realtime/stream';
const CURSOR = '00000000000000042' as Timetoken;
const BEAT = toEvent('beat', { cursor: CURSOR });

let engine: ScriptedEngine;
beforeEach(async () => {
  engine = await startScriptedEngine();
});
afterEach(() => engine.endpoint.close());

/** All signals of a stream that serves these pieces and then ends. */
const readAll = async (
  pieces: readonly (string | Uint8Array)[],
): Promise<readonly StreamSignal[]> => {
  engine.endpoint.on(PATH, sendEvents(pieces, 'end'));
  const stream = recordSignals(engine.realtime);
  expect(await stream.untilEnded()).toEqual({ kind: 'unreachable' });
  return stream.signals.slice(0, -1);
};

const toTexts = (signals: readonly StreamSignal[]): readonly unknown[] =>
  signals.flatMap((signal) =>
    signal.type === 'entries'
      ? signal.entries.map(({ message }) => (message as { text: string }).text)
      : [signal.type],
  );

describe('opening', () => {
  test.each(Object.entries(FAULTS))(
    'ends once if answered by %s, with that error',
    async (_title, [handler, error]) => {
      engine.endpoint.on(PATH, handler);
      const stream = recordSignals(engine.realtime);
      expect(await stream.untilEnded()).toEqual(error);
      expect(stream.signals).toHaveLength(1);
    },
  );

  test.each(Object.entries(FAULTS).filter(([, [, error]]) => error.kind !== 'rejected'))(
    'ends with the error of the token request if that is answered by %s',
    async (_title, [handler, error]) => {
      engine.endpoint.on('/api/realtime/token', handler);
      const stream = recordSignals(engine.realtime);
      expect(await stream.untilEnded()).toEqual(error);
      expect(engine.endpoint.requests).toEqual(['GET /api/realtime/token']);
    },
  );

  test('starts from the cursor, or from now', async () => {
    engine.endpoint.on(PATH, sendEvents([BEAT], 'end'));
    await recordSignals(engine.realtime, CURSOR).untilEnded();
    await recordSignals(engine.realtime).untilEnded();
    expect(engine.endpoint.requests.slice(1)).toEqual([
      `GET ${PATH}?cursor=${CURSOR}`,
      `GET ${PATH}`,
    ]);
  });

  test('lasts longer than a call may take', async () => {
    engine.endpoint.on(PATH, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      setTimeout(() => response.end(BEAT), 1.5 * TIMEOUT_MS);
    });
    const stream = recordSignals(engine.realtime);
    expect(await stream.untilBeat()).toBe(CURSOR);
    await stream.untilEnded();
  });
});

describe('ending', () => {
  test('a cut body delivers the entries that arrived, then ends once', async () => {
    engine.endpoint.on(PATH, sendEvents([BEAT, 'event: entries\ndata: {"ent'], 'reset'));
    const stream = recordSignals(engine.realtime);
    expect(await stream.untilEnded()).toEqual({ kind: 'unreachable' });
    expect(stream.signals.map(({ type }) => type)).toEqual(['beat', 'ended']);
  });

  test.each([200, 503])('an endless page of status %d is closed', async (status) => {
    const closed = new Promise<void>((resolve) => {
      engine.endpoint.on(PATH, sendEndlessHtml(resolve, status));
    });
    const stream = recordSignals(engine.realtime);
    await stream.untilEnded();
    await closed;
    expect(stream.signals).toHaveLength(1);
  });

  test('unsubscribing from a stalled body closes the connection at once', async () => {
    const closed = new Promise<void>((resolve) => {
      engine.endpoint.on(PATH, async (request, response) => {
        await sendEvents([BEAT], 'open')(request, response);
        await once(response, 'close');
        resolve();
      });
    });
    const stream = recordSignals(engine.realtime);
    await stream.untilBeat();
    stream.stop();
    await closed;
    expect(stream.signals.map(({ type }) => type)).toEqual(['beat']);
  });

  test('unsubscribing before the headers closes it as well', async () => {
    const arrived = new Promise<void>((resolve) => {
      engine.endpoint.on(PATH, async (_request, response) => {
        recorder.stop();
        await once(response, 'close');
        resolve();
      });
    });
    const recorder = recordSignals(engine.realtime);
    await arrived;
    expect(recorder.signals).toEqual([]);
  });
});

describe('malformed input', () => {
  const good = (ticks: number) => toEvent('entries', { entries: [toWireEntry(ticks)] });

  test('an entry of another shape does not affect the others', async () => {
    const bad = [
      null,
      'text',
      {},
      toWireEntry(2, { timetoken: '2' }),
      toWireEntry(2, { channel: 5 }),
    ];
    const signals = await readAll([
      toEvent('entries', { entries: [toWireEntry(1), ...bad, toWireEntry(3)] }),
    ]);
    expect(toTexts(signals)).toEqual(['text 1', 'text 3']);
    expect(engine.logged).toHaveLength(bad.length);
  });

  test('an entry of a foreign channel is silently ignored', async () => {
    const foreign = [
      '',
      'chat',
      'chat.c_001.lobby',
      'chat..team',
      'xchat.c_001.team',
      'chat.c_001.teamx',
    ];
    const entries = foreign.map((channel, at) => toWireEntry(at + 1, { channel }));
    expect(await readAll([toEvent('entries', { entries }), good(9)])).toHaveLength(1);
    expect(engine.logged).toEqual([]);
  });

  test.each([
    ['a beat without a cursor', toEvent('beat', {})],
    ['a beat with a number', toEvent('beat', { cursor: 42 })],
  ])('%s between two events affects neither', async (_title, poison) => {
    expect(toTexts(await readAll([good(1), poison, good(2), BEAT]))).toEqual([
      'text 1',
      'text 2',
      'beat',
    ]);
    expect(engine.logged).toEqual(['REALTIME_EVENT_MALFORMED']);
  });

  test.each([
    ['broken JSON', toEvent('entries', '{"entries":[')],
    ['no list', toEvent('entries', { entries: 'none' })],
    ['null', toEvent('entries', 'null')],
  ])('%s instead of entries causes an omission before the next event', async (_title, poison) => {
    const signals = await readAll([good(1), poison, good(2), BEAT]);
    expect(toTexts(signals)).toEqual(['text 1', 'opened', 'text 2', 'beat']);
    const [after] = signals.flatMap((signal) => (signal.type === 'opened' ? [signal.after] : []));
    const [last] = signals.flatMap((signal) =>
      signal.type === 'entries' && toTexts([signal])[0] === 'text 2' ? signal.entries : [],
    );
    expect(after).toBe(last?.timetoken);
    expect(engine.logged).toEqual(['REALTIME_EVENT_MALFORMED']);
  });

  test('unknown events, comments and fields are ignored', async () => {
    const noise = [
      ': comment\n\n',
      'event: gossip\ndata: {}\n\n',
      'data: {}\n\n',
      'retry: 5\n\n',
      'id: 7\n\n',
    ];
    expect(toTexts(await readAll([...noise, good(1), ...noise]))).toEqual(['text 1']);
    expect(engine.logged).toEqual([]);
  });
});

describe('wire', () => {
  test('an event split anywhere, even inside a character, is read whole', async () => {
    const bytes = new TextEncoder().encode(
      toEvent('entries', { entries: [toWireEntry(1, { message: { text: 'né 👩‍👧 مرحبا' } })] }),
    );
    const pieces = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    expect(toTexts(await readAll(pieces))).toEqual(['né 👩‍👧 مرحبا']);
  });

  test('lines may end in CR LF', async () => {
    const event = toEvent('entries', { entries: [toWireEntry(1)] }).replaceAll('\n', '\r\n');
    expect(toTexts(await readAll([event]))).toEqual(['text 1']);
  });

  test('a hundred of the largest messages fit into one event', async () => {
    const text = 'x'.repeat(32_000);
    const entries = Array.from({ length: 100 }, (_, at) =>
      toWireEntry(at + 1, { message: { text } }),
    );
    expect(toTexts(await readAll([toEvent('entries', { entries })]))).toHaveLength(100);
  });

  test('an event that never ends closes the stream', async () => {
    const piece = 'x'.repeat(4_194_304);
    engine.endpoint.on(
      PATH,
      sendEvents(['data: ', ...Array.from({ length: 9 }, () => piece)], 'open'),
    );
    const stream = recordSignals(engine.realtime);
    expect(await stream.untilEnded()).toEqual({ kind: 'malformed', detail: 'stream' });
  });
});
