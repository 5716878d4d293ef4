import { isComposing } from '#src/ui/key-names.ts';

/** A text that Enter ended and that is not accepted yet. */
export interface Waiting {
  readonly text: string;
}

/** The start of a draft, as long as these texts wait. */
export const joinQueue = (queue: readonly Waiting[]): string =>
  queue.map(({ text }) => text).join('');

/** A draft with the texts that no longer wait on lines of their own. */
export const toLines = (queue: readonly Waiting[], draft: string): string => {
  const rest = draft.slice(joinQueue(queue).length);
  return [...queue.map(({ text }) => text), ...(rest === '' ? [] : [rest])].join('\n');
};

/**
 * How many of the texts an edit left unchanged. `caret` is the start of the edit, which may replace
 * a text by one that begins the same.
 */
export const countUntouched = (
  queue: readonly Waiting[],
  edited: string,
  caret: number,
): number => {
  let start = 0;
  const changed = queue.findIndex(({ text }) => {
    const isSame = edited.startsWith(text, start);
    start += text.length;
    return !isSame || caret < start;
  });
  return changed === -1 ? queue.length : changed;
};

/** Enter sends, Shift+Enter starts a new line, as does Enter on touch; never while composing. */
export const isSendKey = (event: KeyboardEvent, touch: boolean): boolean => {
  if (event.key !== 'Enter' || isComposing(event)) return false;
  if (event.ctrlKey || event.metaKey) return true;
  return !event.shiftKey && !event.altKey && !touch;
};

/** True for a text that can be sent (spec §5); it is then sent unchanged. */
export const isSendableText = (text: string): boolean => text.trim() !== '';
