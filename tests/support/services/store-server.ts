import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { canRun, installWithApt, mayInstall } from '../browser/install.ts';
import { adopt } from '../process/children.ts';
import { findFreePort } from '../process/free-port.ts';
import { waitFor } from '../wait-for.ts';

/** A separate Valkey or Redis for a test: on loopback, in a temp folder, without persistence. */
export interface StoreServer {
  readonly url: string;
  /** Kills it at once (SIGKILL); its data is lost. */
  kill(): Promise<void>;
  /** Stops it without ending it (SIGSTOP): connections stay open without answers. */
  freeze(): void;
  thaw(): void;
  /** Restarts it, empty, on the same port. */
  start(): Promise<void>;
  dispose(): Promise<void>;
}

/** The ways to get a store if none was found. */
const NO_STORE = `No Valkey or Redis was found and none could be installed. To get one:
  Debian, Ubuntu: sudo apt-get install redis-server; macOS: brew install valkey;
  elsewhere put valkey-server or redis-server on the PATH.`;

const COMMANDS = ['valkey-server', 'redis-server'];
const PLACES = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'];
const DEBIAN_PACKAGE = 'redis-server';

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

const findPresent = async (): Promise<string | undefined> => {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...PLACES];
  for (const command of COMMANDS) {
    for (const folder of folders.filter((name) => name !== '')) {
      const path = join(folder, command);
      if ((await exists(path)) && (await canRun(path))) return path;
    }
  }
  return undefined;
};

/** The executable; Debian's package is installed in CI or as root. */
const mustFindStore = async (): Promise<string> => {
  const present = await findPresent();
  if (present !== undefined) return present;
  const say = (line: string): void => console.log(`store     | ${line}`);
  const installed = mayInstall() && (await installWithApt(say, DEBIAN_PACKAGE));
  const path = installed ? await findPresent() : undefined;
  if (path === undefined) throw new Error(NO_STORE);
  return path;
};

/** True once it answers `PING`, which it does not while it loads. */
const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.once('data', (data) => {
      resolve(data.toString().startsWith('+PONG'));
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
  });

export const startStoreServer = async (): Promise<StoreServer> => {
  const command = await mustFindStore();
  const folder = await mkdtemp(join(tmpdir(), 'replay-desk-store-'));
  const port = await findFreePort();
  const common = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder];
  const args = [...common, '--save', '', '--appendonly', 'no', '--daemonize', 'no'];
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const started = adopt(spawn(command, args, { stdio: 'ignore' }));
    child = started;
    await waitFor('the store to answer', () => {
      if (started.exitCode !== null) throw new Error(`${command} ended with ${started.exitCode}`);
      return answers(port);
    });
  };
  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    start,
    dispose: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
