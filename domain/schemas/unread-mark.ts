import { earlierOf, isTimetoken, type Timetoken } from '../timetoken.ts';
import type { Mark } from './marks.ts';

/**
 * A room that the user marked as unread: messages after `from` are unread, regardless of the read
 * position. The user's own messages up to `upTo`, the newest entry at that time, do not count as
 * replies.
 */
export interface MarkedUnread {
  readonly from: Timetoken;
  readonly upTo: Timetoken;
}

export const toUnreadValue = ({ from, upTo }: MarkedUnread): string => `${from}.${upTo}`;

/** Undefined for the value of a room that was read since. */
export const parseUnread = (value: string | undefined): MarkedUnread | undefined => {
  const [from, upTo] = value?.split('.') ?? [];
  return isTimetoken(from) && isTimetoken(upTo) && from < upTo ? { from, upTo } : undefined;
};

/**
 * The mark of a room after the user has read up to `position`; undefined if that changes nothing.
 */
export const toReadOn = (mark: Mark | undefined, position: Timetoken): Mark | undefined => {
  const marked = parseUnread(mark?.value);
  if (mark === undefined || marked === undefined || position <= marked.from) return undefined;
  const from = earlierOf(position, marked.upTo);
  return { turn: mark.turn, value: toUnreadValue({ ...marked, from }) };
};
