/** What counts as a gesture: some browsers show a question, and only then expect it. */
const GESTURES = ['pointerup', 'keydown'] as const;

/** Resolves when somebody uses the page. */
const waitForGesture = (): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      for (const type of GESTURES) window.removeEventListener(type, done, true);
      resolve();
    };
    for (const type of GESTURES) window.addEventListener(type, done, true);
  });

/**
 * Asks the browser to keep this device's data until somebody clears it, unless it does
 * already. Firefox asks the user in turn, so that the question waits for a gesture. Browsers
 * without the question, and pages that may not ask, count as a no.
 */
export const requestPersistentStorage = async (): Promise<boolean> => {
  // Not there on plain http beyond loopback, whatever the types say.
  const storage: StorageManager | undefined = navigator.storage;
  if (storage === undefined) return false;
  try {
    if (await storage.persisted()) return true;
    await waitForGesture();
    return await storage.persist();
  } catch {
    return false;
  }
};
