import { once } from 'node:events';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { Timetoken } from '#domain/timetoken.ts';
import { sendEndlessHtml, sendEvents } from '#tests/support/services/scripted-endpoint.ts';
import { recordSignals } from '#tests/support/signal-recorder.ts';

import {
  isWhole,
  readPieces,
  type ScriptedEngine,
  startScriptedEngine,
  SHORT_TIMEOUT_MS,
  toEvent,
  toSignalTexts as toTexts,
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

const readAll = (pieces: Parameters<typeof readPieces>[1]) => readPieces(engine, pieces);

describe('opening', () => {
  test.each(Object.entries(FAULTS))(
    'ends once if answered by %s, with that error',
    async (_title, fault) => {
      engine.break(PATH, fault);
      const stream = recordSignals(engine.realtime);
      expect(await stream.untilEnded()).toEqual(fault[1]);
      expect(stream.signals).toHaveLength(1);
    },
  );

  test.each(Object.entries(FAULTS).filter(([, [, error]]) => error.kind !== 'rejected'))(
    'ends with the error of the token request if that is answered by %s',
    async (_title, fault) => {
      engine.break('/api/realtime/token', fault);
      const stream = recordSignals(engine.realtime);
      expect(await stream.untilEnded()).toEqual(fault[1]);
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
      setTimeout(() => response.end(BEAT), 1.5 * SHORT_TIMEOUT_MS);
    });
    engine.shortenTimeout();
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
    expect(stream.signals.filter(isWhole).map(({ type }) => type)).toEqual(['beat', 'ended']);
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

const good = (ticks: number) => toEvent('entries', { entries: [toWireEntry(ticks)] });

describe('wire', () => {
  test('an event split anywhere, even inside a character, is read whole', async () => {
    const bytes = new TextEncoder().encode(
      toEvent('entries', { entries: [toWireEntry(1, { message: { text: 'né 👩‍👧 مرحبا' } })] }),
    );
    const pieces = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    expect(toTexts(await readAll(pieces))).toEqual(['né 👩‍👧 مرحبا']);
  });

  test('a part of an event is a sign of life, a comment is not', async () => {
    const event = good(1);
    const served = engine.holdStream();
    const stream = recordSignals(engine.realtime);
    const response = await served;
    response.write(BEAT);
    await stream.untilBeat();
    response.write(': comment\n\n');
    response.write(BEAT);
    await stream.until((signals) => signals.length === 2);
    response.write(event.slice(0, 20));
    await stream.until((signals) => signals.length === 3);
    response.end(event.slice(20));
    await stream.untilEnded();
    expect(toTexts(stream.signals)).toEqual(['beat', 'beat', 'progress', 'text 1', 'ended']);
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
