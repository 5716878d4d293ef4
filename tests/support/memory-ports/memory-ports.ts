import type { AppError } from '#domain/errors.ts';
import type { Locks, PageEnvironment } from '#domain/ports/browser.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { fail, ok } from '#domain/result.ts';
import type { Producer } from '#domain/schemas/producer.ts';
import type { Session } from '#domain/schemas/session.ts';
import type { Team } from '#domain/schemas/team.ts';

import { FakeClock } from '../fake-clock.ts';
import { MemoryDevice } from './device.ts';
import { MemoryEngine } from './engine.ts';
import { MemoryDatabase } from './database.ts';
import { openMemoryStore } from './store.ts';
import { NO_UPDATES } from './no-updates.ts';

type Change = 'online' | 'offline' | 'shown' | 'hidden';

/** Network and visibility of a browser, set by the test. */
export class MemoryPageEnvironment implements PageEnvironment {
  online = true;
  visible = true;
  readonly #listeners = new Set<(change: Change) => void>();
  isOnline = () => this.online;
  isVisible = () => this.visible;
  watch = (listener: (change: Change) => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };
  set(change: Change): void {
    if (change === 'online' || change === 'offline') this.online = change === 'online';
    else this.visible = change === 'shown';
    for (const listener of this.#listeners) listener(change);
  }
}

/** The locks of one browser: granted in order, stolen by force. */
class MemoryLocks {
  readonly #queues = new Map<string, { onHeld: () => void; onLost: () => void }[]>();

  readonly request: Locks['request'] = (name, { steal, onHeld, onLost }) => {
    const queue = this.#queues.get(name) ?? [];
    this.#queues.set(name, queue);
    const entry = { onHeld, onLost };
    if (steal) queue.splice(0, 1, entry).forEach((loser) => queueMicrotask(() => loser.onLost()));
    else queue.push(entry);
    this.#grant(queue, entry);
    return () => {
      const wasHeld = queue[0] === entry;
      if (queue.includes(entry)) queue.splice(queue.indexOf(entry), 1);
      const next = queue[0];
      if (wasHeld && next !== undefined) this.#grant(queue, next);
    };
  };

  #grant(queue: { onHeld: () => void }[], entry: { onHeld: () => void }): void {
    queueMicrotask(() => {
      if (queue[0] === entry) entry.onHeld();
    });
  }
}

/** The server's session and staff endpoints, with answers set by the test. */
class MemoryServer {
  session: Session | undefined;
  /** Every request fails with this while set. */
  failure: AppError | undefined;
  teams: readonly Team[] = [];
  producers: readonly Producer[] = [];
  /** Requests by name, in order. */
  readonly calls: string[] = [];
  readonly tabs = new Set<() => void>();
  /** Requests are never answered while set. */
  silent = false;

  async ask<T>(name: string, answer: () => T) {
    this.calls.push(name);
    if (this.silent) await new Promise(() => {});
    return this.failure === undefined ? ok(answer()) : fail(this.failure);
  }
}

/** One device and its server; `openTab` gives each tab its ports. */
export class MemoryWorld {
  readonly uid: string;
  readonly clock = new FakeClock();
  readonly server = new MemoryServer();
  readonly locks = new MemoryLocks();
  readonly databases = new Map<string, MemoryDatabase>();
  readonly logged: string[] = [];
  readonly device = new MemoryDevice(this.databases);
  openFailure: AppError | undefined;
  /** The browser's answer to the request for persistent storage. */
  durable = true;
  readonly engine: MemoryEngine;
  #lastId = 0;
  #tabs = 0;

  constructor(uid = 'u_me') {
    this.uid = uid;
    this.engine = new MemoryEngine(uid);
  }

  database(uid = this.uid): MemoryDatabase {
    const known = this.databases.get(uid) ?? new MemoryDatabase();
    this.databases.set(uid, known);
    return known;
  }

  openTab(): Ports & { readonly environment: MemoryPageEnvironment } {
    this.#tabs += 1;
    return {
      clock: this.clock,
      random: { next: () => 0.5 },
      ids: { next: () => `id-${String((this.#lastId += 1)).padStart(4, '0')}` },
      realtime: this.engine,
      ...this.#toServerPorts(),
      openStore: async (uid) =>
        this.openFailure === undefined
          ? ok(openMemoryStore(this.database(uid)))
          : fail(this.openFailure),
      device: this.device.store,
      locks: this.locks,
      environment: new MemoryPageEnvironment(),
      requestPersistentStorage: async () => this.durable,
      updates: NO_UPDATES,
      clientLog: { write: (_level, code) => this.logged.push(code) },
      tabId: `tab-${this.#tabs}`,
    };
  }

  #toServerPorts(): Pick<Ports, 'sessionApi' | 'staffApi'> {
    const { server } = this;
    let own: (() => void) | undefined;
    return {
      sessionApi: {
        getSession: () => server.ask('session', () => server.session),
        signIn: ({ callbackUrl }) => server.ask('signIn', () => callbackUrl),
        signOut: () =>
          server.ask('signOut', () => {
            server.session = undefined;
          }),
        getKeys: (uid) => server.ask('keys', () => ({ keys: [{}], storeIds: [`store-${uid}`] })),
        announceChange: () => {
          for (const notify of server.tabs) if (notify !== own) queueMicrotask(notify);
        },
        onChange: (listener) => {
          own = listener;
          server.tabs.add(listener);
          return () => {
            server.tabs.delete(listener);
          };
        },
      },
      staffApi: {
        getTeams: () => server.ask('teams', () => server.teams),
        getProducers: () => server.ask('producers', () => server.producers),
      },
    };
  }
}

/** A session of `uid` that ends `hours` after the fake clock's start. */
export const sessionOf = (uid: string, hours = 24): Session => ({
  user: { uid },
  expires: new Date(Date.parse('2026-03-01T12:00:00.000Z') + hours * 3_600_000).toISOString(),
});
