import { useCallback, useSyncExternalStore } from 'react';

/** Texts begun and not sent, by user and room, for the life of this tab. */
const drafts = new Map<string, string>();
const listeners = new Set<() => void>();

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const getDraft = (key: string): string => drafts.get(key) ?? '';

const setDraft = (key: string, text: string): void => {
  if (text === '') drafts.delete(key);
  else drafts.set(key, text);
  for (const listener of listeners) listener();
};

/** True while a reload of this tab would lose what somebody wrote. */
export const hasDrafts = (): boolean => [...drafts.values()].some((text) => text.trim() !== '');

/** Forgets everything begun: its author signed out. */
export const clearDrafts = (): void => {
  drafts.clear();
  for (const listener of listeners) listener();
};

/** The draft of one user in one room. */
export const useDraft = (key: string): readonly [string, (text: string) => void] => {
  const text = useSyncExternalStore(subscribe, () => getDraft(key));
  return [text, useCallback((next: string) => setDraft(key, next), [key])];
};
