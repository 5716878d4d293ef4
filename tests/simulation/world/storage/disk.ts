import '../globals.ts';
import 'fake-indexeddb/auto';

import type { Envelope } from '#domain/envelope.ts';
import type { CoverageRow, EntryRow } from '#db/schema/tables.ts';
import type { LeaderRow, OutboxItem, RoomActivity } from '#domain/project/rows.ts';
import {
  IDBFactory,
  IDBOpenDBRequest,
  IDBVersionChangeEvent as VersionChangeEvent,
} from 'fake-indexeddb';

import {
  hasKey,
  listValues,
  type RawConnection,
  type RawDatabase,
  type RawFactory,
  type RawRequest,
} from './raw-indexeddb.ts';
import type { Lane, Scheduler } from '../scheduler.ts';

/** The rows of the tables that a simulation inspects. */
interface TableRows {
  readonly log: Envelope;
  readonly entries: EntryRow;
  readonly outbox: OutboxItem;
  readonly coverage: CoverageRow;
  readonly activity: RoomActivity;
  readonly meta: { readonly key: string } & Partial<LeaderRow>;
  readonly documents: { readonly key: string; readonly value: unknown };
  readonly departures: { readonly uid: string };
  readonly sealed: { readonly uid: string; readonly data: ArrayBuffer };
}

/** A tab and its disk. */
export interface Owner {
  readonly lane: Lane;
  readonly disk: SimDisk;
}

/** How often a deletion checks whether a tab still has a connection, ms. */
const LET_GO_MS = 50;

const owners = new WeakMap<RawConnection, Owner>();
const laneOwners = new WeakMap<Lane, Owner>();

/** The tab that opened a connection. */
export const findOwner = (connection: RawConnection): Owner | undefined => owners.get(connection);

/** The disk of a tab. */
export const findOwnerOf = (lane: Lane | undefined): Owner | undefined =>
  lane && laneOwners.get(lane);

/** The storage of one device: one IndexedDB for all its tabs, with faults. */
export class SimDisk {
  readonly scheduler: Scheduler;
  /** Writes are refused. */
  isFull = false;
  /** Called after every committed writing transaction. */
  onCommit: (database: string, tables: ReadonlySet<string>) => void = () => undefined;
  readonly #factory = new IDBFactory();
  readonly #opening = new Map<Lane, number>();

  constructor(scheduler: Scheduler) {
    this.scheduler = scheduler;
  }

  /** This disk as one tab sees it. */
  toFactory(lane: Lane): IDBFactory {
    laneOwners.set(lane, { lane, disk: this });
    const open = (name: string, version?: number) => this.#open(lane, name, version);
    const deleteDatabase = (name: string) => this.#delete(lane, name);
    return Object.assign(Object.create(this.#factory) as IDBFactory, { open, deleteDatabase });
  }

  #open(lane: Lane, name: string, version: number | undefined) {
    if (lane.state === 'dead') return new IDBOpenDBRequest();
    const { scheduler } = this;
    this.#queue(name, () => this.#takeTurn());
    const opened = scheduler.as(undefined, () => this.#factory.open(name, version));
    const request = opened as unknown as RawRequest;
    const dispatch = request.dispatchEvent.bind(request);
    this.#countOpening(lane, 1);
    request.dispatchEvent = (event) => {
      if (event.type === 'upgradeneeded') {
        owners.set(request.result, { lane, disk: this });
        scheduler.current = lane;
        return dispatch(event);
      }
      if (event.type === 'success') owners.set(request.result, { lane, disk: this });
      if (event.type !== 'blocked') this.#countOpening(lane, -1);
      scheduler.soon(lane, () => dispatch(event));
      return true;
    };
    return opened;
  }

  /** Deletes a database once every tab has closed its connection. */
  #delete(lane: Lane, name: string) {
    const request = new IDBOpenDBRequest();
    if (lane.state === 'dead') return request;
    const raw = request as unknown as RawRequest;
    this.#queue(name, async () => {
      await this.#takeTurn();
      for (const connection of this.#find(name)?.connections ?? []) {
        if (!connection._closePending) {
          connection.dispatchEvent(new VersionChangeEvent('versionchange', { newVersion: null }));
        }
      }
      while (lane.state !== 'dead' && this.#isOpen(name)) await this.#takeTurn(LET_GO_MS);
      if (lane.state === 'dead') return;
      this.#databases.delete(name);
      this.scheduler.soon(lane, () => raw.dispatchEvent(new VersionChangeEvent('success')));
    });
    return request;
  }

  #isOpen(name: string): boolean {
    return this.#find(name)?.connections.some(({ _closed }) => !_closed) ?? false;
  }

  /** Opens and deletions of one database wait for each other. */
  #queue(name: string, task: () => Promise<void>): void {
    const { _connectionQueues } = this.#factory as unknown as RawFactory;
    const before = _connectionQueues.get(name) ?? Promise.resolve();
    _connectionQueues.set(name, before.then(task));
  }

  /** Continues in a step that belongs to no tab. */
  #takeTurn(ms = 0): Promise<void> {
    return new Promise((resolve) => {
      this.scheduler.after(undefined, ms, resolve);
    });
  }

  #countOpening(lane: Lane, by: number): void {
    this.#opening.set(lane, (this.#opening.get(lane) ?? 0) + by);
  }

  /** True while a tab opens a database; browsers finish that before they freeze a tab. */
  isOpening(lane: Lane): boolean {
    return (this.#opening.get(lane) ?? 0) > 0;
  }

  /** True while a tab has a transaction open; browsers do not freeze such a tab. */
  isWorking(lane: Lane): boolean {
    return [...this.#databases.values()].some(({ transactions }) =>
      transactions.some((tx) => tx._state !== 'finished' && owners.get(tx.db)?.lane === lane),
    );
  }

  /** True while a write is not committed. */
  get isWriting(): boolean {
    return [...this.#databases.values()].some(({ transactions }) =>
      transactions.some((tx) => tx._state !== 'finished' && tx._rollbackLog.length > 0),
    );
  }

  /** A tab is closed: its uncommitted writes never happened. */
  drop(lane: Lane): void {
    for (const database of this.#databases.values()) {
      for (const tx of database.transactions) {
        if (tx._state === 'finished' || owners.get(tx.db)?.lane !== lane) continue;
        for (const undo of tx._rollbackLog.reverse()) undo();
        tx._state = 'finished';
      }
      database.connections = database.connections.filter((connection) => {
        if (owners.get(connection)?.lane !== lane) return true;
        connection._closed = true;
        connection._closePending = true;
        return false;
      });
    }
    this.kick();
  }

  /** Runs the work that waited for a tab that is closed or frozen. */
  kick(): void {
    this.scheduler.as(undefined, () => {
      for (const database of this.#databases.values()) {
        for (const { _started } of database.transactions) {
          if (!_started) database.processTransactions();
        }
      }
    });
  }

  /** Rows of a table, read without a transaction. */
  rows<T extends keyof TableRows>(name: string, table: T): readonly TableRows[T][] {
    return listValues(this.#find(name)?.rawObjectStores.get(table)) as readonly TableRows[T][];
  }

  /** Whether a table contains a row with a text key, or with this one in an index. */
  has(name: string, table: string, key: string, index?: string): boolean {
    const rows = this.#find(name)?.rawObjectStores.get(table);
    return hasKey(index === undefined ? rows : rows?.rawIndexes.get(index), key);
  }

  get #databases(): Map<string, RawDatabase> {
    return (this.#factory as unknown as RawFactory)._databases;
  }

  #find(name: string): RawDatabase | undefined {
    return this.#databases.get(name);
  }
}
