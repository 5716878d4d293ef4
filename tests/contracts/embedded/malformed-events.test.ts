import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { recordSignals } from '#tests/support/signal-recorder.ts';

import {
  isWhole,
  readPieces,
  type ScriptedEngine,
  startScriptedEngine,
  toEvent,
  toSignalTexts as toTexts,
  toWireEntry,
} from '../scripted-engine.ts';

const CURSOR = '00000000000000042';
const BEAT = toEvent('beat', { cursor: CURSOR });

let engine: ScriptedEngine;
beforeEach(async () => {
  engine = await startScriptedEngine();
});
afterEach(() => engine.endpoint.close());

const readAll = (pieces: readonly string[]) => readPieces(engine, pieces);
const good = (ticks: number) => toEvent('entries', { entries: [toWireEntry(ticks)] });

describe('malformed input', () => {
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
    expect(toTexts(signals)).toEqual(['opened', 'text 1', 'text 3']);
    expect(engine.logged).toHaveLength(bad.length);
  });

  test('an entry of an unknown channel causes an omission before the next event', async () => {
    const foreign = [
      '',
      'chat',
      'chat.c_001.lobby',
      'chat..team',
      'xchat.c_001.team',
      'chat.c_001.teamx',
    ];
    const entries = foreign.map((channel, at) => toWireEntry(at + 1, { channel }));
    const signals = await readAll([toEvent('entries', { entries }), BEAT, good(43)]);
    expect(signals.slice(0, 2)).toEqual([
      { type: 'opened', after: CURSOR },
      { type: 'beat', cursor: CURSOR },
    ]);
    expect(toTexts(signals.slice(2))).toEqual(['text 43']);
    expect(engine.logged).toEqual([]);
  });

  test('entries are read by a changed template from the first unknown channel on', async () => {
    const moved = (ticks: number) =>
      toEvent('entries', { entries: [toWireEntry(ticks, { channel: 'talk.c_001.team' })] });
    engine.serveTemplate('talk.{cid}.{rid}');
    const served = engine.holdStream();
    const stream = recordSignals(engine.realtime);
    const response = await served;
    response.write(moved(1) + BEAT);
    await stream.untilBeat();
    response.end(moved(43));
    await stream.untilEnded();
    expect(toTexts(stream.signals.filter(isWhole))).toEqual(['opened', 'beat', 'text 43', 'ended']);
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
