import './globals.ts';

import { IDBKeyRange } from 'fake-indexeddb';
import { type Actor, createActor } from 'xstate';

import { createDeviceStore } from '#db/device/device-store.ts';
import { openUserStore } from '#db/user/user-store.ts';
import type { DeviceStore } from '#domain/ports/device.ts';
import type { OpenStore, Store } from '#domain/ports/storage.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { ok } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { createAppMachine } from '#machines/app/app.machine.ts';
import { createLoginMachine } from '#machines/session/login.machine.ts';
import { createHistoryMachine } from '#machines/history/history.machine.ts';
import { selectSession } from '#machines/session/session.machine.ts';

import type { Figures } from '../variant.ts';
import { listClients } from './client-list.ts';
import type { SimDevice } from './device.ts';
import { SimRandom } from './random.ts';
import { createSimRealtime } from './realtime.ts';
import { createLane, type Lane } from './scheduler.ts';
import { SimPageEnvironment } from './page-environment.ts';
import { type Announcer, createSimSessionApi } from './session-api.ts';
import { type Opened, openFigures, toLeader, watchFence, watchStore } from './storage/store.ts';
import { NO_UPDATES } from '#tests/support/memory-ports/no-updates.ts';
import { toUuidV7 } from '#tests/support/uuid-v7.ts';

/** The choice of a person who signs out about unsent messages. */
export type UnsentAnswer = 'send' | 'keep' | 'discard';

const DECISION_MS = 500;
/** Checks before a person who waits for the last messages keeps them instead. */
const DECISION_LOOKS = 16;

/** An open store with its user. */
interface OpenDesk {
  readonly uid: string;
  readonly store: Store;
  /** In seeds with counting. */
  figures: Figures | undefined;
}

/** One tab: the real machines and storage, everything else simulated. */
export class SimTab {
  readonly device: SimDevice;
  readonly lane: Lane;
  readonly environment: SimPageEnvironment;
  readonly ports: Ports;
  readonly random: SimRandom;
  readonly sentAt: number[] = [];
  readonly app: Actor<ReturnType<typeof createAppMachine>>;
  readonly #login: Actor<ReturnType<typeof createLoginMachine>>;
  /** The room on the screen. */
  room: RoomKey;
  desk: OpenDesk | undefined;
  #history: { readonly stop: () => void; readonly more: () => void } | undefined;
  /** Notified when another tab announces that the session changed. */
  readonly announcer: Announcer = { listen: () => undefined };

  constructor(device: SimDevice, room: RoomKey) {
    const { scheduler, seed, mutation, note } = device.world;
    device.opened += 1;
    const name = `${device.name}t${device.opened}`;
    this.device = device;
    this.room = room;
    this.lane = createLane(name);
    this.random = new SimRandom(seed, name);
    this.environment = new SimPageEnvironment(scheduler, this.lane, device);
    this.ports = scheduler.as(this.lane, () => this.#composePorts());
    const clock = { clock: scheduler.toClock(this.lane) };
    this.app = createActor(mutation.createApp(this.ports), clock);
    this.#login = createActor(createLoginMachine(this.ports), clock);
    this.#login.subscribe((snapshot) => {
      if (!snapshot.matches('done')) return;
      note(`${name} signs in as ${device.uid}`);
      this.app.getSnapshot().children.session?.send({ type: 'session.changed' });
    });
    device.tabs.add(this);
    note(`${name} opens`);
    scheduler.soon(this.lane, () => {
      this.app.start();
      this.#login.start();
    });
  }

  /** The signed-in user, as this page sees it. */
  get uid(): string | undefined {
    return this.#session?.user?.uid;
  }

  /** The page shows the sign-in form. */
  get isSignedOut(): boolean {
    return this.#session?.status === 'unauthenticated';
  }

  get #session(): ReturnType<typeof selectSession> | undefined {
    const session = this.app.getSnapshot().children.session?.getSnapshot();
    return session && selectSession(session);
  }

  get isRunning(): boolean {
    return this.lane.state === 'running';
  }

  readonly clientLog: Ports['clientLog'] = { write: () => undefined };

  /** Closes the tab at once; uncommitted writes are lost. */
  kill(): void {
    const { world, disk, locks, tabs, channels } = this.device;
    world.note(`${this.lane.name} dies`);
    world.scheduler.kill(this.lane);
    disk.drop(this.lane);
    tabs.delete(this);
    world.scheduler.as(this.lane, () => {
      this.app.stop();
      this.#login.stop();
    });
    this.#history?.stop();
    for (const channel of channels) if (channel.client.lane === this.lane) channel.close();
    locks.drop(this.lane);
  }

  /** Opens another room. */
  showRoom(room: RoomKey): void {
    this.room = room;
    this.#openHistory();
  }

  fetchMore(): void {
    this.#history?.more();
  }

  /** Starts a sign-out; `answer` decides about unsent messages. */
  signOut(answer: UnsentAnswer): void {
    const { uid, desk } = this;
    if (uid === undefined) return;
    const { logout } = this.app.getSnapshot().children;
    const { scheduler } = this.device.world;
    logout?.send({ type: 'logout.requested', uid, store: desk?.store, hasDrafts: () => false });
    const decide = (looks: number): void => {
      const state = logout?.getSnapshot().value;
      if (state === 'asking') logout?.send({ type: `${answer}.chosen` });
      if (state === 'sending' && looks === 0) logout?.send({ type: 'keep.chosen' });
      if (looks > 0) scheduler.after(this.lane, DECISION_MS, () => decide(looks - 1));
    };
    decide(DECISION_LOOKS);
  }

  signIn(uid: string): void {
    const form = { email: uid, password: 'secret', callbackUrl: '/' };
    this.#login.send({ type: 'login.submitted', ...form });
  }

  #openHistory(): void {
    this.#history?.stop();
    this.#history = undefined;
    const { desk } = this;
    if (desk === undefined) return;
    const ask = () => this.app.getSnapshot().children.session?.send({ type: 'session.revalidate' });
    const history = createActor(createHistoryMachine(this.ports, desk.store, ask), {
      input: { room: this.room },
      clock: this.device.world.scheduler.toClock(this.lane),
    }).start();
    this.#history = {
      stop: () => history.stop(),
      more: () => history.send({ type: 'more.requested' }),
    };
  }

  #composePorts(): Ports {
    const { device, lane, random } = this;
    const { network, server, engine, mutation, reportViolation } = device.world;
    const client = { lane, device, sentAt: this.sentAt };
    const ids = { next: () => toUuidV7(device.clock.now(), device.world.countId()) };
    const realtime = createSimRealtime({
      network,
      server,
      engine,
      client,
      findCookie: () => device.cookie,
      clock: device.clock,
      findUid: () => this.#opened?.uid,
      onRefused: (id) => device.countRefusal(id, toLeader(lane, device, this.#opened)),
      attempts: device.attempts,
      onBlindRepeat: (id) => reportViolation('looked up before repeated', `${id} by ${lane.name}`),
      channels: device.channels,
    });
    return {
      clock: device.clock,
      random,
      ids,
      realtime: mutation.wrapRealtime(realtime, { ids }),
      sessionApi: createSimSessionApi({ client, device, announcer: this.announcer }),
      staffApi: {
        getTeams: () => network.send(client, () => ok(listClients(this.device.world.seed))),
        getProducers: () => network.send(client, () => ok([{ uid: 'u_a', name: 'Ann' }])),
      },
      openStore: this.#openStore,
      device: this.#watchDevice(createDeviceStore(device.toOptions(this, IDBKeyRange))),
      locks: device.locks.toLocks(lane),
      environment: this.environment,
      requestPersistentStorage: () => Promise.resolve(true),
      updates: NO_UPDATES,
      clientLog: this.clientLog,
      tabId: lane.name,
    };
  }

  #watchDevice(store: DeviceStore): DeviceStore {
    return {
      ...store,
      signOut: (purge) => {
        for (const id of purge.discarded) this.device.world.discard(id);
        return store.signOut(purge);
      },
    };
  }

  #opened: Opened | undefined;

  readonly #openStore: OpenStore = async (uid) => {
    const { device } = this;
    this.#opened = { uid, at: device.world.scheduler.now };
    const opened = await openUserStore(uid, device.toOptions(this, IDBKeyRange));
    if (!opened.ok) return opened;
    const { mutation, scheduler } = device.world;
    const { database } = opened.value;
    const inner = mutation.wrapStore(watchStore(opened.value, uid, device));
    const close = (): void => {
      if (this.desk?.store === store) this.desk = undefined;
      this.#openHistory();
      inner.close();
    };
    const store: Store = { ...watchFence(inner, uid, device), close };
    const desk: OpenDesk = { uid, store, figures: undefined };
    this.desk = desk;
    scheduler.soon(this.lane, () => {
      if (this.desk === desk) desk.figures = openFigures(database, device.world);
      this.#openHistory();
    });
    return ok(store);
  };
}
