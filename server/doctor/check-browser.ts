import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

import * as z from 'zod';

import { type Finding, note, ok } from './finding.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** The tests look for their browser themselves; a released server may be without them. */
const FINDER = resolve(ROOT, 'tests/support/browser/find-browser.ts');
const TEST_LIBRARY = resolve(ROOT, 'node_modules/playwright-core');

const run = promisify(execFile);

/** The browser `npm test` would use, without getting one. */
export const checkBrowser = async (): Promise<Finding> => {
  if (!existsSync(FINDER) || !existsSync(TEST_LIBRARY)) {
    return ok('browser', 'not needed: the tests are not installed here');
  }
  try {
    const { stdout } = await run(process.execPath, [FINDER], { cwd: ROOT });
    return ok('browser', `${stdout.trim()} for the tests`);
  } catch (thrown) {
    const output = z.object({ stdout: z.string() }).safeParse(thrown).data?.stdout.trim();
    return note('browser', output ?? 'none found for the tests');
  }
};
