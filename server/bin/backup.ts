import { resolve } from 'node:path';

import { loadConfig } from '../config/config.ts';
import { copyDatabase } from '../embedded/copy-database.ts';
import { readArguments, report } from './command-line.ts';

/** `npm run db:backup -- <file>`: copies the embedded data, even while the server runs. */

const USAGE = 'Usage: npm run db:backup -- <new file>';

const main = (): number => {
  const given = readArguments({ allowPositionals: true, options: {} });
  const [target, ...rest] = given?.positionals ?? [];
  if (target === undefined || rest.length > 0) return report(USAGE);
  const config = loadConfig();
  if (!config.ok) return report(config.error.join('\n'));
  const copied = copyDatabase(config.value.dataDir, resolve(target));
  if (!copied.ok) return report(copied.error, 1);
  process.stdout.write(`${copied.value.messages} messages copied to ${resolve(target)}\n`);
  return 0;
};

process.exitCode = main();
