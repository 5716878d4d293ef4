import { type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { SimDevice, type SimWorld } from './world/device.ts';
import './world/storage/storage-tasks.ts';
import { runLiveQueries } from './world/storage/live-queries.ts';
import { SimEngine } from './world/engine.ts';
import { SimNetwork } from './world/network.ts';
import { SimRandom } from './world/random.ts';
import { Scheduler } from './world/scheduler.ts';
import { SimServer } from './world/server.ts';
import { SimTab } from './world/tab.ts';

import { Ledger } from './ledger.ts';
import type { Mutation } from './variant.ts';
import type { Plan } from './plan.ts';
import { listStates } from './states.ts';

export const ROOMS: readonly RoomKey[] = [
  toRoomKey('c_001', 'team'),
  toRoomKey('c_001', 'general'),
  toRoomKey('c_002', 'team'),
];

export const USERS = ['u_a', 'u_b'] as const;

const START = Date.parse('2026-03-01T12:00:00.000Z');

/** A seed takes 8,000 steps, and a long one 60,000. */
const STEPS_MAX = 1_000_000;
/** Shorter than most steps of the storage. */
export const BETWEEN_STEPS_MS = 0.1;

export interface Violation {
  readonly invariant: string;
  readonly detail: string;
  /** ms after the start */
  readonly at: number;
}

/** A time in which no request reached the server, ms since the epoch. */
export interface Outage {
  readonly from: number;
  readonly to: number;
}

/** All participants of one seed. */
export class Simulation implements SimWorld {
  readonly plan: Plan;
  readonly seed: number;
  readonly mutation: Mutation;
  readonly random: SimRandom;
  readonly scheduler: Scheduler;
  readonly network: SimNetwork;
  readonly server: SimServer;
  readonly engine: SimEngine;
  readonly devices: SimDevice[] = [];
  readonly ledger = new Ledger();
  /** Every tab so far. */
  readonly tabs: SimTab[] = [];
  readonly outages: Outage[] = [];
  readonly violations: Violation[] = [];
  readonly lines: string[] = [];
  /** ms since the epoch; undefined while faults occur */
  faultsEndedAt: number | undefined;
  #ids = 0;

  constructor(plan: Plan, mutation: Mutation) {
    const { seed } = plan;
    this.plan = plan;
    this.seed = seed;
    this.mutation = mutation;
    this.random = new SimRandom(seed, 'life');
    this.scheduler = new Scheduler(START, new SimRandom(seed, 'steps'));
    this.network = new SimNetwork(this.scheduler, new SimRandom(seed, 'network'));
    this.server = new SimServer(this.scheduler);
    this.engine = new SimEngine(this.scheduler, new SimRandom(seed, 'engine'), plan.traits);
    this.engine.named = ROOMS;
    this.scheduler.onCrash = (error, lane) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.reportViolation('no code throws', `${lane?.name ?? 'world'}: ${text}`);
    };
    runLiveQueries(this.scheduler);
    for (let i = 0; i < plan.devices; i += 1) this.addDevice(USERS[i % USERS.length] ?? USERS[0]);
  }

  readonly countId = (): number => (this.#ids += 1);

  get counts(): boolean {
    return this.plan.counts;
  }

  /** ms after the start */
  get elapsed(): number {
    return this.scheduler.now - START;
  }

  note = (line: string): void => {
    this.lines.push(`${(this.elapsed / 1000).toFixed(3).padStart(8)} ${line}`);
  };

  discard = (id: string): void => {
    const written = this.ledger.ids.get(id);
    if (written) written.isDiscarded = true;
  };

  reportViolation = (invariant: string, detail: string): void => {
    if (this.isOver) return;
    this.note(`VIOLATED: ${invariant}: ${detail}`);
    for (const line of listStates(this)) this.note(line);
    this.violations.push({ invariant, detail, at: this.elapsed });
  };

  /** A device without data, on which a user is signed in. */
  addDevice(uid: string): SimDevice {
    const device = new SimDevice(this, `d${this.devices.length + 1}`);
    device.keepSession(this.server.signIn(uid));
    this.devices.push(device);
    return device;
  }

  openTab(device: SimDevice): SimTab {
    const tab = new SimTab(device, this.random.pick(ROOMS));
    this.tabs.push(tab);
    return tab;
  }

  /** An invariant was violated: nothing more is checked. */
  get isOver(): boolean {
    return this.violations.length > 0;
  }

  /** Advances by `ms`, or less after a violation. */
  run(ms: number): Promise<void> {
    if (this.scheduler.steps > STEPS_MAX)
      this.reportViolation('every seed ends', `${STEPS_MAX} steps`);
    return this.scheduler.runUntil(this.scheduler.now + ms, () => this.isOver);
  }

  /** No disk has an uncommitted write. */
  get isCommitted(): boolean {
    return this.devices.every(({ disk }) => !disk.isWriting);
  }

  /** Runs something as soon as no disk has an uncommitted write. */
  whenCommitted(run: () => void): void {
    if (this.isCommitted) run();
    else this.scheduler.after(undefined, BETWEEN_STEPS_MS, () => this.whenCommitted(run));
  }

  /** Closes everything that is still open. */
  end(): void {
    for (const { tabs } of this.devices) for (const tab of tabs) tab.kill();
    runLiveQueries(undefined);
  }
}
