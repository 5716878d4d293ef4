import * as fc from 'fast-check';

import type { Envelope } from '#domain/envelope.ts';
import type { Fact } from '#domain/events.ts';
import { WorkingSet } from '#domain/project/working-set.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { OUTGOING_CLIENT_NAME } from '#domain/schemas/message.ts';
import { anyCharacter } from '#tests/support/any-character.ts';
import {
  at,
  attempted,
  discarded,
  failed,
  ME,
  page,
  published,
  queued,
  received,
  retried,
  ROOM,
  roomRead,
} from '#tests/support/facts.ts';

/** A text of any characters, at most 20. */
export const anyText = fc.string({ unit: anyCharacter, maxLength: 20 });

/** There are few ids and moments, so that facts collide. */
/** Some contain separators, or start like the key of a message without an id. */
const IDS = ['a', 'b', 'a|b', '@c', `@${at(3)}`, '|'];
const PUBLISHERS = [ME, 'u_other', 'u_evil', 'u_me|a', 'u_%7Cme'];
const arbitraryId = fc.constantFrom(...IDS);
const arbitraryMoment = fc.integer({ min: 0, max: 30 }).map(at);

const arbitraryReceived = fc
  .record({
    timetoken: arbitraryMoment,
    publisher: fc.constantFrom(...PUBLISHERS),
    id: fc.option(arbitraryId, { nil: undefined }),
    text: fc.string({ unit: anyCharacter, maxLength: 5 }),
  })
  .map(({ timetoken, publisher, id, text }) =>
    received(timetoken, { publisher, text, ...(id === undefined ? {} : { id }) }),
  );

const arbitraryUnreadable = arbitraryMoment.map((timetoken): Fact => {
  const { room, publisher, via } = received(timetoken);
  return { type: 'v1.UnreadableReceived', room, publisher, via, timetoken, raw: '{}' };
});

const arbitraryPage = fc
  .tuple(arbitraryMoment, arbitraryMoment, fc.boolean())
  .map(([from, to, reachedStart]) => page(from, to, reachedStart));

/** Any fact, including those that no engine and no user could cause. */
export const arbitraryFact: fc.Arbitrary<Fact> = fc.oneof(
  arbitraryId.map((id) => queued(id)),
  fc.tuple(arbitraryId, arbitraryMoment).map(([id, when]) => attempted(id, when)),
  fc.tuple(arbitraryId, arbitraryMoment).map(([id, when]) => published(id, when)),
  fc.tuple(arbitraryId, fc.nat(9)).map(([id, time]) => failed(id, time)),
  fc.tuple(arbitraryId, fc.nat(9)).map(([id, time]) => retried(id, time)),
  fc.tuple(arbitraryId, fc.nat(9)).map(([id, time]) => discarded(id, time)),
  arbitraryReceived,
  arbitraryUnreadable,
  arbitraryPage,
  arbitraryMoment.map((timetoken) => roomRead(timetoken)),
  arbitraryMoment.map((timetoken): Fact => ({ type: 'v1.ReadingBegan', timetoken })),
  fc.tuple(arbitraryMoment, fc.nat(2)).map(([value, turn]): Fact => ({
    type: 'v1.RoomMarked',
    kind: 'done',
    room: ROOM,
    turn,
    value,
  })),
);

/** Any fact, in one of several rooms if it names one. */
export const arbitraryFactIn = (rooms: readonly RoomKey[]): fc.Arbitrary<Fact> =>
  fc
    .tuple(arbitraryFact, fc.constantFrom(...rooms))
    .map(([fact, room]) => ('room' in fact ? Object.assign({}, fact, { room }) : fact));

const arbitraryEntry = fc.record({
  moment: fc.integer({ min: 0, max: 200 }),
  publisher: fc.constantFrom(...PUBLISHERS),
  id: fc.option(arbitraryId, { nil: undefined }),
  isAcknowledged: fc.boolean(),
  isReadable: fc.boolean(),
});
type Entry = typeof arbitraryEntry extends fc.Arbitrary<infer T> ? T : never;

const toRemoteFacts = ({ moment, publisher, id, isAcknowledged, isReadable }: Entry): Fact[] => {
  const timetoken = at(moment);
  // The wire returns the user's own message as it was written; others may change their copies.
  const own = publisher === ME && id !== undefined;
  const text = own ? `text of ${id}` : `copy ${moment}`;
  const names = own ? { clientName: OUTGOING_CLIENT_NAME } : {};
  const known = id === undefined ? {} : { id };
  const message = received(timetoken, { publisher, text, ...names, ...known });
  if (own) return isAcknowledged ? [message, published(id, timetoken)] : [message];
  if (isReadable) return [message];
  const { room, via } = message;
  const raw = `raw ${moment}`;
  return [{ type: 'v1.UnreadableReceived', room, timetoken, publisher, via, raw }];
};

/**
 * The facts that one engine may deliver: every message under one or several timetokens, without
 * timetokens shared by two messages; own ones acknowledged under one of theirs.
 */
export const arbitraryRemoteFacts: fc.Arbitrary<readonly Fact[]> = fc
  .tuple(
    fc.array(arbitraryPage, { maxLength: 6 }),
    fc.uniqueArray(arbitraryEntry, { selector: ({ moment }) => moment, maxLength: 25 }),
  )
  .map(([pages, entries]) => [pages, entries.flatMap(toRemoteFacts)].flat());

/** Some of the facts in any order, some of them several times. */
export const shuffled = (facts: readonly Fact[]): fc.Arbitrary<readonly Fact[]> =>
  fc
    .tuple(
      fc.shuffledSubarray([...facts]),
      fc.shuffledSubarray([...facts], { minLength: facts.length }),
      fc.shuffledSubarray([...facts]),
    )
    .map((parts) => parts.flat());

const toEnvelopes = (facts: readonly Fact[]): readonly Envelope[] =>
  facts.map((fact, i) => ({ seq: i + 1, key: String(i), at: 0, fact }));

/** The tables after projecting facts, in a fixed order. */
export const toTables = (facts: readonly Fact[]) => {
  const set = new WorkingSet();
  set.apply(toEnvelopes(facts));
  const byKey = <T>(map: ReadonlyMap<string, T>) =>
    [...map].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  return {
    messages: byKey(set.messages),
    items: byKey(set.items),
    coverage: byKey(set.coverage),
    activity: byKey(set.activity),
  };
};
