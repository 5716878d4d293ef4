import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { Realtime } from '#domain/ports/network.ts';
import { toRoomKey } from '#domain/rooms.ts';
import type { Handler } from '#tests/support/services/scripted-endpoint.ts';
import { recordSignals } from '#tests/support/signal-recorder.ts';

import { type PubnubEngine, startPubnubEngine } from './engine.ts';
import { mustGet, never, toPayload } from '../realtime-harness.ts';

const ROOM = toRoomKey('c_1', 'team');

let engine: PubnubEngine;
let realtime: Realtime;
beforeEach(async () => {
  engine = await startPubnubEngine({ probeMs: 100 });
  realtime = engine.connect('u_1');
});
afterEach(() => engine.close());

const read = () => realtime.readHistory({ room: ROOM, count: 25 }, never);

const answerTokens = (handler: Handler): void =>
  engine.server.on('/u_1/api/realtime/token', handler);
const breakTokens = (status: number): void =>
  answerTokens((_request, response) => {
    const headers = { 'content-type': 'application/json' };
    response.writeHead(status, headers).end('{"error":"No."}');
  });

describe('a token in the second half of its life', () => {
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

  test('is used while the request for another one hangs', async () => {
    const onClose = vi.fn<() => void>();
    answerTokens((_request, response) => void response.once('close', onClose));
    const stream = recordSignals(realtime);
    mustGet(await realtime.publish(ROOM, toPayload('hello'), never));
    mustGet(await read());
    await stream.until((signals) => signals.filter(({ type }) => type === 'beat').length > 2);
    stream.stop();
    expect(engine.countTokens()).toBe(2);
    expect(onClose).not.toHaveBeenCalled();
  });

  test('is not used after the session ended', async () => {
    breakTokens(401);
    await expect.poll(read).toEqual({ ok: false, error: { kind: 'unauthenticated' } });
  });
});

describe('a token that does not cover a room', () => {
  const readOther = () =>
    realtime.readHistory({ room: toRoomKey('c_new', 'team'), count: 25 }, never);

  test('is used for the other rooms while no other one is available', async () => {
    mustGet(await read());
    breakTokens(502);
    expect(await readOther()).toMatchObject({ ok: false, error: { kind: 'forbidden' } });
    mustGet(await realtime.publish(ROOM, toPayload('hello'), never));
    expect(engine.countTokens()).toBe(2);
  });

  test('is used for the other rooms while the request for another one hangs', async () => {
    mustGet(await read());
    const onClose = vi.fn<() => void>();
    answerTokens((_request, response) => void response.once('close', onClose));
    const cancel = new AbortController();
    void realtime.readHistory({ room: toRoomKey('c_new', 'team'), count: 25 }, cancel.signal);
    await expect.poll(() => engine.countTokens()).toBe(2);
    mustGet(await realtime.publish(ROOM, toPayload('hello'), never));
    expect(onClose).not.toHaveBeenCalled();
  });
});

test('a refused token is used again only if no other one is available', async () => {
  mustGet(await read());
  realtime.renewToken();
  breakTokens(502);
  mustGet(await read());
  engine.endpoint.access.expireAll();
  expect(await read()).toEqual({ ok: false, error: { kind: 'unauthenticated' } });
  expect(engine.countTokens()).toBe(3);
});
