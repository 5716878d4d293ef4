import { useEffect, useEffectEvent } from 'react';

/** Escape closes these first. */
const CLOSES = 'search, nav, dialog, [role="menu"]';

/** Escape scrolls to the latest message, unless it closes something. */
export const useEndKey = (active: boolean, toEnd: () => void): void => {
  const go = useEffectEvent(toEnd);
  useEffect(() => {
    if (!active) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      const isTaken = event.target instanceof Element && event.target.closest(CLOSES) !== null;
      if (event.key !== 'Escape' || event.isComposing || isTaken) return;
      if (document.querySelector('dialog[open]') === null) go();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [active]);
};
