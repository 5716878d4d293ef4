import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

import type { TaggedTest } from '../spec/trace.ts';
import { type Count, readReport } from './report.ts';
import { STALL_MS, watchForStall } from './stall-watch.ts';
import type { Step } from './steps.ts';

export interface Outcome {
  readonly step: Step;
  readonly counts: readonly Count[];
  /** The tests that name statements of the specification. */
  readonly tagged: readonly TaggedTest[];
  /** Its failed tests, one per line. */
  readonly failures: readonly string[];
  readonly seconds: number;
  readonly ok: boolean;
  /** The reason of a failed step apart from its tests: an exit code, a hang. */
  readonly reason?: string;
}

const NAME_WIDTH = 10;
const BIN = resolve('node_modules/.bin');
/** Tests start hundreds of servers and workers, which share one compile cache. */
const NODE_COMPILE_CACHE = resolve('node_modules/.cache/node');
const PROGRESS = resolve('tests/runner/report-progress.ts');

/** Prints every line of a step at once after the step's name. */
const relay = (stream: Readable, name: string, note: (line: string) => void): void => {
  const lines = createInterface({ input: stream });
  lines.on('line', (line) => {
    note(line);
    process.stdout.write(`${name.padEnd(NAME_WIDTH)}| ${line}\n`);
  });
};

/** Ends a step with all its child processes. */
const endGroup = (child: ChildProcess): void => {
  if (child.pid === undefined || child.exitCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
};

/** Waits for the end of a step, however long it runs; a step without output is ended. */
const waitForExit = (
  { name, child }: { readonly name: string; readonly child: ChildProcess },
  stallMs: number,
): Promise<string | undefined> =>
  new Promise((settle) => {
    let stalled: string | undefined;
    const watch = watchForStall(stallMs, () => {
      stalled = `no progress for ${stallMs / 1000} s after "${watch.last() ?? 'its start'}"`;
      endGroup(child);
    });
    for (const stream of [child.stdout, child.stderr]) if (stream) relay(stream, name, watch.note);
    const stop = (): void => endGroup(child);
    process.once('exit', stop);
    const finish = (reason: string | undefined): void => {
      watch.stop();
      process.off('exit', stop);
      settle(stalled ?? reason);
    };
    child.on('error', (error) => finish(error.message));
    child.on('close', (code, signal) =>
      finish(code === 0 ? undefined : `exit ${code ?? signal ?? 'unknown'}`),
    );
  });

/** Runs a tool of node_modules/.bin; returns the reason of a failure. */
const runTool = (
  step: Step,
  extraArgs: readonly string[],
  { env, stallMs }: { readonly env: NodeJS.ProcessEnv; readonly stallMs: number },
): Promise<string | undefined> => {
  const [tool, ...args] = step.command;
  const child = spawn(join(BIN, tool), [...args, ...extraArgs], {
    detached: process.platform !== 'win32',
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NODE_COMPILE_CACHE,
      ...env,
      PATH: `${BIN}${delimiter}${process.env['PATH'] ?? ''}`,
    },
  });
  return waitForExit({ name: step.name, child }, stallMs);
};

/** The result of a vitest step: its tests, plus one failure if it ended otherwise. */
const toSuiteCounts = (
  step: Step,
  counts: readonly Count[],
  reason: string | undefined,
): readonly Count[] => {
  const failed = counts.some((count) => count.failed > 0);
  const empty = counts.length === 0;
  if (failed || (reason === undefined && !empty)) return counts;
  return [...counts, { name: step.name, passed: 0, failed: 1 }];
};

/** Runs one step to its end; never rejects. `env` is added to the step's environment. */
export const runStep = async (
  step: Step,
  env: NodeJS.ProcessEnv,
  stallMs = STALL_MS,
): Promise<Outcome> => {
  const folder = await mkdtemp(join(tmpdir(), 'replay-desk-report-'));
  const report = join(folder, 'report.json');
  const started = performance.now();
  const extra = step.projects
    ? [
        '--reporter=default',
        `--reporter=${PROGRESS}`,
        '--reporter=json',
        `--outputFile.json=${report}`,
      ]
    : [];
  const reason = await runTool(step, extra, { env, stallMs });
  const read = await readReport(report);
  const counts = step.projects
    ? toSuiteCounts(step, read.counts, reason)
    : [{ name: step.name, passed: reason ? 0 : 1, failed: reason ? 1 : 0 }];
  await rm(folder, { recursive: true, force: true });
  return {
    step,
    counts,
    tagged: read.tagged,
    failures: read.failures,
    seconds: (performance.now() - started) / 1000,
    ok: counts.every((count) => count.failed === 0),
    ...(reason && { reason }),
  };
};
