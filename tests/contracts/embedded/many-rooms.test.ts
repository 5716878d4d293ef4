import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { fromEpochMs } from '#domain/timetoken.ts';
import { sendJson } from '#tests/support/services/scripted-endpoint.ts';

import { never } from '../realtime-harness.ts';
import { type ScriptedEngine, startScriptedEngine, toWireEntry } from '../scripted-engine.ts';

const ROOM = toRoomKey('c_001', 'team');
const GENERAL = toRoomKey('c_001', 'general');

let engine: ScriptedEngine;
beforeEach(async () => {
  engine = await startScriptedEngine();
});
afterEach(() => engine.endpoint.close());

describe('newest pages', () => {
  const readNewest = (pages: unknown) => {
    engine.endpoint.on('/api/realtime/history', sendJson({ pages }));
    return engine.realtime.readNewest([ROOM, GENERAL], never);
  };

  test('have only the entries of their room', async () => {
    const foreign = toWireEntry(2, { channel: 'chat.c_001.general' });
    const answer = await readNewest({
      'chat.c_001.team': { entries: [toWireEntry(1), null, foreign], more: false },
      'chat.c_001.producers': { entries: [], more: false },
    });
    expect(answer).toMatchObject({ ok: true });
    expect(answer.ok && [...answer.value.keys()]).toEqual([ROOM]);
    expect(answer.ok && answer.value.get(ROOM)).toMatchObject({
      full: false,
      entries: [{ room: ROOM, message: { text: 'text 1' } }],
    });
  });

  test('are full with the maximum number of entries, if the answer does not state it', async () => {
    const entries = Array.from({ length: 25 }, (_, at) => toWireEntry(at + 1));
    const answer = await readNewest({ 'chat.c_001.team': { entries } });
    expect(answer.ok && answer.value.get(ROOM)?.full).toBe(true);
  });

  test('that are full of unreadable entries are omitted', async () => {
    const answer = await readNewest({
      'chat.c_001.team': { entries: [{}, {}], more: true },
      'chat.c_001.general': { entries: [], more: false },
    });
    expect(answer).toEqual({ ok: true, value: new Map([[GENERAL, { entries: [], full: false }]]) });
  });
});

describe('counts', () => {
  test('are ignored for other channels', async () => {
    engine.endpoint.on(
      '/api/realtime/counts',
      sendJson({ counts: { 'chat.c_001.team': 3, 'chat.c_001.lobby': 9, other: 1 } }),
    );
    const answer = await engine.realtime.countSince(new Map([[ROOM, fromEpochMs(1)]]), never);
    expect(answer).toEqual({ ok: true, value: new Map([[ROOM, 3]]) });
  });

  test('are requested in batches for many rooms', async () => {
    const seen: string[] = [];
    engine.endpoint.on('/api/realtime/counts', async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const { since } = JSON.parse(body) as { since: Record<string, string> };
      seen.push(...Object.keys(since));
      expect(body.length).toBeLessThan(65_536);
      const counts = Object.fromEntries(Object.keys(since).map((key) => [key, 1]));
      await sendJson({ counts })(request, response);
    });
    const since = new Map(
      Array.from({ length: 1000 }, (_, at): [RoomKey, ReturnType<typeof fromEpochMs>] => [
        toRoomKey(`${'c'.repeat(60)}${at}`, 'producers'),
        fromEpochMs(at),
      ]),
    );
    const answer = await engine.realtime.countSince(since, never);
    expect(answer.ok && answer.value.size).toBe(1000);
    expect(seen).toHaveLength(1000);
  });
});
