import { describe, expect, it } from 'vitest';
import { ROOM_IDS, toRoomKey } from '#domain/rooms.ts';
import type { Team } from '#domain/schemas/team.ts';
import { toRemindLabel } from '#domain/text/remind-times.ts';
import { toShortLabel } from '#domain/text/short-label.ts';
import { type Timetoken, toEpochMs } from '#domain/timetoken.ts';
import { type Section, withPinned } from '#src/home/sections.ts';
import { at, idAt } from '#tests/support/facts.ts';

import {
  GONE,
  HOME_DATA,
  ONE,
  THREE,
  TWO,
  compose,
  remind,
  toItem,
  toRooms,
  toSummary,
  toUnread,
} from './home-data.ts';

describe('Home', () => {
  it('has no section without an entry', () => {
    expect(compose({})).toEqual([]);
  });

  it('lists waiting rooms first, the longest waiting before others, and unread ones newest first', () => {
    const summaries = new Map([
      toSummary(ONE, 5, 4),
      toSummary(TWO, 7, 2),
      toSummary(THREE, 6),
      toSummary('c_3/general', 8),
      toSummary(GONE, 3, 3),
    ]);
    const unread = toUnread([ONE, THREE, 'c_3/general', GONE]);
    const sections = compose({ summaries, unread });
    expect(toRooms(sections)).toEqual({ waiting: [TWO, ONE], unread: ['c_3/general', THREE] });
    expect(sections[0]?.entries[1]).toMatchObject({ lead: 'Maya', text: 'text 5', unread: 2 });
  });

  it('lists a room with a draft or an unsent message of its user, whatever others wrote', () => {
    const summaries = new Map([toSummary(ONE, 5, 4), toSummary(TWO, 3), toSummary(THREE, 2)]);
    const sections = compose({
      summaries,
      drafts: new Map([
        [ONE, 'first\nline'],
        [GONE, 'nobody'],
      ]),
      items: [toItem(TWO, { state: 'failed', reason: '' })],
      visited: [THREE, TWO, ONE, GONE],
    });
    expect(toRooms(sections)).toEqual({
      waiting: [ONE],
      drafts: [ONE, GONE],
      unsent: [TWO],
      recent: [THREE],
    });
    expect(sections[2]?.entries[0]).toMatchObject({ lead: 'Draft', text: 'first line', time: '' });
  });

  it('begins with unsent messages once one was refused, and its room is first among them', () => {
    const summaries = new Map([toSummary(ONE, 5, 4), toSummary(TWO, 3), toSummary(THREE, 2)]);
    const queued = toItem(TWO);
    const toNames = (sections: readonly Section[]) => sections.map(({ name }) => name);
    const known = { summaries, drafts: new Map([[THREE, 'a']]), isOnline: false };
    expect(toNames(compose({ ...known, items: [queued] }))).toEqual([
      'waiting',
      'drafts',
      'unsent',
    ]);
    const items = [queued, toItem(THREE, { state: 'failed', reason: '' })];
    const sections = compose({ ...known, items });
    expect(toNames(sections)).toEqual(['unsent', 'waiting', 'drafts']);
    expect(toRooms(sections)['unsent']).toEqual([THREE, TWO]);
    expect(sections[0]?.entries.map(({ kind }) => kind)).toEqual(['failed', 'queued']);
    // An entry that is being answered keeps the order.
    const [entry] = sections[1]?.entries ?? [];
    if (entry === undefined) throw new Error('nobody waits');
    const rest = sections.filter(({ name }) => name !== 'waiting');
    const withAnswered = withPinned(rest, { entry, section: 'waiting', index: 0 });
    expect(toNames(withAnswered)).toEqual(['unsent', 'waiting', 'drafts']);
  });

  it('shows how many messages of a room failed and why, and how many are queued', () => {
    const failed = toItem(ONE, { state: 'failed', reason: 'Room is closed' });
    const items = [toItem(ONE), failed];
    const [online] = compose({ items });
    const closed = { text: 'Room is closed “an answer”', failed: [failed.id] };
    expect(online?.entries).toMatchObject([{ ...closed, lead: '1 failed' }]);
    const [offline] = compose({ items, isOnline: false });
    expect(offline?.entries).toMatchObject([{ ...closed, lead: '1 failed, 1 queued' }]);
    const [queued] = compose({ items: [toItem(ONE)], isOnline: false });
    expect(queued?.entries).toMatchObject([{ lead: '1 queued', text: '“an answer”', failed: [] }]);
    const [unnamed] = compose({ items: [{ ...failed, reason: '' }] });
    expect(unnamed?.entries[0]?.text).toBe('An error occured sending your message! “an answer”');
  });

  it('drops a room whose answer is being sent, and one that was handled here', () => {
    const summaries = new Map([toSummary(ONE, 5, 4), toSummary(TWO, 6)]);
    const unread = toUnread([ONE, TWO]);
    const items = [toItem(ONE), toItem(TWO)];
    expect(compose({ summaries, unread, items })).toEqual([]);
    const handled = new Map([toSummary(ONE, 5, 4)]);
    expect(toRooms(compose({ summaries, unread: toUnread([ONE]), handled }))).toEqual({});
  });

  it('leads from a reminder to the message that it is about', () => {
    const [room, summary] = remind(ONE, 10);
    const toEntry = (about: Timetoken) => {
      const reminder = { due: at(10), upTo: at(5), about };
      return compose({ summaries: new Map([[room, { ...summary, reminder }]]) })[0]?.entries[0];
    };
    const path = `/chat/${ONE}?m=${at(2)}`;
    expect(toEntry(at(2))).toMatchObject({ path, text: 'About an earlier message' });
    const { text } = summary.last;
    expect(toEntry(at(5))).toMatchObject({ path: `/chat/${ONE}?m=${at(5)}`, text });
  });

  it('keeps a reminder for later in its place while its room is answered', () => {
    const [room, summary] = remind(ONE, 12);
    const summaries = new Map([[room, summary], toSummary(TWO, 6, 6)]);
    const answered = new Map([[room, { ...summary, isAnswered: true }]]);
    expect(toRooms(compose({ summaries, handled: answered }))).toEqual({
      waiting: [TWO],
      reminders: [ONE],
    });
    const put = new Map([[room, { ...summary, isAnswered: false }]]);
    expect(toRooms(compose({ summaries, handled: put }))).toEqual({ waiting: [TWO] });
  });

  it('lists a room with a due reminder once, first, until it is handled', () => {
    const summaries = new Map([toSummary(THREE, 6, 6), remind(ONE, 10), remind(TWO, 11)]);
    const sections = compose({ summaries, unread: toUnread([ONE]) });
    expect(toRooms(sections)).toEqual({ reminders: [ONE, TWO], waiting: [THREE] });
    expect(sections[0]?.entries[0]).toMatchObject({ unread: 2, summary: summaries.get(ONE) });
    const dueAt = toShortLabel(toEpochMs(at(10)), HOME_DATA.now);
    expect(sections[0]?.entries[0]).toMatchObject({ time: `Due ${dueAt}`, isLater: false });
    const handled = new Map([remind(ONE, 10), remind(TWO, 11)]);
    expect(toRooms(compose({ summaries, handled }))).toEqual({ waiting: [THREE] });
  });

  it('lists reminders for later below due ones, in order, and alone below all that is to do', () => {
    const summaries = new Map([
      remind(ONE, 12),
      remind(THREE, 11),
      remind(TWO, 10),
      toSummary('c_3/general', 6, 6),
    ]);
    const [reminders] = compose({ summaries });
    const isLater = reminders?.entries.map((entry) => entry.isLater);
    expect(toRooms(compose({ summaries }))['reminders']).toEqual([TWO, THREE, ONE]);
    expect(isLater).toEqual([false, true, true]);
    expect(reminders?.entries[1]).toMatchObject({
      time: toRemindLabel(toEpochMs(at(11)), HOME_DATA.now),
      wait: '',
    });
    summaries.delete(TWO);
    const rest = compose({ summaries, items: [toItem(TWO, { state: 'failed' })], visited: [TWO] });
    expect(rest.map(({ name }) => name)).toEqual(['unsent', 'waiting', 'reminders']);
    const entry = rest[2]?.entries[0];
    const pinned = entry && { entry, section: 'reminders' as const, index: 0 };
    const none = compose({ summaries: new Map([toSummary(ONE, 5, 4)]), visited: [TWO] });
    const names = withPinned(none, pinned).map(({ name }) => name);
    expect(names).toEqual(['waiting', 'reminders', 'recent']);
    const [waiting] = compose({ summaries: new Map([toSummary(TWO, 5, 4)]) });
    const answered = waiting && { entry: waiting.entries[0]!, section: waiting.name, index: 0 };
    const later = withPinned(compose({ summaries: new Map([remind(ONE, 12)]) }), answered);
    expect(later.map(({ name }) => name)).toEqual(['waiting', 'reminders']);
  });

  it('lists a room with a reminder for later also where its client wrote since', () => {
    const [, summary] = toSummary(ONE, 5, 4);
    const reminder = { due: at(11), upTo: at(4) };
    const summaries = new Map([[ONE, { ...summary, reminder }]]);
    expect(toRooms(compose({ summaries }))).toEqual({ waiting: [ONE], reminders: [ONE] });
  });

  it('omits an unread room whose count and summary are from different moments', () => {
    const unread = toUnread([ONE]);
    expect(compose({ unread })).toEqual([]);
    const [, before] = toSummary(ONE, 0);
    expect(compose({ unread, summaries: new Map([[ONE, before]]) })).toEqual([]);
    const answer = { ...before.last, publisher: 'u_me', timetoken: at(5) };
    const own = { ...before, last: answer, newest: at(5) };
    expect(compose({ unread, summaries: new Map([[ONE, own]]) })).toEqual([]);
    const summaries = new Map([toSummary(ONE, 5)]);
    expect(toRooms(compose({ unread, summaries }))).toEqual({ unread: [ONE] });
    // Marked as unread after the own answer.
    const marked = new Map([[ONE, { count: 1, first: at(1), newest: at(1), markId: 'one' }]]);
    const answered = compose({ unread: marked, summaries: new Map([[ONE, own]]) });
    expect(toRooms(answered)).toEqual({ unread: [ONE] });
    // Written before it, and sent late.
    const sent = { ...answer, key: `${ONE}|u_me|${idAt(0)}`, timetoken: at(90_000) };
    const late = { ...own, last: sent, newest: sent.timetoken };
    expect(toRooms(compose({ unread, summaries: new Map([[ONE, late]]) }))).toEqual({
      unread: [ONE],
    });
  });

  it('shows the first eight of a long section, all on request, and their number', () => {
    const teams = new Map(
      Array.from({ length: 5 }, (_, n): [string, Team] => [
        `d_${n}`,
        { client_id: `d_${n}`, client: { first_name: 'Client', last_name: `${n}` } },
      ]),
    );
    const rooms = [...teams.keys()].flatMap((id) => ROOM_IDS.map((room) => toRoomKey(id, room)));
    const summaries = new Map(rooms.map((room, n) => toSummary(room, n + 1, n + 1)));
    const [short] = compose({ teams, summaries });
    expect(short?.entries).toHaveLength(8);
    expect(short?.rooms).toHaveLength(15);
    const [long] = compose({ teams, summaries, expanded: new Set(['waiting']) });
    expect(long?.entries.map(({ room }) => room)).toEqual(rooms);
    const [recent] = compose({ teams, visited: rooms });
    expect(recent?.name).toBe('recent');
    expect(recent?.rooms).toHaveLength(6);
  });

  it('keeps the entry that is being answered in its place', () => {
    const both = compose({ summaries: new Map([toSummary(ONE, 5, 4), toSummary(TWO, 3, 3)]) });
    const entry = both[0]?.entries[0];
    const pinned = entry && { entry, section: 'waiting' as const, index: 0 };
    expect(withPinned(both, pinned)).toBe(both);
    const rest = compose({ summaries: new Map([toSummary(ONE, 5, 4)]) });
    expect(toRooms(withPinned(rest, pinned))).toEqual({ waiting: [TWO, ONE] });
    const none = compose({ visited: [THREE] });
    expect(toRooms(withPinned(none, pinned))).toEqual({ waiting: [TWO], recent: [THREE] });
    expect(withPinned(none, undefined)).toBe(none);
    // Its section, which is shown in part, counts it already.
    const [whole] = both;
    const hidden = whole ? [{ ...whole, entries: whole.entries.slice(1) }] : [];
    expect(withPinned(hidden, pinned)[0]).toMatchObject({
      entries: [{ room: TWO }, {}],
      rooms: [TWO, ONE],
    });
  });
});
