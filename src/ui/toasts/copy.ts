import { showToast } from './toast-store.ts';

/** Copies a text and confirms it. */
export const copy = async (text: string, done: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text);
    showToast('info', done);
  } catch {
    showToast('error', "Couldn't copy. Select the text and copy it manually.");
  }
};
