import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { loadConfig } from '../config/config.ts';
import { copyDatabase } from '../embedded/copy-database.ts';

/** `npm run db:backup -- <file>`: copies the embedded data, even while the server runs. */

const USAGE = 'Usage: npm run db:backup -- <new file>\n';
const EXIT_USAGE = 2;

const report = (text: string, exitCode: number): number => {
  process.stderr.write(`${text}\n`);
  return exitCode;
};

const readTarget = (): string | undefined => {
  try {
    const { positionals } = parseArgs({ allowPositionals: true, options: {} });
    return positionals.length === 1 ? positionals[0] : undefined;
  } catch {
    return undefined;
  }
};

const main = (): number => {
  const target = readTarget();
  if (target === undefined) return report(USAGE, EXIT_USAGE);
  const config = loadConfig();
  if (!config.ok) return report(config.error.join('\n'), EXIT_USAGE);
  const copied = copyDatabase(config.value.dataDir, resolve(target));
  if (!copied.ok) return report(copied.error, 1);
  process.stdout.write(`${copied.value.messages} messages copied to ${resolve(target)}\n`);
  return 0;
};

process.exitCode = main();
