import { useCallback, useSyncExternalStore } from 'react';

import { createListeners } from '#domain/listeners.ts';
import type { RoomKey } from '#domain/rooms.ts';

/** Drafts of this tab, by user and room; `src/drafts/draft-keeper.ts` stores them. */
const drafts = new Map<string, string>();
const listeners = createListeners();

/** Calls `listener` after every change. */
export const watchDrafts = listeners.add;

export const toDraftKey = (uid: string, room: RoomKey): string => `${uid}|${room}`;

export const getDraft = (key: string): string => drafts.get(key) ?? '';

export const setDraft = (key: string, text: string): void => {
  if (text === '') drafts.delete(key);
  else drafts.set(key, text);
  listeners.emit();
};

/** Adds a text that was not sent on a line of its own, after what was typed meanwhile. */
export const addToDraft = (key: string, text: string): void =>
  setDraft(key, [getDraft(key), text].filter(Boolean).join('\n'));

/** True while any draft in this tab is neither sent nor deleted. */
export const hasDrafts = (): boolean => [...drafts.values()].some((text) => text.trim() !== '');

/** One user's drafts, by room. */
export const findDrafts = (uid: string): ReadonlyMap<RoomKey, string> => {
  const prefix = `${uid}|`;
  return new Map(
    [...drafts].flatMap(([key, text]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length) as RoomKey, text]] : [],
    ),
  );
};

/**
 * Restores drafts and returns those for which other text has been typed meanwhile, apart from those
 * in rooms of `older`: this tab's own texts at that time.
 */
export const putDrafts = (
  uid: string,
  kept: ReadonlyMap<RoomKey, string>,
  older?: ReadonlyMap<RoomKey, string>,
): ReadonlyMap<RoomKey, string> => {
  const displaced = new Map<RoomKey, string>();
  for (const [room, text] of kept) {
    // Sent or deleted meanwhile, it must not come back.
    if (older?.has(room)) continue;
    const key = toDraftKey(uid, room);
    const typed = drafts.get(key);
    if (typed === undefined) drafts.set(key, text);
    else if (typed !== text) displaced.set(room, text);
  }
  if (kept.size > 0) listeners.emit();
  return displaced;
};

/** Deletes all drafts: their author signed out. */
export const clearDrafts = (): void => {
  drafts.clear();
  listeners.emit();
};

/** One user's draft in one room. */
export const useDraft = (key: string): readonly [string, (text: string) => void] => {
  const text = useSyncExternalStore(watchDrafts, () => getDraft(key));
  return [text, useCallback((next: string) => setDraft(key, next), [key])];
};
