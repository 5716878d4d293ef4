import { useEffect, useEffectEvent } from 'react';

import { isComposing, isDialogOpen } from '#src/ui/key-names.ts';

/** Escape closes these first. */
const CLOSES = 'search, nav, dialog, [role="menu"]';

/** Escape scrolls to the latest message, unless it closes something. */
export const useEndKey = (toEnd: () => void): void => {
  const go = useEffectEvent(toEnd);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isTaken = event.target instanceof Element && event.target.closest(CLOSES) !== null;
      if (event.key !== 'Escape' || isComposing(event) || isTaken) return;
      if (!isDialogOpen()) go();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
};
