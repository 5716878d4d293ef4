import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { ScannedMessage } from '#db/read/scan-messages.ts';
import { parseSearchQuery } from '#domain/text/search-query.ts';
import { fromEpochMs, previousTimetoken, TIMETOKEN_MAX } from '#domain/timetoken.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { MessageIndex } from '#src/search/message-index.ts';

const NOW = new Date(2026, 10, 23, 12).getTime();
const MINUTE = 60_000;
const TEAM = toRoomKey('c_001', 'team');
const PRODUCERS = toRoomKey('c_002', 'producers');

const toMessage = (
  n: number,
  text: string | undefined,
  more: Partial<ScannedMessage> = {},
): ScannedMessage => ({
  key: `${more.room ?? TEAM}|${n}`,
  room: TEAM,
  timetoken: fromEpochMs(NOW + n * MINUTE),
  publisher: 'u_leila',
  clientName: 'Somebody',
  text,
  ...more,
});

const createIndex = (messages: readonly ScannedMessage[]) => {
  const index = new MessageIndex();
  index.setDirectory({
    user: { uid: 'u_me', name: 'Jonas Weidner' },
    teams: [
      { client_id: 'c_001', client: { first_name: 'Maya', last_name: 'Okafor' } },
      { client_id: 'c_002', client: { first_name: 'Søren', last_name: 'Kjærgaard' } },
    ],
    staff: [
      { uid: 'u_leila', name: 'Leila Haddad' },
      { uid: 'u_carmen', name: 'Carmen Diaz' },
    ],
  });
  index.put(messages);
  const find = (text: string, limit = 10) =>
    index.search(parseSearchQuery(text, NOW), limit).hits.map(({ excerpt }) => excerpt.text);
  return { index, find };
};

describe('the messages in memory', () => {
  test('are found newest first, across rooms, whatever the order of reading', () => {
    const { index, find } = createIndex([
      toMessage(3, 'cut three'),
      toMessage(1, 'cut one', { room: PRODUCERS }),
    ]);
    index.put([toMessage(2, 'cut two')]);
    expect(find('cut')).toEqual(['cut three', 'cut two', 'cut one']);
    expect(find('cut', 2)).toEqual(['cut three', 'cut two']);
    expect(index.search(parseSearchQuery('cut', NOW), 1)).toMatchObject({ total: 3 });
    expect(index.coverage(true)).toEqual({
      messages: 3,
      since: fromEpochMs(NOW + MINUTE),
      isWhole: true,
    });
  });

  test('follow changes: edited, removed, and all at once', () => {
    const { index, find } = createIndex([toMessage(1, 'first'), toMessage(2, 'second')]);
    index.put([toMessage(1, 'first again')]);
    expect(find('first')).toEqual(['first again']);
    index.remove([toMessage(1, '').key]);
    expect(find('first')).toEqual([]);
    index.remove();
    expect(index.coverage(true)).toMatchObject({ messages: 0, since: undefined });
  });

  test('give the same results after each change as if they had just been read', () => {
    const id = fc.integer({ min: 0, max: 9 });
    const message = fc.record({
      id,
      minute: fc.integer({ min: -9, max: 9 }),
      room: fc.constantFrom(TEAM, PRODUCERS),
      publisher: fc.constantFrom('u_leila', 'client:c_001'),
      oldId: fc.option(id),
    });
    const change = fc.oneof(fc.array(message), id, fc.constant('all' as const));
    const toKey = (room: string, n: number): string => `${room}|${n}`;
    const answer = (index: MessageIndex) => {
      const { clients, ...figures } = index.count({ days: 7, now: NOW });
      const byId = Object.fromEntries(clients.map((each) => [each.clientId, each]));
      return { found: index.search(parseSearchQuery('', NOW), 20), figures, byId };
    };
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const { index } = createIndex([]);
        const kept = new Map<string, ScannedMessage>();
        const put = (each: readonly ScannedMessage[]): void => {
          for (const { oldKey, ...one } of each) {
            if (oldKey !== undefined) kept.delete(oldKey);
            kept.set(one.key, one);
          }
          index.put(each);
        };
        const remove = (key: string): void => {
          kept.delete(key);
          index.remove([key]);
        };
        for (const each of changes) {
          if (each === 'all') {
            kept.clear();
            index.remove();
          } else if (typeof each === 'number') remove(toKey(TEAM, each));
          else {
            const toOne = ({ id: n, minute, room, publisher, oldId }: (typeof each)[number]) =>
              toMessage(minute, `${n}`, {
                ...(oldId !== null && { oldKey: toKey(TEAM, oldId) }),
                key: toKey(room, n),
                room,
                publisher,
              });
            put(each.map(toOne));
          }
          const sorted = [...kept.values()].toSorted((a, b) =>
            a.timetoken < b.timetoken ? -1 : 1,
          );
          expect(answer(index)).toEqual(answer(createIndex(sorted).index));
        }
      }),
    );
  });

  test('can be filtered by author, place and time', () => {
    const { find } = createIndex([
      toMessage(1, 'by Leila'),
      toMessage(2, 'by me', { publisher: 'u_me' }),
      toMessage(3, 'by the client', { publisher: 'client:c_002', room: PRODUCERS }),
      toMessage(4, 'by a namesake', { publisher: 'u_carmen' }),
      toMessage(-3000, 'long ago'),
    ]);
    expect(find('from:carmen')).toEqual(['by a namesake']);
    expect(find('from:haddad')).toEqual(['by Leila', 'long ago']);
    expect(find('from:me')).toEqual(['by me']);
    expect(find('from:kjaergaard')).toEqual(['by the client']);
    expect(find('from:somebody')).toEqual([]);
    expect(find('in:producers by')).toEqual(['by the client']);
    expect(find('in:"maya okafor" by')).toEqual(['by a namesake', 'by me', 'by Leila']);
    expect(find('before:today')).toEqual(['long ago']);
    expect(find('by after:today in:team')).toEqual(['by a namesake', 'by me', 'by Leila']);
  });

  test('are returned with their neighbours in the room', () => {
    const { index } = createIndex([
      toMessage(1, 'before'),
      toMessage(2, 'elsewhere', { room: PRODUCERS }),
      toMessage(3, 'hit', { publisher: 'client:c_001' }),
    ]);
    const [hit] = index.search(parseSearchQuery('hit', NOW), 1).hits;
    expect(hit).toMatchObject({
      client: 'Maya Okafor',
      sender: { name: 'Maya Okafor', role: 'client' },
      before: { sender: 'Leila Haddad', text: 'before' },
      after: undefined,
    });
  });

  test('of an unlisted publisher show no claimed name beside another message', () => {
    const { index } = createIndex([
      toMessage(1, 'pay this invoice', { publisher: 'evil', clientName: 'Leila Haddad' }),
      toMessage(2, 'hit'),
    ]);
    const [hit] = index.search(parseSearchQuery('hit', NOW), 1).hits;
    expect(hit?.before).toEqual({ sender: 'Unverified', text: 'pay this invoice' });
  });

  test('without a text are counted, but neither found nor shown beside others', () => {
    const client = 'client:c_001';
    const { index, find } = createIndex([
      toMessage(-2, undefined, { publisher: client }),
      toMessage(1, 'before'),
      toMessage(2, undefined, { publisher: client }),
      toMessage(3, 'hit'),
      toMessage(4, undefined, { publisher: client }),
      toMessage(5, 'after'),
      toMessage(6, undefined, { publisher: client }),
    ]);
    expect(find('')).toEqual(['after', 'hit', 'before']);
    const [hit] = index.search(parseSearchQuery('hit', NOW), 1).hits;
    expect([hit?.before?.text, hit?.after?.text]).toEqual(['before', 'after']);
    expect(index.coverage(true)).toMatchObject({
      messages: 3,
      since: fromEpochMs(NOW + MINUTE),
    });
    const { total, clients } = index.count({ days: 7, now: NOW });
    expect([total.received, total.sent]).toEqual([4, 3]);
    expect(clients).toMatchObject([{ waitingSince: NOW + 6 * MINUTE }]);
  });

  test('are neither found nor counted once their client is no longer listed', () => {
    const room = toRoomKey('c_900', 'team');
    const { index, find } = createIndex([
      toMessage(-1, 'old client', { room, publisher: 'client:c_900' }),
      toMessage(-2, 'old and listed', { publisher: 'client:c_001' }),
    ]);
    expect(find('old')).toEqual(['old and listed']);
    expect(index.search(parseSearchQuery('', NOW), 10)).toMatchObject({ total: 1 });
    const figures = index.count({ days: 7, now: NOW });
    expect(figures.total).toMatchObject({ received: 1, activeClients: 1 });
    expect(figures.clients.map(({ clientId }) => clientId)).toEqual(['c_001']);
  });

  test('are found before the clients are known, even with a time out of range', () => {
    const index = new MessageIndex();
    index.put([toMessage(1, 'early', { timetoken: previousTimetoken(TIMETOKEN_MAX) })]);
    expect(index.search(parseSearchQuery('early', NOW), 1).hits[0]?.client).toBe('c_001');
  });
});
