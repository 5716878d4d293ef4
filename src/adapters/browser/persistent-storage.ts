/** User gestures: some browsers show a prompt, and expect a gesture first. */
const GESTURES = ['pointerup', 'keydown'] as const;

const waitForGesture = (): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      for (const type of GESTURES) window.removeEventListener(type, done, true);
      resolve();
    };
    for (const type of GESTURES) window.addEventListener(type, done, true);
  });

/**
 * Asks the browser to keep this device's data until the user clears it, unless it does already.
 * Firefox prompts the user, so the request waits for a gesture. Browsers without this API, and
 * pages that may not ask, count as a refusal.
 */
export const requestPersistentStorage = async (): Promise<boolean> => {
  // Absent on plain http beyond loopback, although the types declare it.
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
