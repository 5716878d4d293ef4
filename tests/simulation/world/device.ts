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

/** What all devices of a simulation share. */
export interface SimWorld {
  readonly seed: number;
  readonly scheduler: Scheduler;
  readonly network: SimNetwork;
  readonly server: SimServer;
  readonly engine: SimEngine;
  readonly mutation: Mutation;
  /** The author of a message let it go. */
  readonly discard: (id: string) => void;
  /** One line of what happened. */
  readonly note: (line: string) => void;
  /** Something that must never happen did. */
  readonly blame: (invariant: string, detail: string) => void;
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
  /** How often a leader met the refusal of a message, by message id and leader. */
  readonly refusals = new Map<string, { readonly id: string; times: number }>();
  /** Everybody who was ever signed in here. */
  readonly users = new Set<string>();
  readonly attempts = new Attempts();
  /** Of the person before it who is about to sign in. */
  seat: object | undefined;
  isOffline = false;
  /** How far its clock is off, ms. */
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

  /** Who is signed in, by the server's word. */
  get uid(): string | undefined {
    return this.world.server.findUser(this.cookie);
  }

  /** The answer to a sign-in has come. */
  keepSession(session: SimSession): void {
    this.cookie = session;
    this.users.add(session.uid);
  }

  /** A tab was told that a message is refused for good. */
  countRefusal(id: string, leader: string): void {
    const key = `${id} ${leader}`;
    const times = this.refusals.get(key)?.times ?? 0;
    this.refusals.set(key, { id, times: times + 1 });
  }

  /** Tells all tabs that the network came or went. */
  setOffline(isOffline: boolean): void {
    if (this.isOffline === isOffline) return;
    this.isOffline = isOffline;
    this.world.note(`${this.name} ${isOffline ? 'offline' : 'online'}`);
    if (isOffline) for (const channel of this.channels) channel.hangUp();
    for (const tab of this.tabs) tab.environment.tell(isOffline ? 'offline' : 'online');
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
