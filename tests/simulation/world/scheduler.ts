import { runNextTurn, installTimers } from './globals.ts';
import type { SimRandom } from './random.ts';

/** A unit that can be frozen or killed with everything it waits for: a tab. */
export interface Lane {
  readonly name: string;
  state: 'running' | 'frozen' | 'dead';
  /** Tasks that came due while frozen. */
  held: Task[];
  soonAt: number;
}

export interface Task {
  at: number;
  seq: number;
  readonly lane: Lane | undefined;
  run: (() => void) | undefined;
}

export const createLane = (name: string): Lane => ({
  name,
  state: 'running',
  held: [],
  soonAt: 0,
});

/** Storage work takes up to this long per step, ms, so that faults happen in between. */
const STEP_MS_MAX = 0.4;
/** Steps passed to the platform at once; it drains microtasks after each. */
const STEPS_AT_ONCE = 64;

const isBefore = (a: Task, b: Task): boolean => a.at < b.at || (a.at === b.at && a.seq < b.seq);

/**
 * Virtual time. A step runs one task and then all microtasks; when nothing is due, the clock
 * jumps. Tasks of a frozen lane wait until it thaws, those of a dead one never run.
 */
export class Scheduler {
  /** ms since the epoch, with fractions */
  now: number;
  /** The lane whose code is running. */
  current: Lane | undefined;
  steps = 0;
  /** Every abort creates an error; most are never read, and their stacks cost time. */
  stackTraceLimit = 0;
  /** Called with the error that a task threw. */
  onCrash: (error: unknown, lane: Lane | undefined) => void = () => undefined;
  #seq = 0;
  #world: Lane = createLane('world');
  readonly #random: SimRandom;
  readonly #heap: Task[] = [];

  constructor(now: number, random: SimRandom) {
    this.now = now;
    this.#random = random;
  }

  /** Runs `run` in `ms` for `lane`. */
  after(lane: Lane | undefined, ms: number, run: () => void): Task {
    this.#seq += 1;
    const at = this.now + Math.max(0, ms);
    const task: Task = { at, seq: this.#seq, lane, run };
    if (lane?.state !== 'dead') this.#push(task);
    return task;
  }

  /** The next step of an operation: in order within its lane, random between lanes. */
  soon(lane: Lane | undefined, run: () => void): Task {
    const line = lane ?? this.#world;
    line.soonAt = Math.max(line.soonAt, this.now + this.#random.next() * STEP_MS_MAX);
    return this.after(lane, line.soonAt - this.now, run);
  }

  cancel(task: Task): void {
    task.run = undefined;
  }

  /** The timers of one lane. */
  toClock(lane: Lane) {
    return {
      setTimeout: (run: () => void, ms: number): Task => this.after(lane, ms, run),
      clearTimeout: (task: Task): void => this.cancel(task),
    };
  }

  /** Does `work` for `lane`. */
  as<T>(lane: Lane | undefined, work: () => T): T {
    const before = this.current;
    this.current = lane;
    try {
      return work();
    } finally {
      this.current = before;
    }
  }

  freeze(lane: Lane): void {
    if (lane.state === 'running') lane.state = 'frozen';
  }

  /** Runs the tasks that came due meanwhile, in order. */
  thaw(lane: Lane): void {
    if (lane.state !== 'frozen') return;
    lane.state = 'running';
    for (const { run } of lane.held.splice(0)) if (run) this.soon(lane, run);
  }

  kill(lane: Lane): void {
    lane.state = 'dead';
    lane.held = [];
  }

  /** Advances time until `end` or until `isOver`. */
  async runUntil(end: number, isOver: () => boolean): Promise<void> {
    installTimers({
      soon: (run) => void this.soon(this.current, run),
      after: (ms, run) => this.after(this.current, ms, run),
      cancel: (handle) => {
        if (typeof handle === 'object' && handle !== null) this.cancel(handle as Task);
      },
    });
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = this.stackTraceLimit;
    try {
      await this.#pump(end, isOver);
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
      installTimers(undefined);
    }
  }

  #pump(end: number, isOver: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      let done = false;
      const step = (): void => {
        if (done) return;
        done = isOver() || !this.#runOne(end);
        if (done) resolve();
      };
      const pump = (): void => {
        if (done) return;
        for (let i = 0; i < STEPS_AT_ONCE; i += 1) runNextTurn(step);
        runNextTurn(pump);
      };
      pump();
    });
  }

  #runOne(end: number): boolean {
    const task = this.#next(end);
    if (task?.run === undefined) {
      this.now = end;
      return false;
    }
    this.now = Math.max(this.now, task.at);
    this.current = task.lane;
    this.steps += 1;
    try {
      task.run();
    } catch (error) {
      this.onCrash(error, task.lane);
    }
    return true;
  }

  /** Takes the next task due before `end`; holds the tasks of frozen lanes. */
  #next(end: number): Task | undefined {
    for (;;) {
      const task = this.#heap[0];
      if (task === undefined || task.at > end) return undefined;
      this.#pop();
      if (task.run === undefined || task.lane?.state === 'dead') continue;
      if (task.lane?.state !== 'frozen') return task;
      task.lane.held.push(task);
    }
  }

  #push(task: Task): void {
    const heap = this.#heap;
    let i = heap.push(task) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!isBefore(task, heap[parent]!)) break;
      heap[i] = heap[parent]!;
      i = parent;
    }
    heap[i] = task;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (!isBefore(heap[child]!, last)) break;
      heap[i] = heap[child]!;
      i = child;
    }
    heap[i] = last;
  }
}
