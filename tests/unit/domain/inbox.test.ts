import { describe, expect, it } from 'vitest';

import type { MessageRow, OutboxItem } from '#domain/project/rows.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { orderTeams, pinFirst } from '#domain/rules/inbox.ts';
import type { RoomSummary } from '#domain/rules/waiting.ts';
import {
  findReminders,
  findNewest,
  findWaiting,
  listNewest,
  listWaiting,
} from '#domain/rules/waiting-clients.ts';
import type { Team } from '#domain/schemas/team.ts';
import { toDraftPreview, toMessagePreview, toUnsentPreview } from '#domain/text/preview.ts';
import { toFullWaitLabel, toShortLabel, toWaitLabel } from '#domain/text/short-label.ts';
import { filterTeams } from '#domain/text/search.ts';
import { toEpochMs } from '#domain/timetoken.ts';
import { at } from '#tests/support/facts.ts';

const toTeam = (client_id: string, first_name: string, last_name: string): Team => ({
  client_id,
  client: { first_name, last_name },
});
const MAYA = toTeam('c_1', 'Maya', 'Okafor');
const SOREN = toTeam('c_2', 'Søren', 'Kjærgaard');
const AOIFE = toTeam('c_3', 'Aoife', "O'Sullivan");
const ALL = [MAYA, SOREN, AOIFE];

const toRow = (room: RoomKey, n: number, over: Partial<MessageRow> = {}): MessageRow => ({
  key: `${room}|@${n}`,
  room,
  timetoken: at(n),
  publisher: 'client:c_1',
  kind: 'message',
  text: `text ${n}`,
  clientName: 'Maya',
  clientAvatar: '',
  ...over,
});
const toSummary = (room: RoomKey, n: number, since?: number): [RoomKey, RoomSummary] => [
  room,
  {
    last: toRow(room, n),
    newest: at(n),
    waitingSince: since === undefined ? undefined : at(since),
    reminder: undefined,
    isDone: false,
    assignee: undefined,
  },
];

describe('the order of clients', () => {
  it('starts with the newest activity, and keeps the list order of clients without any', () => {
    const newest = new Map([
      ['c_2', at(5)],
      ['c_3', at(9)],
    ]);
    expect(orderTeams(ALL, 'activity', newest)).toEqual([AOIFE, SOREN, MAYA]);
    expect(orderTeams(ALL, 'activity', new Map())).toEqual(ALL);
  });

  it('ignores activity, case and accents when it is by name', () => {
    const emile = toTeam('c_4', 'émile', 'B');
    expect(orderTeams([MAYA, emile, SOREN], 'name', new Map([['c_2', at(1)]]))).toEqual([
      emile,
      MAYA,
      SOREN,
    ]);
  });
});

describe('pinned clients', () => {
  it('come first, and both parts keep the order of the list', () => {
    expect(pinFirst([MAYA, SOREN, AOIFE], new Set(['c_3', 'c_2']))).toEqual([SOREN, AOIFE, MAYA]);
    expect(pinFirst([AOIFE, MAYA, SOREN], new Set(['c_2', 'c_3']))).toEqual([AOIFE, SOREN, MAYA]);
  });

  it('do not add clients that are not in the list', () => {
    expect(pinFirst([MAYA, AOIFE], new Set(['c_2', 'c_1/team', '']))).toEqual([MAYA, AOIFE]);
  });

  it('leave the list as it is if there are none: nothing is sorted again', () => {
    expect(pinFirst(ALL, new Set())).toBe(ALL);
  });
});

const NOW = { queued: new Set<RoomKey>(), now: toEpochMs(at(500)) };

describe('clients who wait', () => {
  const summaries = new Map([
    toSummary('c_1/team', 8, 7),
    toSummary('c_1/general', 6, 3),
    toSummary('c_2/team', 2, 2),
    toSummary('c_3/team', 9),
  ]);

  it('wait as long as the longest waiting room, and the longest waiting is first', () => {
    const waiting = findWaiting(summaries, NOW);
    expect(Object.fromEntries(waiting)).toEqual({ c_1: at(3), c_2: at(2) });
    expect(listWaiting(ALL, waiting)).toEqual([SOREN, MAYA]);
  });

  it('no longer wait in a room whose answer is queued', () => {
    const waiting = findWaiting(summaries, {
      ...NOW,
      queued: new Set<RoomKey>(['c_2/team', 'c_1/general']),
    });
    expect(Object.fromEntries(waiting)).toEqual({ c_1: at(7) });
  });

  it('are not listed while a reminder is pending, until it is due or they write again', () => {
    const remindAt = (due: number, upTo: number) =>
      new Map([
        ...summaries,
        [
          'c_2/team',
          { ...toSummary('c_2/team', 2, 2)[1], reminder: { due: at(due), upTo: at(upTo) } },
        ],
      ] as const);
    const listAt = (due: number, upTo: number) => [...findWaiting(remindAt(due, upTo), NOW).keys()];
    expect(listAt(501, 2)).toEqual(['c_1']);
    expect(listAt(501, 1)).toEqual(['c_1', 'c_2']);
    expect(listAt(500, 2)).toEqual(['c_1', 'c_2']);
    const later = findReminders(remindAt(501, 2), NOW.now);
    expect([[...later.due], [...later.later]]).toEqual([
      [],
      [['c_2/team', { due: at(501), upTo: at(2) }]],
    ]);
    const due = findReminders(remindAt(500, 1), NOW.now);
    expect([[...due.due], [...due.later]]).toEqual([
      [['c_2/team', { due: at(500), upTo: at(1) }]],
      [],
    ]);
  });

  it('show the newest entry of their rooms', () => {
    expect(findNewest(['c_1/team', 'c_1/general'], summaries)?.last.room).toBe('c_1/team');
    expect(findNewest(['c_9/team'], summaries)).toBeUndefined();
    expect(listNewest(summaries).get('c_1')).toBe(at(8));
  });
});

describe('a preview', () => {
  const user = { uid: 'u_me', name: 'Jonas Weidner', email: null, image: null } as const;
  const people = {
    user: { ...user, role: 'team' as const },
    team: MAYA,
    staff: [{ uid: 'u_leila', name: 'Leila Haddad' }],
  };
  const from = (publisher: string, text = 'a  text\nin two lines') =>
    toMessagePreview(toRow('c_1/team', 1, { publisher, text, clientName: 'Maya Okafor' }), people);

  it('names the sender in a word; it does not show the name that a stranger claims', () => {
    expect(from('u_me')).toMatchObject({ lead: 'You', text: 'a text in two lines' });
    expect(from('u_leila').lead).toBe('Leila');
    expect(from('client:c_1').lead).toBe('Maya');
    expect(from('u_stranger').lead).toBe('Unverified');
    expect(from('client:c_2').lead).toBe('Unverified');
  });

  it('is one line of limited length, even for a very long or unreadable text', () => {
    expect(Array.from(from('u_me', '😀'.repeat(40_000)).text)).toHaveLength(161);
    expect(from('u_me', `${'\u0301'.repeat(9)}\n\n\t x`).text).not.toContain('\n');
    const unreadable = toRow('c_1/team', 1, { kind: 'unreadable', text: '{"a":1}' });
    expect(toMessagePreview(unreadable, people).text).toBe("This message can't be shown here.");
  });

  it('labels texts that are not in the room yet', () => {
    const item: OutboxItem = {
      id: 'a',
      room: 'c_1/team',
      seq: 1,
      text: 'On it',
      uid: 'u_me',
      at: 7,
      state: 'queued',
    };
    expect(toDraftPreview(' Well, \n')).toMatchObject({ lead: 'Draft', text: 'Well,' });
    expect(toUnsentPreview(item)).toMatchObject({ lead: 'Queued', text: 'On it', at: 7 });
    const refused: OutboxItem = { ...item, state: 'failed' };
    expect(toUnsentPreview(refused)).toMatchObject({ lead: 'Not sent', kind: 'failed' });
  });
});

describe('short labels', () => {
  const now = new Date(2026, 10, 23, 15, 0).getTime();
  const label = (...date: [number, number, number, number?, number?]) =>
    toShortLabel(new Date(...date).getTime(), now);

  it('get coarser with age', () => {
    expect(label(2026, 10, 23, 14, 5)).toBe('2:05 PM');
    expect(label(2026, 10, 22, 23, 59)).toBe('Yesterday');
    expect(label(2026, 10, 21)).toBe('Sat');
    expect(label(2026, 10, 17)).toBe('Tue');
    expect(label(2026, 10, 16)).toBe('16 Nov');
    expect(label(2026, 9, 12)).toBe('12 Oct');
    expect(label(2025, 9, 12)).toBe('12/10/2025');
    expect(label(2026, 10, 24)).toBe('24 Nov');
    expect(toShortLabel(Number.NaN, now)).toBe('');
  });

  it('show a wait in full hours, then in full days, and nothing below an hour', () => {
    const hour = 3_600_000;
    expect(toWaitLabel(now - hour + 1, now)).toBe('');
    expect(toWaitLabel(now - hour, now)).toBe('1 h');
    expect(toWaitLabel(now - 23.9 * hour, now)).toBe('23 h');
    expect(toWaitLabel(now - 49 * hour, now)).toBe('2 d');
    expect(toWaitLabel(now + hour, now)).toBe('');
    expect(toWaitLabel(Number.NaN, now)).toBe('');
  });

  it('show a wait below an hour in minutes, at least one, if there is space', () => {
    const minute = 60_000;
    expect(toFullWaitLabel(now - 60 * minute, now)).toBe('1 h');
    expect(toFullWaitLabel(now - 59.9 * minute, now)).toBe('59 min');
    expect(toFullWaitLabel(now - 1, now)).toBe('1 min');
    expect(toFullWaitLabel(now + minute, now)).toBe('1 min');
    expect(toFullWaitLabel(Number.NaN, now)).toBe('1 min');
  });
});

describe('searching clients', () => {
  it.each(['kjaer', 'KJÆR', 'kjær', 'soren', 'søren', 'osull', "o'sull"])('finds %s', (query) => {
    expect(filterTeams(ALL, query)).toHaveLength(1);
  });
});
