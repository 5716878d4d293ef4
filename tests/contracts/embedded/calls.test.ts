import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { Realtime } from '#domain/ports/network.ts';
import { fail } from '#domain/result.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { fromEpochMs } from '#domain/timetoken.ts';
import { sendHtml, sendJson, stall } from '#tests/support/services/scripted-endpoint.ts';

import {
  HOUR_MS,
  type ScriptedEngine,
  startScriptedEngine,
  toWireEntry,
} from '../scripted-engine.ts';
import { BAD_SHAPES, FAULTS } from '../wire-faults.ts';

const ROOM = toRoomKey('c_001', 'team');
const PAYLOAD = { text: 'hello', clientName: 'Replay Harness', clientAvatar: '', id: 'id-1' };
const never = new AbortController().signal;

let engine: ScriptedEngine;
beforeEach(async () => {
  engine = await startScriptedEngine();
});
afterEach(() => engine.endpoint.close());

const CALLS: Readonly<Record<string, (realtime: Realtime) => Promise<{ readonly ok: boolean }>>> = {
  publish: (realtime) => realtime.publish(ROOM, PAYLOAD, never),
  history: (realtime) => realtime.readHistory({ room: ROOM, count: 25 }, never),
  'history of many rooms': (realtime) => realtime.readNewest([ROOM], never),
  counts: (realtime) => realtime.countSince(new Map([[ROOM, fromEpochMs(1)]]), never),
};

const toPath = (name: string): string => `/api/realtime/${name.split(' ')[0]}`;

describe.each(Object.entries(CALLS))('%s', (name, call) => {
  test.each(Object.entries(FAULTS))('returns the matching error for %s', async (_title, fault) => {
    engine.break(toPath(name), fault);
    expect(await call(engine.realtime)).toEqual({ ok: false, error: fault[1] });
  });

  test.each(Object.entries(FAULTS).filter(([, [, error]]) => error.kind !== 'rejected'))(
    'returns the error of the token request for %s, and sends nothing',
    async (_title, fault) => {
      engine.break('/api/realtime/token', fault);
      expect(await call(engine.realtime)).toEqual({ ok: false, error: fault[1] });
      expect(engine.endpoint.requests).toEqual(['GET /api/realtime/token']);
    },
  );

  test.each([400, 404, 405, 409, 413])(
    'is malformed, not rejected, if its token request is refused with %i',
    async (status) => {
      engine.endpoint.on('/api/realtime/token', sendJson({ error: 'No such path.' }, status));
      const answer = await call(engine.realtime);
      expect(answer).toMatchObject({ ok: false, error: { kind: 'malformed' } });
    },
  );

  test.each(Object.entries(BAD_SHAPES))(
    'is malformed if answered with an invalid body, %s',
    async (_title, handler) => {
      engine.endpoint.on(toPath(name), handler);
      expect(await call(engine.realtime)).toMatchObject({
        ok: false,
        error: { kind: 'malformed' },
      });
    },
  );

  test('sends nothing without public settings', async () => {
    const unset = await startScriptedEngine(fail({ kind: 'timeout' }));
    expect(await call(unset.realtime)).toEqual({ ok: false, error: { kind: 'timeout' } });
    expect(unset.endpoint.requests).toEqual([]);
    await unset.endpoint.close();
  });
});

describe('a refused channel', () => {
  const publish = () => engine.realtime.publish(ROOM, PAYLOAD, never);
  let status = 400;
  beforeEach(() =>
    engine.endpoint.on('/api/realtime/publish', async (request, response) => {
      const body = (await request.toArray()).join('');
      const answer = body.includes('"talk.c_001.team"')
        ? sendJson({ timetoken: '17000000000000000' })
        : sendJson({ error: 'This is not the channel of a room.' }, status);
      await answer(request, response);
    }),
  );

  test.each([400, 410])('is named by the current template (%i)', async (refusal) => {
    status = refusal;
    engine.serveTemplate('talk.{cid}.{rid}');
    expect((await publish()).ok).toBe(true);
    expect((await publish()).ok).toBe(true);
    expect(engine.endpoint.requests.slice(1)).toHaveLength(3);
  });

  test.each([400, 410])('is refused once if there is no other (%i)', async (refusal) => {
    status = refusal;
    expect(await publish()).toMatchObject({ ok: false, error: { kind: 'rejected', status } });
    expect(engine.endpoint.requests.slice(1)).toHaveLength(1);
  });
});

describe('publish', () => {
  test('ends at once when cancelled', async () => {
    engine.endpoint.on('/api/realtime/publish', stall);
    const cancel = new AbortController();
    const answer = engine.realtime.publish(ROOM, PAYLOAD, cancel.signal);
    cancel.abort();
    expect(await answer).toEqual({ ok: false, error: { kind: 'unreachable' } });
  });

  test('is too large if refused for its size (413)', async () => {
    engine.endpoint.on('/api/realtime/publish', sendJson({ error: 'Too large.' }, 413));
    const answer = await engine.realtime.publish(ROOM, PAYLOAD, never);
    expect(answer).toMatchObject({ ok: false, error: { kind: 'too-large', limit: 32_768 } });
  });
});

describe('token', () => {
  beforeEach(() => engine.endpoint.on('/api/realtime/history', sendJson({ entries: [] })));
  const read = () => engine.realtime.readHistory({ room: ROOM, count: 1 }, never);

  test('is requested once by concurrent calls', async () => {
    await Promise.all([read(), read(), read()]);
    expect(engine.countTokens()).toBe(1);
  });

  test('is cached until half of its life', async () => {
    await read();
    engine.advance(HOUR_MS / 2 - 1);
    await read();
    expect(engine.countTokens()).toBe(1);
    engine.advance(1);
    await read();
    await expect.poll(() => engine.countTokens()).toBe(2);
  });

  test('is requested again after renewToken', async () => {
    await read();
    engine.realtime.renewToken();
    await read();
    expect(engine.countTokens()).toBe(2);
  });

  test('is not cached if it was pending during renewToken', async () => {
    const release = engine.holdToken();
    const early = read();
    await expect.poll(() => engine.countTokens()).toBe(1);
    engine.realtime.renewToken();
    release();
    expect(await early).toMatchObject({ ok: true });
    await read();
    expect(engine.countTokens()).toBe(2);
  });

  test('causes no flood of requests if a wrong device clock makes it seem expired', async () => {
    engine.advance(10 * HOUR_MS);
    await read();
    await read();
    expect(engine.countTokens()).toBe(1);
  });

  test('is never used if it is for another user', async () => {
    engine.openFor('u_1');
    engine.healToken('u_2');
    expect(await read()).toEqual({ ok: false, error: { kind: 'unauthenticated' } });
    expect(engine.endpoint.requests).toEqual(['GET /api/realtime/token']);
    engine.healToken('u_1');
    expect((await read()).ok).toBe(true);
  });

  test('is not used for the next user if it is for the previous one', async () => {
    engine.openFor('u_1');
    engine.healToken('u_1');
    await read();
    engine.openFor('u_2');
    engine.healToken('u_2');
    expect((await read()).ok).toBe(true);
    expect(engine.countTokens()).toBe(2);
  });

  test('is requested again if the request failed', async () => {
    engine.endpoint.on('/api/realtime/token', sendHtml());
    expect((await read()).ok).toBe(false);
    engine.healToken();
    expect((await read()).ok).toBe(true);
  });
});

describe('history page', () => {
  const read = (entries: readonly unknown[], count: number) => {
    engine.endpoint.on('/api/realtime/history', sendJson({ entries }));
    return engine.realtime.readHistory({ room: ROOM, count }, never);
  };

  test('counts as full if the engine limits it by size', async () => {
    const entries = [toWireEntry(1), toWireEntry(2)];
    engine.endpoint.on('/api/realtime/history', sendJson({ entries, more: true }));
    const heavy = await engine.realtime.readHistory({ room: ROOM, count: 100 }, never);
    expect(heavy).toMatchObject({ ok: true, value: { full: true } });
    engine.endpoint.on('/api/realtime/history', sendJson({ entries, more: false }));
    const last = await engine.realtime.readHistory({ room: ROOM, count: 2 }, never);
    expect(last).toMatchObject({ ok: true, value: { full: false } });
  });

  test('drops only malformed or foreign entries, and stays full', async () => {
    const bad = [
      null,
      7,
      {},
      toWireEntry(2, { timetoken: 12 }),
      toWireEntry(3, { publisher: null }),
    ];
    const foreign = [
      toWireEntry(4, { channel: 'other' }),
      toWireEntry(5, { channel: 'chat.c_001.general' }),
    ];
    const answer = await read([toWireEntry(1), ...bad, ...foreign, toWireEntry(9)], 9);
    expect(answer).toMatchObject({
      ok: true,
      value: {
        full: true,
        entries: [{ message: { text: 'text 1' } }, { message: { text: 'text 9' } }],
      },
    });
    expect(engine.logged).toHaveLength(bad.length);
  });

  test('keeps messages of any shape for the reader to judge', async () => {
    const messages = [null, 5, 'plain', [], { nested: { deep: true } }];
    const answer = await read(
      messages.map((message, at) => toWireEntry(at + 1, { message })),
      25,
    );
    expect(answer.ok && answer.value.entries.map((entry) => entry.message)).toEqual(messages);
  });

  test('is an error, not an endless loop, if it is full of unreadable entries', async () => {
    expect(await read([{}, {}], 2)).toMatchObject({ ok: false, error: { kind: 'malformed' } });
  });
});
