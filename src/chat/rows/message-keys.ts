import type { RefObject } from 'react';

const BUTTON = 'button[data-message-actions]';
/** How long a touch has to stay to open the menu, ms; how far it may move meanwhile, CSS pixels. */
const LONG_PRESS_MS = 500;
const SLIP_PX = 10;

const listButtons = (): readonly HTMLButtonElement[] => [
  ...document.querySelectorAll<HTMLButtonElement>(BUTTON),
];

/**
 * The button of the message in which the focus is, or whose menu is open (the menu is elsewhere in
 * the page), else the last visible one. Where one message fills the visible part, its button is
 * above it.
 */
const findStop = (buttons: readonly HTMLButtonElement[]): HTMLButtonElement | undefined => {
  const focused = document.activeElement
    ?.closest('[data-message-id]')
    ?.querySelector<HTMLButtonElement>(BUTTON);
  const opener = focused ?? buttons.find((button) => button.ariaExpanded === 'true');
  if (opener) return opener;
  const frame = buttons[0]?.closest('[role="region"]')?.getBoundingClientRect();
  const isAboveEnd = (one: HTMLButtonElement): boolean =>
    frame !== undefined && one.getBoundingClientRect().bottom <= frame.bottom;
  return buttons.findLast(isAboveEnd) ?? buttons.at(-1);
};

/**
 * The list removes rows that are far from the visible part. The focus of a removed one goes to the
 * thread, so that its keys still scroll.
 */
const keepFocus = (): void => {
  let thread: HTMLElement | undefined;
  window.addEventListener('focusin', ({ target }) => {
    const isInMessage = target instanceof Element && target.closest('[data-message-id]') !== null;
    thread = (isInMessage && target.closest<HTMLElement>('[role="region"]')) || undefined;
  });
  window.addEventListener('pointerdown', () => {
    thread = undefined;
  });
  const onScroll = (): void => {
    if (thread?.isConnected && document.activeElement === document.body) {
      thread.focus({ preventScroll: true });
    }
  };
  window.addEventListener('scroll', onScroll, { capture: true, passive: true });
};

let isWatching = false;

/** The messages of a thread are one stop for Tab: a stop for each would be dozens. */
export const watchKeys = (): void => {
  if (isWatching) return;
  isWatching = true;
  keepFocus();
  const onKeyDown = ({ key }: globalThis.KeyboardEvent): void => {
    if (key !== 'Tab') return;
    const buttons = listButtons();
    const stop = findStop(buttons);
    for (const button of buttons) button.tabIndex = button === stop ? 0 : -1;
  };
  window.addEventListener('keydown', onKeyDown, { capture: true });
};

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/** Moves the focus to the button of the previous or next message; false for other keys. */
export const moveAlong = (from: HTMLButtonElement, key: string): boolean => {
  const step = STEPS[key];
  if (step === undefined) return false;
  const buttons = listButtons();
  buttons[buttons.indexOf(from) + step]?.focus();
  return true;
};

const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('a, button, [role="menu"]') !== null;

/** Touch on a message: a tap focuses its button, a long press calls `onLongPress`. */
export const watchPress = (
  message: HTMLElement,
  button: RefObject<HTMLButtonElement | null>,
  onLongPress: () => void,
): (() => void) => {
  /** Watches the rest of a touch; undefined before the first one: most rows are never touched. */
  let touches: AbortController | undefined;
  let press: { readonly x: number; readonly y: number; readonly timer: number } | undefined;
  let isTouch = false;
  let isLong = false;
  const end = (): void => {
    clearTimeout(press?.timer);
    press = undefined;
  };
  const begin = ({ pointerType, isPrimary, target, clientX, clientY }: PointerEvent): void => {
    end();
    isLong = false;
    isTouch = pointerType === 'touch';
    if (isTouch) touches ??= watchTouches();
    if (!isTouch || !isPrimary || isControl(target)) return;
    const timer = window.setTimeout(() => {
      isLong = true;
      onLongPress();
    }, LONG_PRESS_MS);
    press = { x: clientX, y: clientY, timer };
  };
  const move = ({ clientX, clientY }: PointerEvent): void => {
    if (press === undefined || isLong) return;
    if (Math.hypot(clientX - press.x, clientY - press.y) > SLIP_PX) end();
  };
  // The mouse events of a touch, of which a click is the last, would take the focus away again.
  const show = ({ target }: Event): void => {
    if (isTouch && !isLong && !isControl(target)) button.current?.focus({ preventScroll: true });
  };
  // Prevents the browser's own menu, and the click when the finger lifts, which would close ours.
  const prevent = (event: Event): void => {
    if (isLong && event.cancelable) event.preventDefault();
  };
  const watchTouches = (): AbortController => {
    const listening = new AbortController();
    message.addEventListener('pointermove', move, listening);
    message.addEventListener('pointerup', end, listening);
    message.addEventListener('click', show, listening);
    message.addEventListener('pointercancel', end, listening);
    message.addEventListener('contextmenu', prevent, listening);
    return listening;
  };
  message.addEventListener('pointerdown', begin);
  // A browser checks before a touch begins whether its end may be prevented.
  message.addEventListener('touchend', prevent, { passive: false });
  return () => {
    end();
    touches?.abort();
    message.removeEventListener('pointerdown', begin);
    message.removeEventListener('touchend', prevent);
  };
};
