import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

import { useSearch } from './address.tsx';

/** Where a page was when the user left it. */
interface Place {
  /** How much of its lists it showed. */
  readonly extent: unknown;
  /** CSS pixels */
  readonly scrolled: number;
  /** The address of the link that had the focus. */
  readonly focused: string | null | undefined;
}

/**
 * By the user and the id that the entry of the history carries; a page that is loaded again has
 * none.
 */
const places = new Map<string, Place>();

const toKey = (uid: string | undefined, entry = ''): string => `${entry} ${uid}`;

const readState = () => window.history.state as { readonly place?: string } | null;

const readPlace = (uid: string | undefined): Place | undefined =>
  places.get(toKey(uid, readState()?.place));

/** The extent that the user left at this entry of the history, of the page that is opening. */
export const readExtent = (uid: string | undefined): unknown => readPlace(uid)?.extent;

/** Changes the address of this entry of the history, which keeps its place. */
export const replaceAddress = (to: string): void =>
  window.history.replaceState(window.history.state, '', to);

/** The user has neither moved the focus nor scrolled. */
const isAtStart = (main: Element): boolean =>
  main.scrollTop === 0 &&
  (document.activeElement === document.body || document.activeElement === main);

/**
 * Keeps the user's place in a page for its entry in the history, and returns to it once the page
 * `isShown` with as much as before.
 */
export const useKeptPlace = (
  root: RefObject<HTMLElement | null>,
  uid: string | undefined,
  { extent, isShown }: { readonly extent: unknown; readonly isShown: boolean },
): void => {
  const latest = useRef(extent);
  useEffect(() => void (latest.current = extent), [extent]);
  const [kept] = useState(() => readPlace(uid));
  const isBack = useRef(false);
  // Another search in a page that stays open has its own entry.
  const search = useSearch();
  useLayoutEffect(() => {
    // The page before it may have been scrolled.
    const main = root.current?.closest('main');
    if (main) main.scrollTop = 0;
  }, [root]);
  useLayoutEffect(() => {
    const page = root.current;
    const id = readState()?.place ?? `${Date.now()}${search}`;
    window.history.replaceState({ ...readState(), place: id }, '');
    return () => {
      const { activeElement } = document;
      const link = page?.contains(activeElement) ? activeElement?.closest('a') : undefined;
      const scrolled = page?.closest('main')?.scrollTop ?? 0;
      const focused = link?.getAttribute('href');
      places.set(toKey(uid, id), { extent: latest.current, scrolled, focused });
    };
  }, [root, uid, search]);
  useLayoutEffect(() => {
    const main = root.current?.closest('main');
    if (!isShown || !main || isBack.current) return;
    isBack.current = true;
    if (kept === undefined || !isAtStart(main)) return;
    main.scrollTop = kept.scrolled;
    const links = [...main.querySelectorAll('a')];
    const link = links.find((each) => each.getAttribute('href') === kept.focused);
    link?.focus({ preventScroll: true });
    link?.scrollIntoView({ block: 'nearest' });
  }, [root, isShown, kept]);
};
