export const TEXT_FIELD = 'input:not([type=radio], [type=checkbox]), textarea';

/** The focused field for text, also while another window has the focus (unlike `:focus`). */
const findField = () =>
  document.activeElement?.closest<HTMLInputElement | HTMLTextAreaElement>(TEXT_FIELD);

/**
 * Whether the focused field contains text: a half-written message, a half-filled form, a search.
 */
export const isWriting = (): boolean => (findField()?.value ?? '') !== '';

/** Takes the focus from a field that the user leaves by a key, so that the next page can have it. */
export const leaveField = (): void => findField()?.blur();

const THREAD = '[role=region][aria-label=Messages]';

/**
 * Moves the focus into the thread, or the page if it has none: the button that had it is about to
 * go. A jump may end long after it began: a field that has the focus by then keeps it, because text
 * may be on its way into it.
 */
export const focusThread = (): void => {
  if (!findField())
    [...document.querySelectorAll<HTMLElement>(`main, ${THREAD}`)]
      .at(-1)
      ?.focus({ preventScroll: true });
};

/**
 * A ref: the thread (or the page) gets the focus that an element has when it is removed. Not before
 * the page has changed, because the same change may replace the thread.
 */
export const passFocus = (element: Element | null) => (): void => {
  if (element?.contains(document.activeElement) !== true) return;
  queueMicrotask(() => {
    if (document.activeElement === document.body) focusThread();
  });
};

/** A layout effect: the focus of a thread passes to the one that replaces it. */
export const passThreadFocus = (): (() => void) => passFocus(document.querySelector(THREAD));
