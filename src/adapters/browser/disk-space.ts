const FILE = 'replay-desk-probe';
const PIECE_BYTES = 1_048_576;
/**
 * The size a database needs to open and to write its log of up to 4 MB to tables, with a margin.
 */
const PIECES = 16;

/** A browser that denies the page these files does not thereby report a full disk. */
const isForbidden = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'SecurityError';

/** Writes 16 MB into a file, which is deleted in any case. */
const writeProbe = async (folder: FileSystemDirectoryHandle): Promise<void> => {
  const file = await folder.getFileHandle(FILE, { create: true });
  // Safari writes these files in workers only.
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
 * Whether another 16 MB fit on the disk, tested with a file of the page's own: unlike IndexedDB,
 * these files are not damaged by a full disk. True if the browser has none.
 */
export const hasSpace = async (): Promise<boolean> => {
  // Absent on plain http beyond loopback, although the types declare it.
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
