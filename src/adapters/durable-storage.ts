/**
 * Asks the browser to keep this device's data until somebody clears it. Browsers without the
 * question, and pages that may not ask, count as a no.
 */
export const requestDurability = async (): Promise<boolean> => {
  // Not there on plain http beyond loopback, whatever the types say.
  const storage: StorageManager | undefined = navigator.storage;
  try {
    return (await storage?.persist()) ?? false;
  } catch {
    return false;
  }
};
