import type { RoomKey } from '#domain/rooms.ts';
import type { RoomSummary } from '#domain/rules/waiting.ts';

import type { Figures } from '../variant.ts';

/** Figures that are wrong in one way. */

/** Always shows the first answer. */
export const showOnce = ({ unread, summaries }: Figures): Figures => {
  let first: ReturnType<typeof unread.get>;
  unread.watch(() => (first ??= unread.get()));
  return { summaries, unread: { ...unread, get: () => first } };
};

/** Hides unread messages that result from a mark. */
export const hideMarked = ({ unread, summaries }: Figures): Figures => ({
  summaries,
  unread: {
    ...unread,
    get: () => {
      const all = unread.get();
      return all && new Map([...all].filter(([, { markId }]) => markId === undefined));
    },
  },
});

/** Updates a room's summary for messages, but not for marks. */
export const ignoreMarks = ({ unread, summaries }: Figures): Figures => {
  let shown: ReturnType<typeof summaries.get>;
  const toKept = (room: RoomKey, next: RoomSummary): RoomSummary => {
    const known = shown?.get(room);
    return known?.newest === next.newest ? known : next;
  };
  summaries.watch(() => {
    const all = summaries.get() ?? new Map<RoomKey, RoomSummary>();
    shown = new Map(Array.from(all, ([room, next]) => [room, toKept(room, next)]));
  });
  return { unread, summaries: { ...summaries, get: () => shown } };
};
