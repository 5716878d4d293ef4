import { afterEach, beforeEach, expect, test } from 'vitest';

import type { StreamSignal } from '#domain/ports/network.ts';
import {
  ODD_MESSAGES,
  TEXTLESS_MESSAGES,
  WRONG_ENTRIES,
  WRONG_EVENTS,
} from '#tests/support/hostile-payloads.ts';
import { sendEvents, sendJson } from '#tests/support/services/scripted-endpoint.ts';

import {
  isWhole,
  type ScriptedEngine,
  startScriptedEngine,
  toEvent,
  toWireEntry,
} from '../scripted-engine.ts';
import { untilPasses } from '#tests/support/wait-for.ts';

const ROOM = 'c_001/team';
const MESSAGES = [...TEXTLESS_MESSAGES, ...ODD_MESSAGES];
const FIRST = 1_000;

/** A valid entry with any message, as JSON. */
const toEntryJson = (ticks: number, message: string): string =>
  JSON.stringify(toWireEntry(ticks, { message: 'HERE' })).replace('"HERE"', () => message);

/** Entries with any message, each followed by one of another shape, as JSON. */
const ENTRIES = MESSAGES.flatMap((message, index) => [
  toEntryJson(FIRST + index, message),
  JSON.stringify(WRONG_ENTRIES[index % WRONG_ENTRIES.length]),
]);
const TIMETOKENS = MESSAGES.map((_, index) => toWireEntry(FIRST + index).timetoken);
const toEntries = (entries: readonly string[], more = ''): string =>
  `{"entries":[${entries.join(',')}]${more}}`;

let engine: ScriptedEngine;
beforeEach(async () => {
  engine = await startScriptedEngine();
});
afterEach(() => engine.endpoint.close());

test('a history page with hostile entries keeps all the others', async () => {
  engine.endpoint.on('/api/realtime/history', sendJson(toEntries(ENTRIES, ',"more":true')));
  const page = await engine.realtime.readHistory(
    { room: ROOM, count: 100 },
    new AbortController().signal,
  );
  expect(page).toMatchObject({ ok: true, value: { full: true } });
  const entries = page.ok ? page.value.entries : [];
  expect(entries.map(({ timetoken }) => timetoken)).toEqual(TIMETOKENS);
});

test('hostile events and entries are skipped, and the cursor advances', async () => {
  const cursor = toWireEntry(FIRST + MESSAGES.length).timetoken;
  const pieces = [
    ...WRONG_EVENTS.map(([event, data]) => toEvent(event, data)),
    toEvent('entries', toEntries(ENTRIES.slice(0, 60))),
    ...WRONG_EVENTS.map(([event, data]) => toEvent(event, data)),
    toEvent('entries', toEntries(ENTRIES.slice(60))),
    toEvent('beat', { cursor }),
  ];
  engine.endpoint.on('/api/realtime/stream', sendEvents(pieces, 'open'));
  const signals: StreamSignal[] = [];
  const close = engine.realtime.openStream(undefined, (signal) => void signals.push(signal));
  await untilPasses(() => expect(signals.at(-1)).toEqual({ type: 'beat', cursor }));
  close();
  const entries = signals.flatMap((signal) => (signal.type === 'entries' ? signal.entries : []));
  expect(entries.map(({ timetoken }) => timetoken)).toEqual(TIMETOKENS);
  // Some of the skipped events may have contained entries.
  expect(signals.filter(isWhole).map(({ type }) => type)).toEqual([
    'opened',
    'entries',
    'opened',
    'entries',
    'beat',
  ]);
});
