/** Counting stops here: higher counts are shown as "99+". */
export const UNREAD_COUNTED_MAX = 100;

/** "7", or "99+" beyond the limit; empty for none. */
export const toUnreadLabel = (count: number): string => {
  if (count === 0) return '';
  return count < UNREAD_COUNTED_MAX ? String(count) : `${UNREAD_COUNTED_MAX - 1}+`;
};
