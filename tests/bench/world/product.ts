import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import * as z from 'zod';

import { DATABASE_FILE } from '#server/embedded/open.ts';
import { type NodeProcess, runScript } from '#tests/support/process/node-process.ts';
import { createTestTokens } from '#tests/support/server/realtime-client.ts';
import { makeDataDir, removeDataDir } from '#tests/support/server/realtime-server.ts';

const MEGABYTE = 1_048_576;
const TICK_MS = 10;
const PEOPLE = 1000;

const packageSchema = z.object({ scripts: z.object({ start: z.string() }) });

/** Script and Node flags of a checkout's `npm start`: `node <flags> <script>`. */
const readStart = (folder: string): { readonly script: string; readonly flags: string[] } => {
  const text = readFileSync(join(folder, 'package.json'), 'utf8');
  const [, ...words] = packageSchema.parse(JSON.parse(text)).scripts.start.split(' ');
  const flags = words.filter((word) => word.startsWith('--'));
  return { script: join(folder, words.find((word) => !word.startsWith('--')) ?? ''), flags };
};

/** The commit of a checkout, with a plus sign if its files differ from it. */
export const readCommit = (folder: string): string => {
  const run = (...args: string[]): string =>
    spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).stdout.trim();
  const isChanged = run('status', '--porcelain', '--untracked-files=no') !== '';
  return `${run('rev-parse', '--short', 'HEAD')}${isChanged ? '+' : ''}`;
};

/** Processor time of a process so far, ms. */
export const readCpu = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(stat[11]) + Number(stat[12])) * TICK_MS;
};

/** A checkout's server as a process that can be killed and restarted on its data. */
export interface Product {
  readonly dataDir: string;
  port(): number;
  address(): string;
  token(uid?: string): string;
  /** New tokens of many users: the engine limits each of them, and a token is valid briefly. */
  tokens(): readonly string[];
  /** Resident memory, MB. */
  memory(): number;
  /** Processor time used so far, ms. */
  cpu(): number;
  /** Starts again on the same port. */
  start(): Promise<void>;
  kill(): Promise<void>;
  dispose(): Promise<void>;
}

/**
 * Starts the server of a checkout with demo accounts on a new data folder, and builds its page if
 * it is older than its sources. `fill` changes the data before anyone connects.
 */
export const startProduct = async (
  folder: string,
  fill?: (data: DatabaseSync) => void,
): Promise<Product> => {
  const dataDir = makeDataDir();
  const { script, flags } = readStart(folder);
  let server: NodeProcess;
  let port = 0;
  const start = async (): Promise<void> => {
    const variables = { DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'silent' };
    server = runScript(script, [], variables, flags);
    await server.waitForOutput('Press Ctrl+C');
    port = Number(/localhost:(\d+)/.exec(server.output())?.[1]);
  };
  const kill = async (): Promise<void> => {
    server.kill('SIGKILL');
    await server.exited;
  };
  await start();
  if (fill) {
    await kill();
    const data = new DatabaseSync(join(dataDir, DATABASE_FILE));
    fill(data);
    data.close();
    await start();
  }
  const { staff } = createTestTokens(dataDir);
  return {
    dataDir,
    port: () => port,
    address: () => `http://localhost:${port}`,
    token: (uid) => staff(uid),
    tokens: () => Array.from({ length: PEOPLE }, (_, n) => staff(`u_${n}`, `session-${n}`)),
    memory: () => {
      const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
      return (Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / MEGABYTE;
    },
    cpu: () => readCpu(server.pid),
    start,
    kill,
    dispose: async () => {
      await kill();
      removeDataDir(dataDir);
    },
  };
};
