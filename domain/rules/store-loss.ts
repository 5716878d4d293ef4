import type { StoreMark } from '../ports/device.ts';

/** What was lost while the page was closed: nothing, a store with nothing unsent in it, or more. */
export type StoreLoss = 'none' | 'store' | 'unsent';

/**
 * Compares a store with its mark. Only one that was made anew can have lost anything; kept messages
 * that are not there any more were lost, too.
 */
export const findStoreLoss = ({
  isNew,
  mark,
  hasKept,
}: {
  readonly isNew: boolean;
  readonly mark: StoreMark | undefined;
  readonly hasKept: boolean;
}): StoreLoss => {
  if (!isNew || mark === undefined) return 'none';
  if (mark === 'kept') return hasKept ? 'none' : 'unsent';
  return mark === 'unsent' ? 'unsent' : 'store';
};
