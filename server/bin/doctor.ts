import { isStateless } from '../app/services.ts';
import { allowsDemo, type Config, isPublic, loadConfig } from '../config/config.ts';
import { checkData, checkShared } from '../doctor/check-data.ts';
import {
  checkBrowser,
  checkDisk,
  checkNode,
  checkPage,
  checkPort,
} from '../doctor/check-environment.ts';
import { checkServices } from '../doctor/check-services.ts';
import { bad, type Finding, note, ok, renderFindings } from '../doctor/finding.ts';
import { readVersion } from '../kernel/version.ts';
import { readArguments, report } from './command-line.ts';

/**
 * `npm run doctor`: checks everything a start needs and changes nothing. `--online` also checks
 * the hosted services. Exit code 0, or 1 if something is wrong.
 */

const USAGE = 'Usage: npm run doctor [-- --online]';
const OPTIONS = { online: { type: 'boolean', default: false } } as const;

const describeMode = (config: Config): Finding => {
  const { apiBaseUrl, hosted, publicUrl, port } = config;
  const staff = apiBaseUrl ?? 'embedded';
  const realtime = hosted === undefined ? 'embedded' : `PubNub at ${hosted.origin}`;
  const url = publicUrl ?? `http://localhost:${port}`;
  const text = `staff data ${staff}, realtime ${realtime}, for browsers at ${url}`;
  return allowsDemo(config) && isPublic(config)
    ? note('settings', `${text}; the passwords of the demo accounts are public: see DEMO`)
    : ok('settings', text);
};

const checkOnline = async (config: Config, isOnline: boolean): Promise<readonly Finding[]> => {
  if (config.apiBaseUrl === undefined && config.hosted === undefined) return [];
  return isOnline
    ? checkServices(config)
    : [note('services', 'not checked: run npm run doctor -- --online')];
};

const examine = async (config: Config, isOnline: boolean): Promise<readonly Finding[]> => [
  describeMode(config),
  await checkPort(config),
  ...(isStateless(config) ? await checkShared(config) : checkData(config)),
  checkDisk(config.dataDir, isStateless(config)),
  checkPage(),
  ...(await checkOnline(config, isOnline)),
];

const main = async (): Promise<number> => {
  const given = readArguments({ options: OPTIONS });
  if (given === undefined) return report(USAGE);
  const config = loadConfig();
  const [examined, browser] = await Promise.all([
    config.ok
      ? examine(config.value, given.values.online)
      : config.error.map((problem) => bad('settings', problem)),
    checkBrowser(),
  ]);
  const findings = [checkNode(process.versions.node), ...examined, browser];
  process.stdout.write(`Replay Desk ${readVersion()}\n\n${renderFindings(findings)}`);
  return findings.some(({ state }) => state === 'bad') ? 1 : 0;
};

process.exitCode = await main();
