import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

import { useSearch } from './address.tsx';

/** The position in a page when the user left it. */
interface Position {
  /** How much of its lists it showed. */
  readonly extent: unknown;
  /** CSS pixels */
  readonly scrolled: number;
  /** The link that had the focus: its address, and its place among those with the same one. */
  readonly focused: { readonly href: string | null; readonly nth: number } | undefined;
}

/**
 * By the user and the id that the entry of the history carries; a page that is loaded again has
 * none.
 */
const positions = new Map<string, Position>();

const toKey = (uid: string | undefined, entry = ''): string => `${entry} ${uid}`;

const readState = () => window.history.state as { readonly place?: string } | null;

const readPosition = (uid: string | undefined): Position | undefined =>
  positions.get(toKey(uid, readState()?.place));

/** The extent that the user left at this entry of the history, of the page that is opening. */
export const readExtent = (uid: string | undefined): unknown => readPosition(uid)?.extent;

/** Changes the address of this entry of the history, which keeps its position. */
export const replaceAddress = (to: string): void =>
  window.history.replaceState(window.history.state, '', to);

const findLinks = (page: Element, href: string | null): readonly HTMLAnchorElement[] =>
  [...page.querySelectorAll('a')].filter((each) => each.getAttribute('href') === href);

const findFocused = (page: Element | null): Position['focused'] => {
  const { activeElement } = document;
  const link = page?.contains(activeElement) ? activeElement?.closest('a') : undefined;
  if (!page || !link) return undefined;
  const href = link.getAttribute('href');
  return { href, nth: findLinks(page, href).indexOf(link) };
};

/** The user has neither moved the focus nor scrolled. */
const isAtStart = (main: Element): boolean =>
  main.scrollTop === 0 &&
  (document.activeElement === document.body || document.activeElement === main);

/**
 * Saves the user's position in a page for its entry in the history, and restores it once the page
 * `isShown` with as much as before.
 */
export const useRestorePosition = (
  root: RefObject<HTMLElement | null>,
  uid: string | undefined,
  { extent, isShown }: { readonly extent: unknown; readonly isShown: boolean },
): void => {
  const latest = useRef(extent);
  useEffect(() => void (latest.current = extent), [extent]);
  const [saved] = useState(() => readPosition(uid));
  const isRestored = useRef(false);
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
      const scrolled = page?.closest('main')?.scrollTop ?? 0;
      const focused = findFocused(page);
      positions.set(toKey(uid, id), { extent: latest.current, scrolled, focused });
    };
  }, [root, uid, search]);
  useLayoutEffect(() => {
    const page = root.current;
    const main = page?.closest('main');
    if (!isShown || !page || !main || isRestored.current) return;
    isRestored.current = true;
    if (saved === undefined || !isAtStart(main)) return;
    main.scrollTop = saved.scrolled;
    if (saved.focused === undefined) return;
    const links = findLinks(page, saved.focused.href);
    const link = links[saved.focused.nth] ?? links[0];
    link?.focus({ preventScroll: true });
    link?.scrollIntoView({ block: 'nearest' });
  }, [root, isShown, saved]);
};
