import { useEffect, useRef } from 'react';

import { isWriting } from '#src/ui/focus.ts';

const MARKED = '[data-message-id][aria-current]';

/**
 * Returns a function that moves the focus to the marked message once it is shown, for screen
 * readers and the keyboard, unless the user is writing. The list renders a row only when it is near
 * the visible part.
 */
export const useFocusLinkedMessage = (): (() => void) => {
  const stop = useRef<(() => void) | undefined>(undefined);
  useEffect(() => () => stop.current?.(), []);
  return () => {
    stop.current?.();
    const focus = (): void => {
      const marked = document.querySelector<HTMLElement>(MARKED);
      if (marked === null) return;
      observer.disconnect();
      if (!isWriting()) marked.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(focus);
    stop.current = () => observer.disconnect();
    observer.observe(document.body, { subtree: true, childList: true, attributes: true });
  };
};
