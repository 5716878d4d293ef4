import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { AppError } from '#domain/errors.ts';
import { MESSAGE_BYTES_MAX } from '#domain/limits.ts';
import type { Realtime } from '#domain/ports/network.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { OWN_LOG_VERSION } from '#domain/schemas/own-log.ts';
import { fromEpochMs } from '#domain/timetoken.ts';
import { createLazyRealtime } from '#src/adapters/realtime/lazy-realtime.ts';
import { sendEvents, sendJson } from '#tests/support/services/scripted-endpoint.ts';
import { recordSignals } from '#tests/support/signal-recorder.ts';

import {
  type ScriptedEngine,
  startScriptedEngine,
  toEvent,
  toWireEntry,
} from '../scripted-engine.ts';
import { BAD_SHAPES, FAULTS } from '../wire-faults.ts';

const PATH = '/api/realtime/own';
const STREAM = '/api/realtime/stream';
const PAYLOAD = { v: OWN_LOG_VERSION, reads: {} } as const;
const never = new AbortController().signal;

const AT = [1, 2, 3].map((ms) => fromEpochMs(ms));
const OWN = toEvent('own', { timetoken: AT[0] });
const toBeat = (ticks: number) => toEvent('beat', { cursor: `${ticks}`.padStart(17, '0') });
const toEntries = (ticks: number) => toEvent('entries', { entries: [toWireEntry(ticks)] });

let engine: ScriptedEngine;
beforeEach(async () => {
  engine = await startScriptedEngine();
});
afterEach(() => engine.endpoint.close());

const CALLS: Readonly<Record<string, (realtime: Realtime) => Promise<{ readonly ok: boolean }>>> = {
  publish: ({ own }) => own.publish('id-1', PAYLOAD, never),
  read: ({ own }) => own.read({ count: 25 }, never),
};

describe.each(Object.entries(CALLS))('%s', (_name, call) => {
  test.each(Object.entries(FAULTS))('failing with %s', async (_title, [handler, error]) => {
    engine.endpoint.on(PATH, handler);
    expect(await call(engine.realtime)).toEqual({ ok: false, error });
  });

  test.each(Object.entries(BAD_SHAPES))('answered with %s', async (_title, handler) => {
    engine.endpoint.on(PATH, handler);
    const answer = await call(engine.realtime);
    expect(answer).toMatchObject({
      ok: false,
      error: { kind: expect.stringMatching(/malformed|unreachable/) },
    });
  });
});

test('a refusal as too large states the size', async () => {
  engine.endpoint.on(PATH, sendJson({ error: 'Too large.' }, 413));
  expect(await engine.realtime.own.publish('id-1', PAYLOAD, never)).toEqual({
    ok: false,
    error: {
      kind: 'too-large',
      bytes: JSON.stringify(PAYLOAD).length,
      limit: MESSAGE_BYTES_MAX,
    },
  });
});

describe('a page', () => {
  test('leaves out entries of another shape, and keeps any payload', async () => {
    const good = [
      { timetoken: AT[0], payload: { v: 99 } },
      { timetoken: AT[1], payload: 'text' },
    ];
    const bad = [null, 'text', {}, { timetoken: '1', payload: {} }];
    engine.endpoint.on(PATH, sendJson({ entries: [...bad, ...good], more: true }));
    const page = await engine.realtime.own.read({ count: 6 }, never);
    expect(page).toEqual({ ok: true, value: { entries: good, full: true } });
    expect(engine.logged).toEqual(bad.map(() => 'REALTIME_ENTRY_MALFORMED'));
  });

  test('without a position to continue from is malformed', async () => {
    engine.endpoint.on(PATH, sendJson({ entries: [null], more: true }));
    expect(await engine.realtime.own.read({ count: 1 }, never)).toMatchObject({
      ok: false,
      error: { kind: 'malformed' },
    });
  });
});

/** Reads a stream of these events, while the own log is watched. */
const readAll = async (events: readonly string[], realtime = engine.realtime) => {
  let wakes = 0;
  const stop = realtime.own.watch(() => (wakes += 1));
  engine.endpoint.on(STREAM, sendEvents(events, 'end'));
  const stream = recordSignals(realtime);
  await stream.untilEnded();
  stop();
  const types = stream.signals.slice(0, -1).map(({ type }) => type);
  return { wakes, types };
};

describe('watching', () => {
  test('an event of the own log wakes, and is no signal', async () => {
    expect(await readAll([toBeat(1), OWN, toEntries(2), OWN, toBeat(3)])).toEqual({
      wakes: 2,
      types: ['beat', 'entries', 'beat'],
    });
  });

  test.each([
    ['without a position', toEvent('own', {})],
    ['of broken JSON', toEvent('own', '{"timetoken":')],
    ['with a number', toEvent('own', { timetoken: 17 })],
  ])('an event %s is logged and ignored', async (_title, event) => {
    expect(await readAll([toEntries(1), event, toEntries(2)])).toEqual({
      wakes: 0,
      types: ['entries', 'entries'],
    });
    expect(engine.logged).toEqual(['REALTIME_EVENT_MALFORMED']);
  });

  test('an event between a malformed one and the next does not hide what was left out', async () => {
    const events = [toEntries(1), toEvent('entries', '{"entries":['), OWN, toEntries(2)];
    expect(await readAll(events)).toEqual({ wakes: 1, types: ['entries', 'opened', 'entries'] });
  });

  test('ends with the stream, even within one piece of the wire', async () => {
    engine.endpoint.on(STREAM, sendEvents([OWN + OWN], 'open'));
    let wakes = 0;
    const woken = new Promise<void>((resolve) => {
      engine.realtime.own.watch(() => {
        wakes += 1;
        stream.stop();
        setImmediate(resolve);
      });
    });
    const stream = recordSignals(engine.realtime);
    await woken;
    expect(wakes).toBe(1);
  });

  test('ends for one listener alone', async () => {
    let wakes = 0;
    const listener = (): number => (wakes += 1);
    const stop = engine.realtime.own.watch(listener);
    engine.realtime.own.watch(listener);
    stop();
    stop();
    await readAll([OWN]);
    expect(wakes).toBe(1);
  });
});

describe('an engine whose code loads with its first use', () => {
  const load = () => Promise.resolve(ok(engine.realtime));

  test('is watched once it is loaded; watching does not load it', async () => {
    let loads = 0;
    const answers: Result<Realtime, AppError>[] = [fail({ kind: 'unreachable' })];
    const lazy = createLazyRealtime(() => {
      loads += 1;
      return Promise.resolve(answers.shift() ?? ok(engine.realtime));
    });
    lazy.own.watch(() => undefined)();
    expect(loads).toBe(0);
    engine.endpoint.on(PATH, sendJson({ entries: [], more: false }));
    expect(await lazy.own.read({ count: 1 }, never)).toEqual(fail({ kind: 'unreachable' }));
    expect(await lazy.own.read({ count: 1 }, never)).toEqual(ok({ entries: [], full: false }));
    expect(await readAll([toBeat(1), OWN], lazy)).toEqual({ wakes: 1, types: ['beat'] });
    expect(await readAll([OWN, OWN], lazy)).toEqual({ wakes: 2, types: [] });
    expect(loads).toBe(2);
  });

  test('passes calls through', async () => {
    const lazy = createLazyRealtime(load);
    engine.endpoint.on(PATH, sendJson({ timetoken: AT[0] }));
    expect(await lazy.own.publish('id-1', PAYLOAD, never)).toEqual(ok(AT[0]));
    engine.endpoint.on(PATH, sendJson({ entries: [], more: false }));
    expect(await lazy.own.read({ count: 1 }, never)).toEqual(ok({ entries: [], full: false }));
  });
});
