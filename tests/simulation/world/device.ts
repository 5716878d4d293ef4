import type { DatabaseOptions } from '#db/schema/database.ts';
import type { Clock } from '#domain/ports/kit.ts';
import type { Mutation } from '../variant.ts';

import { Attempts } from './attempts.ts';
import { SimDisk } from './storage/disk.ts';
import type { SimEngine } from './engine.ts';
import { SimLocks } from './locks.ts';
import type { SimNetwork } from './network.ts';
import type { Channel } from './realtime.ts';
import { SIM_SEALING } from './storage/sealing.ts';
import type { Scheduler } from './scheduler.ts';
import type { SimServer, SimSession } from './server.ts';
import type { SimTab } from './tab.ts';

/** The part of a simulation that all devices share. */
export interface SimWorld {
  readonly seed: number;
  readonly scheduler: Scheduler;
  readonly network: SimNetwork;
  readonly server: SimServer;
  readonly engine: SimEngine;
  readonly mutation: Mutation;
  /** The tabs count the figures on their screens. */
  readonly counts: boolean;
  /** A number that no other id contains. */
  readonly countId: () => number;
  /** The author discarded a message. */
  readonly discard: (id: string) => void;
  /** Logs an event in one line. */
  readonly note: (line: string) => void;
  /** Reports a violation. */
  readonly reportViolation: (invariant: string, detail: string) => void;
}

/** One browser: its storage, locks, cookies, clock and tabs. */
export class SimDevice {
  readonly world: SimWorld;
  readonly name: string;
  readonly disk: SimDisk;
  readonly locks: SimLocks;
  /** The session cookie. */
  cookie: SimSession | undefined;
  readonly channels = new Set<Channel>();
  readonly tabs = new Set<SimTab>();
  /** How often a leader received the refusal of a message, by message id and leader. */
  readonly refusals = new Map<string, { readonly id: string; times: number }>();
  /** All users who were ever signed in here. */
  readonly users = new Set<string>();
  readonly attempts = new Attempts();
  /** The pending sign-in on this device. */
  seat: object | undefined;
  isOffline = false;
  /** The offset of its clock, ms. */
  clockOffset = 0;
  /** Tabs opened so far. */
  opened = 0;

  constructor(world: SimWorld, name: string) {
    this.world = world;
    this.name = name;
    this.disk = new SimDisk(world.scheduler);
    this.locks = new SimLocks(world.scheduler);
  }

  readonly clock: Clock = {
    now: () => Math.floor(this.world.scheduler.now + this.clockOffset),
  };

  /** The signed-in user, according to the server. */
  get uid(): string | undefined {
    return this.world.server.findUser(this.cookie);
  }

  /** The answer to a sign-in has arrived. */
  keepSession(session: SimSession): void {
    this.cookie = session;
    this.users.add(session.uid);
  }

  /** A tab learned that a message is refused permanently. */
  countRefusal(id: string, leader: string): void {
    const key = `${id} ${leader}`;
    const times = this.refusals.get(key)?.times ?? 0;
    this.refusals.set(key, { id, times: times + 1 });
  }

  /** Notifies all tabs that the network came or went. */
  setOffline(isOffline: boolean): void {
    if (this.isOffline === isOffline) return;
    this.isOffline = isOffline;
    this.world.note(`${this.name} ${isOffline ? 'offline' : 'online'}`);
    if (isOffline) for (const channel of this.channels) channel.hangUp();
    for (const tab of this.tabs) tab.environment.notify(isOffline ? 'offline' : 'online');
  }

  /** The database options of a tab. */
  toOptions(tab: Pick<SimTab, 'lane' | 'clientLog'>, range: typeof IDBKeyRange): DatabaseOptions {
    return {
      clock: this.clock,
      clientLog: tab.clientLog,
      sealing: SIM_SEALING,
      indexedDB: { indexedDB: this.disk.toFactory(tab.lane), IDBKeyRange: range },
    };
  }
}
