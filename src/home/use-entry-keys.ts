import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

import { isComposing, isDialogOpen, isKey, type ShortcutKey } from '#src/ui/key-names.ts';
import { useKeyDown } from '#src/ui/hooks/use-key-down.ts';

const NEXT: readonly ShortcutKey[] = [
  { writes: ['j'], code: 'KeyJ' },
  { writes: [], code: 'ArrowDown' },
];
const PREVIOUS: readonly ShortcutKey[] = [
  { writes: ['k'], code: 'KeyK' },
  { writes: [], code: 'ArrowUp' },
];
const REPLY: readonly ShortcutKey[] = [{ writes: ['r'], code: 'KeyR' }];
const DONE: readonly ShortcutKey[] = [{ writes: ['e'], code: 'KeyE' }];

/** The links of the entries, whose ids are in `data-entry`. */
const listLinks = (root: HTMLElement): readonly HTMLElement[] => [
  ...root.querySelectorAll<HTMLElement>('[data-entry]'),
];

const toId = (link: HTMLElement): string | undefined => link.dataset['entry'];

/** Whether it is an entry that is to be handled now: no reminder for later. */
const isForNow = (link: HTMLElement | undefined): boolean =>
  link !== undefined && link.dataset['later'] === undefined;

const isEditable = (target: Element): boolean =>
  target.matches('input, textarea, select, [contenteditable]');

/** A key without modifiers that is meant for the page, not for a field, a menu or a dialog. */
const isForEntries = (event: KeyboardEvent, root: HTMLElement): boolean => {
  if (event.defaultPrevented || isComposing(event) || isDialogOpen()) return false;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const { target } = event;
  if (!(target instanceof Element) || isEditable(target)) return false;
  return target === document.body || target.contains(root) || root.contains(target);
};

/** A pause in typing, ms. */
const PAUSE_MS = 1000;

const isText = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey;

/**
 * Whether a key belongs to a text: somebody who goes on typing after a reply was sent means neither
 * the next entry nor its actions. A text begins with a letter that is no shortcut, and ends with a
 * pause, or with a key that moves the focus.
 */
const createTextGuard = () => {
  let lastAt = -Infinity;
  return (event: KeyboardEvent, isShortcut: boolean): boolean => {
    const isGoing = event.timeStamp - lastAt < PAUSE_MS;
    const goesOn = isGoing && (isText(event) || event.key === 'Enter');
    const begins = isText(event) && event.key !== ' ' && !isShortcut;
    if (goesOn || begins) lastAt = event.timeStamp;
    else if (/^(?:Tab|Escape|Arrow)/.test(event.key)) lastAt = -Infinity;
    return goesOn;
  };
};

/** Whether the focus is at an entry, or nowhere, as after that entry has left, or in a dialog. */
export const isAtEntry = (root: HTMLElement | null, id: string): boolean => {
  const { activeElement } = document;
  if (activeElement === document.body || activeElement === root || isDialogOpen()) return true;
  const link = activeElement?.closest('li')?.querySelector<HTMLElement>('[data-entry]');
  return link?.dataset['entry'] === id;
};

/**
 * Follows the focus in the list; returns the index of the entry that last had it, and a function
 * that moves it.
 */
const useFocusedEntry = (root: RefObject<HTMLElement | null>) => {
  const last = useRef(0);
  /** The entries when one of them last got the focus. */
  const known = useRef<readonly (string | undefined)[]>([]);
  /** The focused part of the list. */
  const focused = useRef<Element | undefined>(undefined);
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent): void => {
      const { current } = root;
      if (current === null || !(target instanceof Element)) return;
      focused.current = current.contains(target) ? target : undefined;
      const item = target.closest('li');
      const links = listLinks(current);
      const at = links.findIndex((link) => item?.contains(link));
      if (at === -1) return;
      last.current = at;
      known.current = links.map(toId);
    };
    // Removed, or a click beside everything.
    const onBlur = ({ target }: FocusEvent): void =>
      queueMicrotask(() => {
        const isThere = target instanceof Element && target.isConnected;
        if (isThere && document.activeElement === document.body) focused.current = undefined;
      });
    const listening = new AbortController();
    window.addEventListener('focusin', onFocus, listening);
    window.addEventListener('focusout', onBlur, listening);
    return () => listening.abort();
  }, [root]);
  /**
   * Focuses an entry, or if it has left, the next one that is to be handled now; without any,
   * nothing in the list: E must not reach an entry above, or a reminder for later.
   */
  const focusEntry = (id: string): void => {
    const links = root.current === null ? [] : listLinks(root.current);
    const at = known.current.indexOf(id);
    const after = at === -1 ? [] : known.current.slice(at + 1);
    const find = (one: string | undefined) => links.find((link) => toId(link) === one);
    const next = [...after.map(find), links[last.current]].find(isForNow);
    (find(id) ?? next ?? root.current)?.focus();
  };
  // An entry may leave at any time, and a button with it. The next entry does not get the focus: a
  // key that was meant for the one that left would change it.
  useLayoutEffect(() => {
    if (focused.current?.isConnected !== false) return;
    focused.current = undefined;
    if (document.activeElement === document.body) root.current?.focus({ preventScroll: true });
  });
  return { last, focusEntry };
};

/**
 * J and K or the arrow keys move the focus through all entries, R answers the focused one, and E
 * marks it as needing no reply. Before an entry has the focus, they begin with the first one, or at
 * the last focused one, except for E, which changes the lists of all staff. The focus itself moves,
 * so that every entry is an ordinary link, for Tab and for screen readers.
 */
export const useEntryKeys = (
  root: RefObject<HTMLElement | null>,
  { onReply, onDone }: Record<'onReply' | 'onDone', (id: string) => void>,
) => {
  const { last, focusEntry } = useFocusedEntry(root);
  /** The index of the entry with the focus; without one, that of the last focused one. */
  const toCurrent = (links: readonly HTMLElement[], focused: Element | null): number => {
    const inside = focused !== null && root.current?.contains(focused) && focused !== root.current;
    if (!inside) return Math.min(last.current, links.length - 1);
    const item = focused.closest('li');
    return links.findIndex((link) => item?.contains(link));
  };
  const toNext = (links: readonly HTMLElement[], focused: Element | null, step: -1 | 1): number => {
    const at = toCurrent(links, focused);
    if (focused === null || focused === root.current || !root.current?.contains(focused)) return at;
    if (at !== -1) return Math.max(0, Math.min(at + step, links.length - 1));
    const after = links.findIndex(
      (link) => (focused.compareDocumentPosition(link) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
    );
    const next = after === -1 ? links.length : after;
    return step === 1 ? Math.min(next, links.length - 1) : next - 1;
  };
  const [isOfText] = useState(createTextGuard);
  useKeyDown((event) => {
    const { current } = root;
    if (current === null || !isForEntries(event, current)) return;
    const is = (keys: readonly ShortcutKey[]): boolean =>
      !event.shiftKey && keys.some((key) => isKey(event, key));
    const step = is(NEXT) ? 1 : is(PREVIOUS) ? -1 : 0;
    const links = listLinks(current);
    const act = is(REPLY) ? onReply : is(DONE) ? onDone : undefined;
    if (isOfText(event, step !== 0 || act !== undefined)) {
      // Enter would follow the focused link.
      event.preventDefault();
      return;
    }
    const isRisky = act === onDone;
    if (step === 0 && (act === undefined || (isRisky && event.repeat))) return;
    const focused = document.activeElement;
    const isInside = current.contains(focused) && focused !== current;
    if (isRisky && !isInside) return;
    const next = links[step === 0 ? toCurrent(links, focused) : toNext(links, focused, step)];
    if (next === undefined || (step !== 0 && next === focused)) return;
    event.preventDefault();
    const id = toId(next);
    if (step !== 0) next.focus();
    else if (id !== undefined) act?.(id);
  });
  return focusEntry;
};
