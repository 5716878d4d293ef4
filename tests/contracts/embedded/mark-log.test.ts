import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { AppError } from '#domain/errors.ts';
import { MESSAGE_BYTES_MAX } from '#domain/limits.ts';
import type { Realtime } from '#domain/ports/network.ts';
import { fail, ok, type Result } from '#domain/result.ts';
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

const STREAM = '/api/realtime/stream';
const PAYLOAD = { v: 1, marks: {} } as const;
const never = new AbortController().signal;

const AT = [1, 2, 3].map((ms) => fromEpochMs(ms));
const toBeat = (ticks: number) => toEvent('beat', { cursor: `${ticks}`.padStart(17, '0') });
const toEntries = (ticks: number) => toEvent('entries', { entries: [toWireEntry(ticks)] });

let engine: ScriptedEngine;
beforeEach(async () => {
  engine = await startScriptedEngine();
});
afterEach(() => engine.endpoint.close());

describe.each(['own', 'staff'] as const)('the %s log', (name) => {
  const path = `/api/realtime/${name}`;
  const grown = toEvent(name, { timetoken: AT[0] });

  const CALLS: Readonly<Record<string, (realtime: Realtime) => Promise<{ readonly ok: boolean }>>> =
    {
      publish: (realtime) => realtime[name].publish('id-1', PAYLOAD, never),
      read: (realtime) => realtime[name].read({ count: 25 }, never),
    };

  describe.each(Object.entries(CALLS))('%s', (_call, call) => {
    test.each(Object.entries(FAULTS))(
      'returns the matching error for %s',
      async (_title, fault) => {
        engine.break(path, fault);
        expect(await call(engine.realtime)).toEqual({ ok: false, error: fault[1] });
      },
    );

    test.each(Object.entries(BAD_SHAPES))('fails if answered with %s', async (_title, handler) => {
      engine.endpoint.on(path, handler);
      const answer = await call(engine.realtime);
      expect(answer).toMatchObject({
        ok: false,
        error: { kind: expect.stringMatching(/malformed|unreachable/) },
      });
    });
  });

  test('a refusal for its size states the size', async () => {
    engine.endpoint.on(path, sendJson({ error: 'Too large.' }, 413));
    expect(await engine.realtime[name].publish('id-1', PAYLOAD, never)).toEqual({
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
      engine.endpoint.on(path, sendJson({ entries: [...bad, ...good], more: true }));
      const page = await engine.realtime[name].read({ count: 6 }, never);
      expect(page).toEqual({ ok: true, value: { entries: good, full: true } });
      expect(engine.logged).toEqual(bad.map(() => 'REALTIME_ENTRY_MALFORMED'));
    });

    test('is malformed without a position to continue from', async () => {
      engine.endpoint.on(path, sendJson({ entries: [null], more: true }));
      expect(await engine.realtime[name].read({ count: 1 }, never)).toMatchObject({
        ok: false,
        error: { kind: 'malformed' },
      });
    });
  });

  /** Reads a stream of these events, while the log is watched. */
  const readAll = async (events: readonly string[], realtime = engine.realtime) => {
    let wakes = 0;
    const stop = realtime[name].watch(() => (wakes += 1));
    engine.endpoint.on(STREAM, sendEvents(events, 'end'));
    const stream = recordSignals(realtime);
    await stream.untilEnded();
    stop();
    const types = stream.signals.slice(0, -1).map(({ type }) => type);
    return { wakes, types };
  };

  describe('watching', () => {
    test('an event of the log notifies the watcher, and is not a signal of the stream', async () => {
      expect(await readAll([toBeat(1), grown, toEntries(2), grown, toBeat(3)])).toEqual({
        wakes: 2,
        types: ['beat', 'entries', 'beat'],
      });
    });

    test('an event of the other log does not notify the watcher', async () => {
      const other = toEvent(name === 'own' ? 'staff' : 'own', { timetoken: AT[0] });
      expect(await readAll([toBeat(1), other, grown, other])).toEqual({
        wakes: 1,
        types: ['beat'],
      });
      expect(engine.logged).toEqual([]);
    });

    test.each([
      ['without a position', toEvent(name, {})],
      ['of broken JSON', toEvent(name, '{"timetoken":')],
      ['with a number', toEvent(name, { timetoken: 17 })],
    ])('an event %s is logged and ignored', async (_title, event) => {
      expect(await readAll([toEntries(1), event, toEntries(2)])).toEqual({
        wakes: 0,
        types: ['entries', 'entries'],
      });
      expect(engine.logged).toEqual(['REALTIME_EVENT_MALFORMED']);
    });

    test('an event between a malformed one and the next does not hide the omission', async () => {
      const events = [toEntries(1), toEvent('entries', '{"entries":['), grown, toEntries(2)];
      expect(await readAll(events)).toEqual({ wakes: 1, types: ['entries', 'opened', 'entries'] });
    });

    test('ends with the stream, even within one chunk of the wire', async () => {
      engine.endpoint.on(STREAM, sendEvents([grown + grown], 'open'));
      let wakes = 0;
      const woken = new Promise<void>((resolve) => {
        engine.realtime[name].watch(() => {
          wakes += 1;
          stream.stop();
          setImmediate(resolve);
        });
      });
      const stream = recordSignals(engine.realtime);
      await woken;
      expect(wakes).toBe(1);
    });

    test('ends for one listener only', async () => {
      let wakes = 0;
      const listener = (): number => (wakes += 1);
      const stop = engine.realtime[name].watch(listener);
      engine.realtime[name].watch(listener);
      stop();
      stop();
      await readAll([grown]);
      expect(wakes).toBe(1);
    });
  });

  describe('an engine whose code loads at its first use', () => {
    const load = () => Promise.resolve(ok(engine.realtime));

    test('is watched once it is loaded; watching does not load it', async () => {
      let loads = 0;
      const answers: Result<Realtime, AppError>[] = [fail({ kind: 'unreachable' })];
      const lazy = createLazyRealtime(() => {
        loads += 1;
        return Promise.resolve(answers.shift() ?? ok(engine.realtime));
      });
      lazy[name].watch(() => undefined)();
      expect(loads).toBe(0);
      engine.endpoint.on(path, sendJson({ entries: [], more: false }));
      expect(await lazy[name].read({ count: 1 }, never)).toEqual(fail({ kind: 'unreachable' }));
      expect(await lazy[name].read({ count: 1 }, never)).toEqual(ok({ entries: [], full: false }));
      expect(await readAll([toBeat(1), grown], lazy)).toEqual({ wakes: 1, types: ['beat'] });
      expect(await readAll([grown, grown], lazy)).toEqual({ wakes: 2, types: [] });
      expect(loads).toBe(2);
    });

    test('passes calls through', async () => {
      const lazy = createLazyRealtime(load);
      engine.endpoint.on(path, sendJson({ timetoken: AT[0] }));
      expect(await lazy[name].publish('id-1', PAYLOAD, never)).toEqual(ok(AT[0]));
      engine.endpoint.on(path, sendJson({ entries: [], more: false }));
      expect(await lazy[name].read({ count: 1 }, never)).toEqual(ok({ entries: [], full: false }));
    });
  });
});
