import { useRef, useSyncExternalStore } from 'react';

import { isSameByRoom, type RoomKey } from '#domain/rooms.ts';

import { findDrafts, watchDrafts } from './drafts.ts';

const NO_DRAFTS: ReadonlyMap<RoomKey, string> = new Map();

/** One user's drafts in all rooms but the open one, where typing changes it all the time. */
export const useDraftsExcept = (
  uid: string | undefined,
  open: RoomKey | undefined,
): ReadonlyMap<RoomKey, string> => {
  const last = useRef(NO_DRAFTS);
  return useSyncExternalStore(watchDrafts, () => {
    const own = uid === undefined ? NO_DRAFTS : findDrafts(uid);
    const others = new Map([...own].filter(([room, text]) => room !== open && text.trim() !== ''));
    if (!isSameByRoom(last.current, others)) last.current = others;
    return last.current;
  });
};
