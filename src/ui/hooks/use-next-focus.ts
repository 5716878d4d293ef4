import { type RefObject, useEffect, useRef } from 'react';

/**
 * For a button that shows more of a list, and disappears with the last of it: `ask` has the first
 * new link get the focus then. `shown` counts the links in `list`.
 */
export const useNextFocus = (list: RefObject<HTMLElement | null>, shown: number) => {
  const from = useRef<number | undefined>(undefined);
  useEffect(() => {
    const { current } = from;
    if (current === undefined || shown <= current) return;
    from.current = undefined;
    const next = list.current?.querySelectorAll('a')[current];
    if (document.activeElement === document.body) next?.focus();
  }, [list, shown]);
  return { ask: () => void (from.current = shown) };
};
