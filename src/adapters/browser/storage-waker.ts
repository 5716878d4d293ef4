const CHANNEL = 'replay-desk-storage';
/** An open that takes longer than this is held up by another page, ms. */
const PATIENCE_MS = 400;
const AGAIN_MS = 1000;

/**
 * Frees storage that a page in the back-forward cache holds: one that was left while it made
 * its database is frozen in the middle of that and keeps everybody else waiting. Browsers
 * drop such a page when a message reaches one of its channels.
 */
export const createStorageWaker = (channel = new BroadcastChannel(CHANNEL)) => {
  // Only a page that listens is reached.
  channel.addEventListener('message', () => undefined);
  /** Waits for `opening`, and wakes whoever holds it up. */
  return async <T>(opening: Promise<T>): Promise<T> => {
    let timer: ReturnType<typeof setTimeout>;
    const wake = (): void => {
      channel.postMessage('opening');
      timer = setTimeout(wake, AGAIN_MS);
    };
    timer = setTimeout(wake, PATIENCE_MS);
    try {
      return await opening;
    } finally {
      clearTimeout(timer);
    }
  };
};
