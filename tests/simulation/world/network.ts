import type { AppError } from '#domain/errors.ts';
import { REQUEST_TIMEOUT_MS } from '#domain/limits.ts';
import { fail, type Result } from '#domain/result.ts';
import type { RequestFault } from '../faults.ts';

import type { SimRandom } from './random.ts';
import type { Lane, Scheduler } from './scheduler.ts';

/** One tab as the network sees it. */
export interface NetworkClient {
  readonly lane: Lane;
  readonly device: { isOffline: boolean };
  /** When each request was sent, ms since the epoch. */
  readonly sentAt: number[];
}

/** How the whole network fails, for a while. */
export type Breakdown = 'silent' | 'refusing' | 'unavailable' | 'portal';

/** Probability that a single request fails in one way, per fault switched on. */
const FAULT_CHANCE = 0.05;
/** Half of the engines store a duplicate only once: enough are duplicated. */
const DUPLICATE_CHANCE = 0.1;

const toChance = (fault: RequestFault): number =>
  fault === 'duplicate request' ? DUPLICATE_CHANCE : FAULT_CHANCE;

const LATENCY_MS = { min: 2, max: 60 };
const SLOW_MS = { min: 1000, max: 20_000 };
const LATE_COPY_MS = 5000;

const UNREACHABLE: AppError = { kind: 'unreachable' };

const BREAKDOWN_ERRORS: Readonly<Record<Exclude<Breakdown, 'silent'>, AppError>> = {
  refusing: UNREACHABLE,
  unavailable: { kind: 'server', status: 503 },
  portal: { kind: 'malformed', detail: 'a page instead of JSON' },
};

/** Requests with latency and faults between the tabs and the server. */
export class SimNetwork {
  readonly scheduler: Scheduler;
  readonly random: SimRandom;
  /** The current faults of single requests. */
  faults: readonly RequestFault[] = [];
  breakdown: Breakdown | undefined;

  constructor(scheduler: Scheduler, random: SimRandom) {
    this.scheduler = scheduler;
    this.random = random;
  }

  latency(): number {
    return this.random.between(LATENCY_MS.min, LATENCY_MS.max);
  }

  injects(fault: RequestFault, chance: number): boolean {
    return this.faults.includes(fault) && this.random.chance(chance);
  }

  /** Sends one request; `serve` is the server's work, once per delivery. */
  send<T>(
    client: NetworkClient,
    serve: () => Result<T, AppError>,
    cancel?: AbortSignal,
  ): Promise<Result<T, AppError>> {
    client.sentAt.push(this.scheduler.now);
    return new Promise((resolve) => {
      let isOver = false;
      const settle = (result: Result<T, AppError>): void => {
        if (!isOver) resolve(result);
        isOver = true;
      };
      const give = (result: Result<T, AppError>, ms: number): void => {
        this.scheduler.after(client.lane, ms, () => settle(this.#receive(client, result)));
      };
      give(fail({ kind: 'timeout' }), REQUEST_TIMEOUT_MS);
      cancel?.addEventListener('abort', () => settle(fail(UNREACHABLE)));
      if (client.device.isOffline) give(fail(UNREACHABLE), 1);
      else this.#travel(serve, give);
    });
  }

  #receive<T>(client: NetworkClient, result: Result<T, AppError>): Result<T, AppError> {
    return client.device.isOffline ? fail(UNREACHABLE) : result;
  }

  #travel<T>(
    serve: () => Result<T, AppError>,
    give: (result: Result<T, AppError>, ms: number) => void,
  ): void {
    const { breakdown } = this;
    if (breakdown === 'silent') return;
    if (breakdown) {
      give(fail(BREAKDOWN_ERRORS[breakdown]), this.latency());
      return;
    }
    const fault = this.faults.find((kind) => this.random.chance(toChance(kind)));
    const arrive = (ms: number, answer: (result: Result<T, AppError>) => void): void => {
      this.scheduler.after(undefined, ms, () => answer(serve()));
    };
    const pass = (result: Result<T, AppError>): void => give(result, this.latency());
    const up = this.latency();
    switch (fault) {
      case 'drop request':
        return;
      case 'drop answer':
        arrive(up, () => undefined);
        return;
      case 'duplicate request':
        arrive(up, pass);
        arrive(up + this.random.next() * LATE_COPY_MS, () => undefined);
        return;
      case 'unavailable 503':
        give(fail(BREAKDOWN_ERRORS.unavailable), up);
        return;
      case 'forbidden 403':
        give(fail({ kind: 'forbidden' }), up);
        return;
      case 'malformed answer':
        arrive(up, () => give(fail(BREAKDOWN_ERRORS.portal), this.latency()));
        return;
      case 'slow':
        arrive(this.random.between(SLOW_MS.min, SLOW_MS.max), pass);
        return;
      case 'reset':
        if (this.random.chance(0.5)) arrive(up, () => undefined);
        give(fail(UNREACHABLE), up + 1);
        return;
      case 'cursor lost':
      case 'stalled stream':
      case undefined:
        arrive(up, pass);
        return;
      default:
        fault satisfies never;
    }
  }
}
