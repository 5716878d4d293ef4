/** A pending change in the text field: what it replaces, and how. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly inputType: string;
}

/**
 * True if an edit leaves the first `length` characters unchanged: the user may type after a text
 * that is being accepted, which is then removed in front of the new text.
 */
export const keepsFirst = (length: number, edit: Edit): boolean =>
  edit.inputType.startsWith('insert') && edit.start >= length && edit.end >= length;

/**
 * What remains in the field after `sent` was accepted. If its text was edited meanwhile, the
 * edited text remains whole: a repeated word is better than a lost one.
 */
export const toRemainder = (sent: string, current: string, intact: boolean): string =>
  intact && current.startsWith(sent) ? current.slice(sent.length) : current;

/** What browsers report for keys that an input method handles. */
const COMPOSING_KEY_CODE = 229;

/** Enter sends, Shift+Enter starts a new line, as does Enter on touch; never while composing. */
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

/** True for a text that can be sent (spec §5); it is then sent unchanged. */
export const isSendableText = (text: string): boolean => text.trim() !== '';
