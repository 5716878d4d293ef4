import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { waitFor } from '#tests/support/wait-for.ts';

export const START = resolve('server/bin/start.ts');

/** A separate process. */
export interface Launched {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  /** Resolves once the process has ended and all of its output is read. */
  readonly closed: Promise<unknown>;
  readonly output: () => string;
}

type Variables = Readonly<Record<string, string>>;

/** Starts processes in a separate folder, and ends them. */
export const createLauncher = () => {
  const folder = mkdtempSync(join(tmpdir(), 'replay-desk-process-'));
  const all: Launched[] = [];
  const launch = (
    args: readonly string[],
    variables: Variables = {},
    program = process.execPath,
  ): Launched => {
    const env = {
      PATH: process.env['PATH'],
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      ...variables,
    };
    const child = spawn(program, args, { cwd: folder, env });
    const written: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => written.push(chunk.toString()));
    }
    const exited = once(child, 'exit').then(([code]) => code as number | null);
    const closed = once(child, 'close');
    const launched: Launched = { child, exited, closed, output: () => written.join('') };
    all.push(launched);
    return launched;
  };
  return {
    folder,
    launch,
    /** `npm start` without the build. */
    start: (variables?: Variables): Launched => launch([START, '--built'], variables),
    /** Also ends another process. */
    add: (launched: Launched): void => void all.push(launched),
    dispose: async (): Promise<void> => {
      for (const { child, exited } of all) {
        if (child.exitCode === null) child.kill('SIGKILL');
        await exited;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
export type Launcher = ReturnType<typeof createLauncher>;

/** The port of a server, once it has printed its startup message. */
export const waitForPort = async ({ output, child }: Launched): Promise<number> => {
  await waitFor('the startup message', () => {
    if (child.exitCode !== null) throw new Error(output());
    return output().includes('Press Ctrl+C');
  });
  return Number(/running at http:\/\/localhost:(?<port>\d+)/.exec(output())?.groups?.['port']);
};
