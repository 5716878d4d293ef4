import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

import { waitFor } from '../wait-for.ts';

/** One of the program's commands as a separate process. */
export interface NodeProcess {
  readonly pid: number;
  /** The output so far, including errors. */
  readonly output: () => string;
  readonly waitForOutput: (text: string) => Promise<void>;
  readonly write: (text: string) => void;
  readonly endInput: () => void;
  /** Stops reading what the process prints. */
  readonly closeOutput: () => void;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** The exit code, or the signal that ended it. */
  readonly exited: Promise<number | string>;
}

/** Runs a script of the project with only the given environment. */
export const runScript = (
  script: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
  nodeFlags: readonly string[] = [],
): NodeProcess => {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, ...variables };
  const child = spawn(process.execPath, [...nodeFlags, resolve(script), ...args], {
    env,
    stdio: 'pipe',
  });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (written += chunk));
  }
  child.stdin.on('error', () => undefined);
  const exited = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  return {
    pid: child.pid ?? 0,
    output: () => written,
    waitForOutput: (text) =>
      waitFor(`"${text}"`, () => {
        if (written.includes(text)) return true;
        if (child.exitCode !== null) throw new Error(`ended without "${text}":\n${written}`);
        return false;
      }),
    write: (text) => child.stdin.write(text),
    endInput: () => child.stdin.end(),
    closeOutput: () => child.stdout.destroy(),
    kill: (signal) => child.kill(signal),
    exited,
  };
};
