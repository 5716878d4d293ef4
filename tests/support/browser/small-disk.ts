import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A file system with a fixed size, for a browser's profile. */
export interface SmallDisk {
  readonly folder: string;
  /** Writes a file until no byte is left. */
  fill(): Promise<void>;
  /** Deletes that file. */
  free(): Promise<void>;
  /** The files of a profile's databases, with their sizes and the times of their last changes. */
  listDatabaseFiles(profile: string): Promise<readonly string[]>;
  dispose(): Promise<void>;
}

const FILLER = 'filler';
const BLOCK = Buffer.alloc(65_536);
/** The allocation unit of a tmpfs, bytes. */
const PAGE = 4096;

const isNoSpace = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOSPC';

const appendUntilRefused = async (handle: FileHandle, block: Buffer): Promise<void> => {
  try {
    for (;;) await handle.write(block);
  } catch (error) {
    if (!isNoSpace(error)) throw error;
  }
};

/** Writes blocks, then pages, until the disk refuses. */
const writeUntilFull = async (file: string): Promise<void> => {
  const handle = await open(file, 'a');
  try {
    await appendUntilRefused(handle, BLOCK);
    await appendUntilRefused(handle, BLOCK.subarray(0, PAGE));
  } finally {
    await handle.close();
  }
};

const listDatabaseFiles = async (profile: string): Promise<readonly string[]> => {
  const folder = join(profile, 'Default', 'IndexedDB');
  const names = await readdir(folder, { recursive: true });
  const describe = async (name: string): Promise<string> => {
    const { size, mtimeMs } = await stat(join(folder, name));
    return `${name}: ${size} bytes, changed at ${mtimeMs} ms`;
  };
  return Promise.all(names.toSorted().map(describe));
};

/**
 * Unmounts a folder once this process closes the pipe or ends in any way: no test run leaves a
 * mount behind.
 */
const keepMounted = (folder: string): { unmount(): Promise<void> } => {
  const script = 'read -r _; umount -l "$1"; rmdir "$1"';
  const keeper = spawn('sh', ['-c', script, 'sh', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  const ended = once(keeper, 'exit');
  return {
    unmount: async () => {
      keeper.stdin.end();
      await ended;
    },
  };
};

/**
 * Mounts a tmpfs of `megabytes` (Linux, with permission to mount); undefined without permission.
 */
export const mountSmallDisk = async (megabytes: number): Promise<SmallDisk | undefined> => {
  const folder = await mkdtemp(join(tmpdir(), 'replay-desk-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  } catch {
    await rm(folder, { recursive: true, force: true });
    return undefined;
  }
  const mount = keepMounted(folder);
  const file = join(folder, FILLER);
  return {
    folder,
    fill: () => writeUntilFull(file),
    free: () => rm(file, { force: true }),
    listDatabaseFiles,
    dispose: () => mount.unmount(),
  };
};
