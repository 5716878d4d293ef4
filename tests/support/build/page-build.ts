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

/**
 * Builds the page with Vite's manifest beside it (`.vite/manifest.json`); as a named release, it
 * has no script in common with another one, and says its name in `data-release`.
 */
export const buildPage = async (release?: string): Promise<PageBuild> => {
  const folder = await mkdtemp(join(tmpdir(), 'replay-desk-build-'));
  const args = ['node_modules/vite/bin/vite.js', 'build', '--manifest', '--outDir', folder];
  if (release !== undefined) args.push('--config', 'tests/support/build/release.config.ts');
  // As for a release: the test's own environment would bring in development code.
  const env = { ...process.env, NODE_ENV: 'production', RELEASE: release };
  await run(process.execPath, args, { env });
  return { folder, dispose: () => rm(folder, { recursive: true, force: true }) };
};
