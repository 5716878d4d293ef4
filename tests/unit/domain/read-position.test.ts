import { describe, expect, it } from 'vitest';

import type { ThreadItem } from '#domain/project/rows.ts';
import { type NewLine, toNewest, toNewLine, toReadUpTo } from '#domain/rules/read-position.ts';
import { at, ROOM } from '#tests/support/facts.ts';

const entry = (n: number, { own = false, gapAfter = false } = {}): ThreadItem => ({
  source: 'log',
  key: `k${n}`,
  own,
  gapAfter,
  row: {
    key: `k${n}`,
    room: ROOM,
    timetoken: at(n),
    publisher: own ? 'u_me' : 'u_other',
    kind: 'message',
    text: '',
    clientName: '',
    clientAvatar: '',
  },
});
const keys = (from: number, to: number) =>
  new Set(Array.from({ length: to - from + 1 }, (_, n) => `k${from + n}`));
const whole = (from: number, to: number) => ({ begins: keys(from, to), ends: keys(from, to) });
const NINE = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => entry(n));

describe('toReadUpTo', () => {
  it('advances from the first unread entry as far as all were visible', () => {
    expect(toReadUpTo(NINE, at(4), whole(1, 6))).toBe(at(6));
    expect(toReadUpTo(NINE, at(4), whole(4, 9))).toBe(at(9));
  });

  it('is undefined while the first unread entry was skipped, or is not loaded', () => {
    expect(toReadUpTo(NINE, at(4), whole(5, 9))).toBeUndefined();
    expect(toReadUpTo(NINE.slice(4), at(4), whole(5, 9))).toBeUndefined();
    expect(toReadUpTo([], at(4), whole(1, 9))).toBeUndefined();
  });

  it('counts a long entry once its beginning and its end were visible', () => {
    const begun = { begins: keys(8, 9), ends: keys(8, 8) };
    expect(toReadUpTo(NINE, at(8), begun)).toBe(at(8));
    expect(toReadUpTo(NINE, at(9), { begins: new Set(), ends: keys(9, 9) })).toBeUndefined();
    expect(toReadUpTo(NINE, at(9), { begins: keys(9, 9), ends: keys(9, 9) })).toBe(at(9));
  });

  it("skips the user's own messages, and stops where messages are missing", () => {
    const own = NINE.with(4, entry(5, { own: true }));
    expect(toReadUpTo(own, at(4), { begins: keys(4, 4), ends: keys(4, 4) })).toBe(at(5));
    const withGap = NINE.with(5, entry(6, { gapAfter: true }));
    expect(toReadUpTo(withGap, at(4), whole(1, 9))).toBe(at(6));
  });

  it('does not advance from an entry right before which messages are missing', () => {
    const withGap = NINE.with(5, entry(6, { gapAfter: true }));
    expect(toReadUpTo(withGap, at(7), whole(1, 9))).toBeUndefined();
    expect(toReadUpTo(withGap, at(8), whole(1, 9))).toBe(at(9));
  });

  it('returns the newest entry of a fully read room only when it is visible', () => {
    expect(toReadUpTo(NINE, undefined, whole(9, 9))).toBe(at(9));
    expect(toReadUpTo(NINE, undefined, whole(1, 8))).toBeUndefined();
    expect(toReadUpTo(NINE, at(10), whole(9, 9))).toBe(at(9));
  });
});

describe('toNewLine', () => {
  const AWAY = { isPresent: false, isFollowing: false };
  const LOOKING = { isPresent: true, isFollowing: false };
  const ATTENDED = { isPresent: true, isFollowing: true };
  const line = (n: number, over: Partial<NewLine> = {}): NewLine => ({
    from: at(n),
    isSeen: true,
    isDone: false,
    ...over,
  });

  it('is above the first new message, and moves until the user sees it', () => {
    const unseen = toNewLine(undefined, { first: at(4), ...AWAY });
    expect(unseen).toEqual(line(4, { isSeen: false }));
    expect(toNewLine(unseen, { first: at(5), ...AWAY })).toEqual(line(5, { isSeen: false }));
    expect(toNewLine(unseen, { first: undefined, ...AWAY })).toBeUndefined();
    expect(toNewLine(unseen, { first: at(4), ...LOOKING })).toEqual(line(4));
  });

  it('stays while the user reads past it, and afterwards', () => {
    expect(toNewLine(line(4), { first: at(7), ...LOOKING })).toEqual(line(4));
    expect(toNewLine(line(4), { first: at(7), ...AWAY })).toEqual(line(4));
    expect(toNewLine(line(4), { first: undefined, ...ATTENDED })).toEqual(
      line(4, { isDone: true }),
    );
    const done = line(4, { isDone: true });
    expect(toNewLine(done, { first: undefined, ...AWAY })).toBe(done);
  });

  it('moves to messages that arrive after everything was read, unless the user is at the end', () => {
    const done = line(4, { isDone: true });
    expect(toNewLine(done, { first: at(9), ...ATTENDED })).toBe(done);
    expect(toNewLine(done, { first: at(9), ...AWAY })).toEqual(line(9, { isSeen: false }));
    expect(toNewLine(done, { first: at(9), ...LOOKING })).toEqual(line(9));
    expect(toNewLine(undefined, { first: at(9), ...ATTENDED })).toBeUndefined();
  });

  it('disappears once the user has answered what was read', () => {
    const done = line(4, { isDone: true });
    const answer = (n: number) => ({ first: undefined, ...ATTENDED, answered: at(n) });
    expect(toNewLine(done, answer(3))).toBe(done);
    expect(toNewLine(done, answer(5))).toBeUndefined();
    // It was there before: a reply that arrived late, or the room was marked as unread.
    const kept = toNewLine(line(4), answer(5));
    expect(kept).toEqual(line(4, { isDone: true, answered: at(5) }));
    expect(toNewLine(kept, answer(5))).toBe(kept);
    expect(toNewLine(kept, answer(6))).toBeUndefined();
    // There is more to read.
    expect(toNewLine(line(4), { ...answer(5), first: at(6) })).toEqual(line(4));
    expect(toNewLine(done, { first: at(9), ...LOOKING, answered: at(5) })).toEqual(line(9));
    expect(toNewest(NINE.with(2, entry(3, { own: true })), true)).toBe(at(3));
    expect(toNewest(NINE, true)).toBeUndefined();
  });

  it('is the same object while nothing changes', () => {
    for (const attention of [AWAY, LOOKING, ATTENDED]) {
      const before = toNewLine(line(4, { isSeen: false }), { first: at(4), ...attention });
      expect(toNewLine(before, { first: at(4), ...attention })).toBe(before);
    }
  });
});
