import { useEffect } from 'react';

/** A smaller difference is a bar of the browser, px. */
const KEYBOARD_PX_MIN = 150;
/** Height of the page above the keyboard (shell.module.css). */
const HEIGHT = '--page-height';

/**
 * WebKit lays the on-screen keyboard over the page and moves the page up until the focused field is
 * visible (WebKit/standards-positions#65); other browsers shrink the page (`interactive-widget` in
 * index.html). Here the page is as high as the part above the keyboard, and stays at the top.
 */
export const useTouchKeyboard = (): void => {
  useEffect(() => {
    const { visualViewport: visible } = window;
    const { documentElement: page } = document;
    if (!visible) return undefined;
    const fit = (): void => {
      const covered = page.clientHeight - visible.height;
      // A page that is enlarged by hand is also partly visible.
      const isCovered = visible.scale <= 1 && covered > KEYBOARD_PX_MIN;
      const height = isCovered ? `${visible.height}px` : '';
      const isNew = page.style.getPropertyValue(HEIGHT) !== height;
      page.style.setProperty(HEIGHT, height);
      if (!isCovered) return;
      window.scrollTo(0, 0);
      // In a page that scrolls, the field may be below the part that is left.
      if (isNew) document.activeElement?.scrollIntoView({ block: 'nearest' });
    };
    const listening = new AbortController();
    visible.addEventListener('resize', fit, listening);
    visible.addEventListener('scroll', fit, listening);
    return () => {
      listening.abort();
      page.style.removeProperty(HEIGHT);
    };
  }, []);
};
