import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The page as released, in a separate folder. */
export interface PageBuild {
  readonly folder: string;
  dispose(): Promise<void>;
}

/**
 * Builds the page with Vite's manifest (`.vite/manifest.json`). A named release shares no script
 * with another one, and has its name in `data-release`.
 */
export const buildPage = async (release?: string): Promise<PageBuild> => {
  const folder = await mkdtemp(join(tmpdir(), 'replay-desk-build-'));
  const args = ['node_modules/vite/bin/vite.js', 'build', '--manifest', '--outDir', folder];
  if (release !== undefined) args.push('--config', 'tests/support/build/release.config.ts');
  // The build uses the environment of a release: the test's environment would include development
  // code.
  const env = { ...process.env, NODE_ENV: 'production', RELEASE: release };
  await run(process.execPath, args, { env });
  return { folder, dispose: () => rm(folder, { recursive: true, force: true }) };
};
