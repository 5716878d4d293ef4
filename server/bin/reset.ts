import { createInterface } from 'node:readline/promises';

import { type Config, loadConfig } from '../config/config.ts';
import { emptyDataFolder, isDataFolder } from '../embedded/empty-folder.ts';
import { readArguments, report } from './command-line.ts';

/**
 * `npm run db:reset`: empties the embedded data folder after asking; `--yes` skips the
 * question. The next start creates new data, with demo data unless DEMO=false.
 */

const USAGE = 'Usage: npm run db:reset [-- --yes]';
const OPTIONS = { yes: { type: 'boolean', short: 'y', default: false } } as const;

/** True for "y" or "yes"; the end of the input means no. */
const ask = async (question: string): Promise<boolean> => {
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new Promise<string>((resolve) => void reader.once('close', () => resolve('')));
  const answer = await Promise.race([reader.question(question), ended]);
  reader.close();
  return /^y(?:es)?$/i.test(answer.trim());
};

const reset = async ({ dataDir }: Config, isSure: boolean): Promise<number> => {
  if (!isDataFolder(dataDir)) return report(`${dataDir} contains no data: nothing to do.`, 0);
  const question = `Delete all accounts, messages and the secret in ${dataDir}? [y/N] `;
  if (!isSure && !(await ask(question))) return report('Nothing was deleted.', 1);
  const emptied = emptyDataFolder(dataDir);
  if (!emptied.ok) return report(emptied.error.message, 1);
  const others = emptied.value.join(', ');
  return others === ''
    ? report(`${dataDir} is empty.`, 0)
    : report(`The data in ${dataDir} was deleted. Other files remain: ${others}.`, 0);
};

const main = async (): Promise<number> => {
  const given = readArguments({ options: OPTIONS });
  if (given === undefined) return report(USAGE);
  const config = loadConfig();
  return config.ok ? reset(config.value, given.values.yes) : report(config.error.join('\n'));
};

process.exitCode = await main();
