import { rebuildPage } from '../app/page-build.ts';
import { report } from './command-line.ts';

/** `npm run build`: builds the page. A running server serves the previous one until it is complete. */
const built = await rebuildPage((line) => void process.stdout.write(`${line}\n`));
process.exitCode = built.ok ? 0 : report(built.error, 1);
