import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { Realtime } from '#domain/ports/network.ts';
import { toRoomKey } from '#domain/rooms.ts';

import { type PubnubEngine, startPubnubEngine } from './engine.ts';
import { mustGet, never, toPayload } from '../realtime-desk.ts';

const ROOM = toRoomKey('c_1', 'team');

let engine: PubnubEngine;
let realtime: Realtime;
beforeEach(async () => {
  engine = await startPubnubEngine();
  realtime = engine.connect('u_1');
});
afterEach(() => engine.close());

const read = () => realtime.readHistory({ room: ROOM, count: 25 }, never);

describe('a token in the second half of its life', () => {
  const breakTokens = (status: number) =>
    engine.server.on('/u_1/api/realtime/token', (_request, response) => {
      const headers = { 'content-type': 'application/json' };
      response.writeHead(status, headers).end('{"error":"No."}');
    });
  beforeEach(async () => {
    mustGet(await read());
    engine.advance(10 * 60_000);
  });

  test('is used while no other one is available, until it expires', async () => {
    breakTokens(502);
    mustGet(await realtime.publish(ROOM, toPayload('hello'), never));
    mustGet(await read());
    expect(engine.countTokens()).toBe(2);
    engine.advance(6 * 60_000);
    expect(await read()).toMatchObject({ ok: false, error: { kind: 'server', status: 502 } });
  });

  test('is not used after the session ended', async () => {
    breakTokens(401);
    expect(await read()).toEqual({ ok: false, error: { kind: 'unauthenticated' } });
  });
});
