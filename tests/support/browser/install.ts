import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Receives one line about progress. */
export type Say = (line: string) => void;

const PROBE_MS = 5000;
const VERSION_MS = 120_000;
const DOWNLOAD_MS = 600_000;
const APT_MS = 900_000;
const NPM_MS = 600_000;
const PLAYWRIGHT_HOST = 'https://cdn.playwright.dev/';
const NPM_PACKAGE = '@sparticuz/chromium';
const NPM_VERSION = '153.0.0';

/** Runs a command without output; true if it ended with 0 within its time. */
const succeeds = (
  command: string,
  args: readonly string[],
  limitMs: number,
  env: NodeJS.ProcessEnv = {},
): Promise<boolean> =>
  new Promise((settle) => {
    const child = spawn(command, args, {
      stdio: 'ignore',
      timeout: limitMs,
      killSignal: 'SIGKILL',
      env: { ...process.env, ...env },
    });
    child.on('error', () => settle(false));
    child.on('close', (code) => settle(code === 0));
  });

/** Debian's packages may be installed in CI or as root. */
export const mayInstall = (): boolean => Boolean(process.env['CI']) || process.getuid?.() === 0;

/** True if an executable starts, which reveals a package stub or a missing library. */
export const canRun = (path: string): Promise<boolean> =>
  succeeds(path, ['--version', '--no-sandbox'], VERSION_MS);

const isReachable = async (address: string): Promise<boolean> => {
  const signal = AbortSignal.timeout(PROBE_MS);
  return fetch(address, { method: 'HEAD', signal }).then(
    () => true,
    () => false,
  );
};

/** Playwright's download; skipped at once if its host is unreachable. */
export const downloadWithPlaywright = async (say: Say): Promise<boolean> => {
  if (!(await isReachable(PLAYWRIGHT_HOST))) {
    say(`${PLAYWRIGHT_HOST} cannot be reached`);
    return false;
  }
  say('downloading with Playwright');
  const cli = resolve('node_modules/playwright-core/cli.js');
  return succeeds(process.execPath, [cli, 'install', '--no-shell', 'chromium'], DOWNLOAD_MS, {
    PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: String(PROBE_MS),
  });
};

/** One of Debian's packages; the package lists are updated if the first attempt fails. */
export const installWithApt = async (say: Say, name: string): Promise<boolean> => {
  if (!(await succeeds('apt-get', ['--version'], VERSION_MS))) return false;
  say(`installing the system package ${name}`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const install = (): Promise<boolean> =>
    succeeds('apt-get', ['install', '-y', '--no-install-recommends', name], APT_MS, env);
  if (await install()) return true;
  await succeeds('apt-get', ['update'], APT_MS, env);
  return install();
};

interface NpmChromium {
  readonly default: { executablePath(): Promise<string> };
}

/** The packed Chromium of the npm registry (Linux x64 only), cached in the temp folder. */
export const installFromNpm = async (say: Say): Promise<string | undefined> => {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  say(`installing ${NPM_PACKAGE} from the npm registry`);
  const folder = join(tmpdir(), 'replay-desk-chromium');
  await mkdir(folder, { recursive: true });
  const args = [
    'install',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--prefix',
    folder,
    `${NPM_PACKAGE}@${NPM_VERSION}`,
  ];
  if (!(await succeeds('npm', args, NPM_MS))) return undefined;
  const entry = join(folder, 'node_modules', NPM_PACKAGE, 'build/index.js');
  const loaded: unknown = await import(pathToFileURL(entry).href).catch(() => undefined);
  const path = await (loaded as NpmChromium | undefined)?.default.executablePath();
  return path !== undefined && (await canRun(path)) ? path : undefined;
};
