const FILE = 'replay-desk-probe';
const PIECE_BYTES = 1_048_576;
/** What a database needs to open and to replace its log, and as much again. */
const PIECES = 16;

/** A browser that forbids these files to the page does not say that there is no room. */
const isForbidden = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'SecurityError';

/** Writes 16 MB into a file, which is deleted in any case. */
const writeProbe = async (folder: FileSystemDirectoryHandle): Promise<void> => {
  const file = await folder.getFileHandle(FILE, { create: true });
  // Safari writes these files in workers alone.
  if (typeof file.createWritable !== 'function') return;
  const stream = await file.createWritable();
  const piece = new Uint8Array(PIECE_BYTES);
  try {
    for (let written = 0; written < PIECES; written += 1) await stream.write(piece);
    await stream.close();
  } catch (error) {
    await stream.abort().catch(() => undefined);
    throw error;
  }
};

/**
 * Whether the disk takes 16 MB more. It is tried with a file of the page's own: unlike IndexedDB,
 * these take no harm from a full disk. True where the browser has none.
 */
export const hasRoom = async (): Promise<boolean> => {
  // Not there on plain http beyond loopback, whatever the types say.
  const storage: StorageManager | undefined = navigator.storage;
  if (typeof storage?.getDirectory !== 'function') return true;
  try {
    const folder = await storage.getDirectory();
    try {
      await writeProbe(folder);
    } finally {
      await folder.removeEntry(FILE).catch(() => undefined);
    }
    return true;
  } catch (error) {
    return isForbidden(error);
  }
};
