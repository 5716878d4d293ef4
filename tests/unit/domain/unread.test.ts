import { describe, expect, it } from 'vitest';

import { toRoomKey } from '#domain/rooms.ts';
import {
  sumByClient,
  sumClientUnread,
  type UnreadByRoom,
  withoutRead,
} from '#domain/rules/unread.ts';
import { isSameUnread } from '#db/read/unread-model.ts';
import { toUnreadLabel } from '#domain/rules/unread-label.ts';
import { at } from '#tests/support/facts.ts';

const TEAM = toRoomKey('c_001', 'team');
const GENERAL = toRoomKey('c_001', 'general');
const OTHER = toRoomKey('c_002', 'team');
const entry = (count: number) => ({ count, first: at(1), newest: at(4) });

describe('unread', () => {
  it('is shown as a number, up to the limit', () => {
    expect([0, 1, 99, 100, 250].map(toUnreadLabel)).toEqual(['', '1', '99', '99+', '99+']);
  });

  it('adds up over the rooms of a client', () => {
    const unread: UnreadByRoom = new Map([
      [TEAM, entry(2)],
      [GENERAL, entry(3)],
      [OTHER, entry(7)],
    ]);
    expect(sumClientUnread(unread, 'c_001')).toBe(5);
    expect(sumClientUnread(unread, 'c_003')).toBe(0);
    expect([...sumByClient(unread)]).toEqual([
      ['c_001', 5],
      ['c_002', 7],
    ]);
  });

  it('ends where a room was read here, even if the store still counts it', () => {
    const unread: UnreadByRoom = new Map([
      [TEAM, { count: 2, first: at(5), newest: at(6) }],
      [OTHER, { count: 1, first: at(5), newest: at(5) }],
    ]);
    const left = (position: number) => [
      ...withoutRead(unread, new Map([[TEAM, { upTo: at(position), markId: undefined }]])).keys(),
    ];
    expect(left(4)).toEqual([TEAM, OTHER]);
    expect(left(5)).toEqual([OTHER]);
    expect(left(6)).toEqual([OTHER]);
  });

  it('is shown again in a room that was read here and then marked as unread', () => {
    const marked: UnreadByRoom = new Map([[TEAM, { ...entry(1), first: at(5), markId: 'second' }]]);
    const left = (markId: string | undefined) =>
      withoutRead(marked, new Map([[TEAM, { upTo: at(5), markId }]])).size;
    expect([left(undefined), left('first'), left('second')]).toEqual([1, 1, 0]);
  });

  it('is equal if every room shows the same', () => {
    const one: UnreadByRoom = new Map([[TEAM, entry(2)]]);
    expect(isSameUnread(one, new Map([[TEAM, entry(2)]]))).toBe(true);
    expect(isSameUnread(one, new Map([[TEAM, entry(3)]]))).toBe(false);
    expect(isSameUnread(one, new Map([[GENERAL, entry(2)]]))).toBe(false);
    expect(isSameUnread(one, new Map([[TEAM, { ...entry(2), first: at(2) }]]))).toBe(false);
    expect(isSameUnread(one, new Map([[TEAM, { ...entry(2), newest: at(5) }]]))).toBe(false);
    expect(isSameUnread(one, new Map([[TEAM, { ...entry(2), markId: 'one' }]]))).toBe(false);
    expect(isSameUnread(one, new Map())).toBe(false);
  });
});
