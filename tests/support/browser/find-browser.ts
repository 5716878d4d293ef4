import { findPresentBrowser, NO_BROWSER } from './browser.ts';

/** Run as a script: the browser the tests would use, or how to get one (exit code 1). */
const browser = await findPresentBrowser(() => undefined);
process.stdout.write(`${browser ?? NO_BROWSER}\n`);
process.exitCode = browser === undefined ? 1 : 0;
