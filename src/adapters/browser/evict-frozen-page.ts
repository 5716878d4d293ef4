const CHANNEL = 'replay-desk-storage';
/** An opening that takes longer than this counts as blocked by another page, ms. */
const WAIT_MS = 400;
const AGAIN_MS = 1000;

/**
 * Frees storage that a page in the back-forward cache blocks: a page that was left while it created
 * its database is frozen midway and blocks all others. Browsers evict such a page when a message
 * reaches one of its channels.
 */
export const createFrozenPageEvictor = () => {
  const channel = new BroadcastChannel(CHANNEL);
  // Only a page with a listener is reached.
  channel.addEventListener('message', () => undefined);
  /** Waits for `opening`, and evicts the page that blocks it. */
  return async <T>(opening: Promise<T>): Promise<T> => {
    let timer: ReturnType<typeof setTimeout>;
    const evict = (): void => {
      channel.postMessage('opening');
      timer = setTimeout(evict, AGAIN_MS);
    };
    timer = setTimeout(evict, WAIT_MS);
    try {
      return await opening;
    } finally {
      clearTimeout(timer);
    }
  };
};
