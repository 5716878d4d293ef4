import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Where a page was when the user left it. */
interface Place {
  /** How much of its lists it showed. */
  readonly extent: unknown;
  /** CSS pixels */
  readonly scrolled: number;
  /** The address of the link that had the focus. */
  readonly focused: string | null | undefined;
}

/** By the number that the entry of the history carries; a page that is loaded again has none. */
const places = new Map<number, Place>();

const readState = () => window.history.state as { readonly place?: number } | null;

const readPlace = (): Place | undefined => places.get(readState()?.place ?? 0);

/** The extent that was kept for this entry of the history, of the page that is opening. */
export const readExtent = (): unknown => readPlace()?.extent;

/** Changes the address of this entry of the history, which keeps its place. */
export const replaceAddress = (to: string): void =>
  window.history.replaceState(window.history.state, '', to);

const isAtStart = (main: Element): boolean =>
  document.activeElement === document.body || document.activeElement === main;

/**
 * Keeps the place of a page for its entry in the history, and returns to it once the page `isShown`
 * with as much as before.
 */
export const useKeptPlace = (
  root: RefObject<HTMLElement | null>,
  extent: unknown,
  isShown: boolean,
): void => {
  const latest = useRef(extent);
  useEffect(() => void (latest.current = extent), [extent]);
  const [kept] = useState(readPlace);
  const isBack = useRef(false);
  useLayoutEffect(() => {
    const page = root.current;
    const id = readState()?.place ?? Date.now();
    window.history.replaceState({ ...readState(), place: id }, '');
    return () => {
      const { activeElement } = document;
      const link = page?.contains(activeElement) ? activeElement?.closest('a') : undefined;
      const scrolled = page?.closest('main')?.scrollTop ?? 0;
      places.set(id, { extent: latest.current, scrolled, focused: link?.getAttribute('href') });
    };
  }, [root]);
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
