import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { factSchema } from '#domain/events.ts';
import { parseIncoming, toFact } from '#domain/schemas/message.ts';
import { type Timetoken, toEpochMs } from '#domain/timetoken.ts';
import { createEntryReader } from '#src/adapters/realtime/entries.ts';
import { anyCharacter } from '#tests/support/any-character.ts';
import {
  ODD_MESSAGES,
  TEXTLESS_MESSAGES,
  WRONG_ENTRIES,
  WRONG_EVENTS,
  WRONG_TIMETOKENS,
} from '#tests/support/hostile-payloads.ts';
import { toRuns } from '#tests/support/property-seed.ts';

const TEMPLATE = 'chat.{cid}.{rid}';
const RAW_LENGTH_MAX = 2000;
const FIRST = 17_000_000_000_000_000n;
const read = createEntryReader({ write: () => undefined });

const toEntry = (index: number, message: unknown) => ({
  channel: 'chat.c_001.team',
  timetoken: String(FIRST + BigInt(index)),
  publisher: 'u_1',
  message,
});

/** Parses entries from the wire into facts; each must be storable. */
const toFacts = (entries: readonly unknown[]) =>
  read(TEMPLATE, entries).map((entry) => factSchema.parse(toFact(entry, 'live')));

/** Parses an entry between two valid ones; returns the outcome. */
const readBetween = (entry: unknown) => {
  const facts = toFacts([toEntry(0, { text: 'before' }), entry, toEntry(2, { text: 'after' })]);
  const texts = facts.map((fact) => ('text' in fact ? fact.text : fact.type));
  expect([texts.at(0), texts.at(-1)]).toEqual(['before', 'after']);
  return facts.slice(1, -1);
};

describe('a fixed payload', () => {
  it('is one of at least sixty', () => {
    const all = [TEXTLESS_MESSAGES, ODD_MESSAGES, WRONG_ENTRIES, WRONG_EVENTS];
    expect(all.flat().length).toBeGreaterThanOrEqual(60);
    expect(WRONG_TIMETOKENS.length).toBeGreaterThanOrEqual(15);
  });

  it.each(TEXTLESS_MESSAGES.map((message, index) => [index, message] as const))(
    'is unreadable without a text, and the others are not: %i',
    (_index, message) => {
      const [fact] = readBetween(toEntry(1, JSON.parse(message)));
      expect(fact).toMatchObject({ type: 'v1.UnreadableReceived' });
      const raw = fact?.type === 'v1.UnreadableReceived' ? fact.raw : '';
      expect(raw.length).toBeLessThanOrEqual(RAW_LENGTH_MAX);
      expect(raw.isWellFormed()).toBe(true);
    },
  );

  it.each(ODD_MESSAGES.map((message, index) => [index, message] as const))(
    'is shown with a text, whatever surrounds it: %i',
    (_index, message) => {
      const [fact] = readBetween(toEntry(1, JSON.parse(message)));
      expect(fact).toMatchObject({ type: 'v1.MessageReceived' });
      const { text, id, clientName, clientAvatar } =
        fact?.type === 'v1.MessageReceived' ? fact : { text: '\uD800' };
      const shown = [text, id ?? '', clientName ?? '', clientAvatar ?? ''];
      expect(shown.map((field) => field.isWellFormed())).toEqual([true, true, true, true]);
    },
  );

  it.each(WRONG_ENTRIES.map((entry, index) => [index, entry] as const))(
    'is dropped in an entry of another shape, and the others are not: %i',
    (_index, entry) => {
      expect(readBetween(entry)).toEqual([]);
    },
  );
});

const arbitraryField = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.constantFrom(undefined, null, 7, true, '\uD800', '', '__proto__'),
  fc.jsonValue({ maxDepth: 3 }),
);
const arbitraryMessage = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.record(
    {
      text: arbitraryField,
      id: arbitraryField,
      clientName: arbitraryField,
      clientAvatar: arbitraryField,
      extra: arbitraryField,
    },
    { requiredKeys: [] },
  ),
  arbitraryField,
);
const arbitraryEntry = fc.record(
  {
    channel: fc.oneof(fc.constantFrom('chat.c_001.team', 'chat.c_002.general'), arbitraryField),
    timetoken: fc.oneof(
      fc.bigInt({ min: FIRST, max: FIRST + 100n }).map(String),
      fc.constantFrom(...WRONG_TIMETOKENS),
      arbitraryField,
    ),
    publisher: fc.oneof(fc.constantFrom('u_1', 'client:c_001'), arbitraryField),
    message: arbitraryMessage,
  },
  { requiredKeys: [] },
);

describe('each of ten thousand generated payloads', () => {
  it('becomes facts or nothing between valid ones, and does not affect these', () => {
    fc.assert(
      fc.property(fc.oneof(arbitraryEntry, arbitraryMessage), (entry) => {
        for (const fact of readBetween(entry)) {
          if (!('timetoken' in fact)) continue;
          const ms = toEpochMs(fact.timetoken satisfies Timetoken);
          expect(Number.isSafeInteger(ms)).toBe(true);
          expect(fact).toMatchObject({ room: expect.stringMatching(/^c_\d+\/\w+$/) as string });
        }
      }),
      { numRuns: toRuns(10_000) },
    );
  });

  it('becomes a well-formed message or an unreadable one', () => {
    fc.assert(
      fc.property(arbitraryMessage, (message) => {
        const incoming = parseIncoming(message);
        const words = incoming.kind === 'unreadable' ? incoming.raw : incoming.text;
        expect(words.isWellFormed()).toBe(true);
        // A parsed message parses to the same one again; an unreadable one stays unreadable.
        const { kind } = parseIncoming(incoming);
        expect(kind).toBe(incoming.kind);
        const again = incoming.kind === 'message' ? parseIncoming(incoming) : incoming;
        expect(again).toEqual(incoming);
      }),
      { numRuns: toRuns(10_000) },
    );
  });
});
