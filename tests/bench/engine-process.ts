import { readFileSync } from 'node:fs';

import * as z from 'zod';

import { type NodeProcess, runScript } from '#tests/support/process/node-process.ts';
import { createTestTokens } from '#tests/support/server/realtime-client.ts';
import { makeDataDir, removeDataDir } from '#tests/support/server/realtime-server.ts';

const MEGABYTE = 1_048_576;

const packageSchema = z.object({ scripts: z.object({ start: z.string() }) });

/** The Node flags of `npm start`. */
const readStartFlags = (): readonly string[] => {
  const { scripts } = packageSchema.parse(JSON.parse(readFileSync('package.json', 'utf8')));
  return scripts.start.split(' ').filter((word) => word.startsWith('--'));
};

/** A server process that can be killed and restarted on its data. */
export interface EngineProcess {
  readonly dataDir: string;
  port(): number;
  token(uid?: string): string;
  /** Of many people: the engine limits each of them. */
  tokens(): readonly string[];
  /** Resident memory, MB. */
  memory(): number;
  /** Processor time used so far, ms. */
  cpu(): number;
  start(): Promise<void>;
  kill(): Promise<void>;
  dispose(): Promise<void>;
}

const TICK_MS = 10;
const PEOPLE = 1000;

export const startEngine = async (): Promise<EngineProcess> => {
  const dataDir = makeDataDir();
  let server: NodeProcess;
  let port = 0;
  const start = async (): Promise<void> => {
    const variables = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' };
    server = runScript('server/bin/start.ts', ['--built'], variables, readStartFlags());
    await server.waitForOutput('Press Ctrl+C');
    port = Number(/localhost:(\d+)/.exec(server.output())?.[1]);
  };
  const kill = async (): Promise<void> => {
    server.kill('SIGKILL');
    await server.exited;
  };
  await start();
  return {
    dataDir,
    port: () => port,
    token: (uid) => createTestTokens(dataDir).staff(uid),
    tokens: () => {
      const { staff } = createTestTokens(dataDir);
      return Array.from({ length: PEOPLE }, (_, n) => staff(`u_${n}`, `session-${n}`));
    },
    memory: () => {
      const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
      return (Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / MEGABYTE;
    },
    cpu: () => {
      const stat = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
      return (Number(stat[11]) + Number(stat[12])) * TICK_MS;
    },
    start,
    kill,
    dispose: async () => {
      await kill();
      removeDataDir(dataDir);
    },
  };
};
