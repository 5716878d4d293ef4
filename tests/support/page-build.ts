import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The page as released, in a folder of its own. */
export interface PageBuild {
  readonly folder: string;
  dispose(): Promise<void>;
}

/** Builds the page with Vite's manifest beside it (`.vite/manifest.json`). */
export const buildPage = async (): Promise<PageBuild> => {
  const folder = await mkdtemp(join(tmpdir(), 'replay-desk-build-'));
  const args = ['node_modules/vite/bin/vite.js', 'build', '--manifest', '--outDir', folder];
  // As for a release: the test's own environment would bring in development code.
  await run(process.execPath, args, { env: { ...process.env, NODE_ENV: 'production' } });
  return { folder, dispose: () => rm(folder, { recursive: true, force: true }) };
};
