import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { adopt } from './children.ts';
import { findFreePort } from './free-port.ts';
import { waitFor } from '../wait-for.ts';

/** The real server as a separate process, on a free port, with its own data folder. */
export interface ServerProcess {
  /** `http://localhost:{port}`; the same across restarts. */
  readonly address: string;
  readonly dataFolder: string;
  /** The output of the process so far. */
  output(): string;
  /** Starts again on the same port and data. */
  start(): Promise<void>;
  /** Requests a stop (SIGTERM) and waits until the process has stopped. */
  stop(): Promise<void>;
  /** Kills it at once (SIGKILL). */
  kill(): Promise<void>;
  /** Stops it and removes its data. */
  dispose(): Promise<void>;
  /** Starts the terminal client against this server. */
  openTerminal(clientId: string, room: string): ChildProcess;
}

const isHealthy = async (address: string): Promise<boolean> => {
  try {
    return (await fetch(`${address}/api/health`)).ok;
  } catch {
    return false;
  }
};

const end = async (child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> => {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
};

/** Settings of one server, which override those of a demo start. */
export type ServerEnv = Readonly<Record<string, string>>;

/** Starts the server with demo data and waits until it answers. */
export const startServer = async (extraEnv: ServerEnv = {}): Promise<ServerProcess> => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'replay-desk-e2e-'));
  const port = await findFreePort();
  const address = `http://localhost:${port}`;
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    PORT: String(port),
    DATA_DIR: dataFolder,
    ...extraEnv,
  };
  const written: string[] = [];
  let child: ChildProcess | undefined;

  const launch = (script: string, args: readonly string[]): ChildProcess =>
    adopt(spawn(process.execPath, [script, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] }));

  const start = async (): Promise<void> => {
    const started = launch('server/bin/start.ts', []);
    child = started;
    for (const stream of [started.stdout, started.stderr]) {
      stream?.on('data', (chunk: Buffer) => written.push(chunk.toString()));
    }
    await waitFor('the server to answer', async () => {
      if (started.exitCode !== null) throw new Error(`server ended:\n${written.join('')}`);
      return isHealthy(address);
    });
  };

  await start();
  return {
    address,
    dataFolder,
    output: () => written.join(''),
    start,
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
    dispose: async () => {
      await end(child, 'SIGTERM');
      await rm(dataFolder, { recursive: true, force: true });
    },
    openTerminal: (clientId, room) =>
      launch('server/bin/client.ts', ['--client', clientId, '--room', room]),
  };
};
