import { isStateless } from '../app/services.ts';
import { type Config, isPublic, loadConfig } from '../config/config.ts';
import { DEMO_ACCOUNTS } from '../embedded/demo/people.ts';
import { OTHERS_BITS } from '../kernel/owner-only.ts';
import { STOP_MAX_MS } from '../kernel/limits.ts';
import { type RunningServer, startServer } from '../app/main.ts';
import { ensurePage, readPageState } from '../app/page-build.ts';
import { ignoreTerminalErrors, readArguments, report } from './command-line.ts';

/**
 * `npm start`: builds the page if it was built from other sources, then serves it.
 * `--built` serves the existing build, `--dev` (`npm run dev`) the sources.
 */

const USAGE = 'Usage: npm start [-- --built]\n       npm run dev';
const OPTIONS = { built: { type: 'boolean' }, dev: { type: 'boolean' } } as const;

const print = (lines: readonly string[]): void => {
  process.stdout.write(`${lines.join('\n')}\n`);
};

const giveUp = (lines: readonly string[]): never => {
  process.stderr.write(
    `Replay Desk did not start.\n${lines.map((line) => `  ${line}\n`).join('')}`,
  );
  process.exit(1);
};

const describeDemo = (config: Config): readonly string[] => [
  ...DEMO_ACCOUNTS.map(({ email, password, role }, index) => {
    const label = index === 0 ? 'Sign in     ' : '            ';
    return `  ${label}${email} / ${password} (${role})`;
  }),
  ...(isPublic(config)
    ? ['  Warning     these demo passwords are public. Set DEMO=false before you let others in.']
    : []),
];

const printStartupMessage = (config: Config, server: RunningServer, isStale: boolean): void => {
  const { apiBaseUrl, hosted } = config;
  const isOpen = hosted !== undefined && hosted.secretKey === undefined;
  const staffData = apiBaseUrl === undefined ? 'embedded' : `hosted, ${apiBaseUrl}`;
  print([
    '',
    `Replay Desk ${server.version} is running at ${server.url}`,
    '',
    ...(server.isDemo ? describeDemo(config) : []),
    `  Staff data  ${staffData}`,
    `  Realtime    ${hosted === undefined ? 'embedded' : `hosted, PubNub at ${hosted.origin}`}`,
    ...(isOpen
      ? [
          '  Warning     anyone who opens this address can read and write every room (PUBNUB_OPEN_CHANNELS)',
        ]
      : []),
    ...(isStale
      ? [
          '  Warning     the page was built from different sources: see "Upgrade" in docs/operation.md',
        ]
      : []),
    `  Data        ${isStateless(config) ? 'not stored here' : config.dataDir}`,
    '',
    'Press Ctrl+C to stop.',
    '',
  ]);
};

const stopOnSignals = (server: RunningServer): void => {
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    // Everything acknowledged is already on disk: a late stop is worse than a forced one.
    setTimeout(() => process.exit(0), STOP_MAX_MS).unref();
    void server.close().then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
};

const start = async (): Promise<void> => {
  ignoreTerminalErrors();
  const given = readArguments({ options: OPTIONS })?.values;
  if (given === undefined) process.exit(report(USAGE));
  const config = loadConfig();
  if (!config.ok) return giveUp(config.error);
  const isDevelopment = given.dev === true;
  const isBuilt = given.built === true;
  if (!isDevelopment && !isBuilt) {
    const page = await ensurePage((line) => print([line]));
    if (!page.ok) return giveUp([page.error]);
  }
  // Other users may read the built page, but no file that this process writes later.
  process.umask(OTHERS_BITS);
  const options = isDevelopment ? { wrap: (await import('../app/dev-page.ts')).wrapWithVite } : {};
  const server = await startServer(config.value, options);
  if (!server.ok) return giveUp([server.error]);
  stopOnSignals(server.value);
  printStartupMessage(config.value, server.value, isBuilt && readPageState() === 'stale');
};

await start();
