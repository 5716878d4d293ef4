import { type RefObject, useEffect, useState } from 'react';

/**
 * True while a mouse hovers over the element or it has the keyboard focus; Escape ends it until
 * the pointer or the focus enters again. Native events, because React would also report those of
 * menus rendered elsewhere in the page.
 */
export const useRailOpen = (rail: RefObject<HTMLElement | null>): boolean => {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const element = rail.current;
    if (element === null) return undefined;
    const listening = new AbortController();
    const listen = <T extends 'pointerenter' | 'pointerleave' | 'focusin' | 'focusout' | 'keydown'>(
      type: T,
      listener: (event: HTMLElementEventMap[T]) => void,
    ): void => element.addEventListener(type, listener, { signal: listening.signal });

    listen('pointerenter', (event) => setOpen(event.pointerType !== 'touch'));
    listen('pointerleave', () => setOpen(false));
    listen('focusin', () => {
      if (element.querySelector(':focus-visible')) setOpen(true);
    });
    listen('focusout', () => setOpen(element.matches(':hover')));
    listen('keydown', (event) => {
      if (event.key === 'Escape') setOpen(false);
    });
    return () => listening.abort();
  }, [rail]);
  return open;
};
