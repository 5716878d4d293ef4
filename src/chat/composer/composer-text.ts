/** A change about to be made in the text field: what it replaces, and how. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly inputType: string;
}

/**
 * True when an edit leaves the first `length` characters as they are: text that is being
 * accepted may be typed after, and is then taken out from under it.
 */
export const keepsFirst = (length: number, edit: Edit): boolean =>
  edit.inputType.startsWith('insert') && edit.start >= length && edit.end >= length;

/**
 * What stays in the field after `sent` was accepted. When its text was edited meanwhile,
 * the edited text stays whole: a repeated word is better than a lost one.
 */
export const toRemainder = (sent: string, current: string, intact: boolean): string =>
  intact && current.startsWith(sent) ? current.slice(sent.length) : current;

/** What browsers report for keys that an input method handles. */
const COMPOSING_KEY_CODE = 229;

/** Enter sends, Shift+Enter is a new line, on touch Enter is one too; never while composing. */
export const isSendKey = (
  event: {
    readonly key: string;
    readonly shiftKey: boolean;
    readonly ctrlKey: boolean;
    readonly altKey: boolean;
    readonly metaKey: boolean;
    readonly isComposing: boolean;
    readonly keyCode: number;
  },
  touch: boolean,
): boolean => {
  if (event.key !== 'Enter' || event.isComposing || event.keyCode === COMPOSING_KEY_CODE) {
    return false;
  }
  if (event.ctrlKey || event.metaKey) return true;
  return !event.shiftKey && !event.altKey && !touch;
};
