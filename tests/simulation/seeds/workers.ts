import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';

import type { Outcome } from '../run-plan.ts';
import type { Job } from './worker.ts';

/** A seed takes a few tenths of a second; a seed that takes this long hangs, ms. */
const SEED_MS_MAX = 300_000;
/** A young generation of this size frees most garbage of a seed before it would be copied. */
const EXEC_ARGV = ['--max-semi-space-size=64'];

interface Waiting {
  readonly job: Job;
  readonly settle: (outcome: Outcome) => void;
}

const toBroken = ({ seed }: Job, detail: string): Outcome => ({
  seed,
  violation: { invariant: 'every seed ends', detail, at: 0 },
  steps: 0,
  ms: 0,
  lines: [],
  messages: 0,
  duplicates: 0,
});

/** Processes that run seeds, one for each processor. */
export class Workers {
  readonly size = availableParallelism();
  readonly #waiting: Waiting[] = [];
  readonly #idle: ChildProcess[] = [];
  readonly #all = new Set<ChildProcess>();

  /** Runs a seed as soon as a process is free. Never rejects. */
  run(job: Job): Promise<Outcome> {
    return new Promise((settle) => {
      this.#waiting.push({ job, settle });
      this.#assign();
    });
  }

  close(): void {
    for (const child of this.#all) child.kill();
  }

  #assign(): void {
    const child = this.#idle.pop() ?? this.#start();
    const next = child && this.#waiting.shift();
    if (child === undefined) return;
    if (next === undefined) this.#idle.push(child);
    else this.#give(child, next);
  }

  #start(): ChildProcess | undefined {
    if (this.#all.size >= this.size) return undefined;
    const child = fork(new URL('worker.ts', import.meta.url), {
      execArgv: EXEC_ARGV,
      serialization: 'advanced',
      env: { ...process.env, NODE_ENV: 'production' },
    });
    this.#all.add(child);
    return child;
  }

  #give(child: ChildProcess, { job, settle }: Waiting): void {
    const end = (outcome: Outcome, isAlive: boolean): void => {
      clearTimeout(timer);
      child.removeAllListeners();
      if (isAlive) this.#idle.push(child);
      else this.#all.delete(child);
      settle(outcome);
      this.#assign();
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      end(toBroken(job, `not after ${SEED_MS_MAX} ms`), false);
    }, SEED_MS_MAX);
    child.once('message', (outcome) => end(outcome as Outcome, true));
    child.once('exit', (code) => end(toBroken(job, `the process ended with ${code}`), false));
    child.send(job);
  }
}
