import { Dexie, type DexieOptions } from 'dexie';

import { createListeners } from '#domain/listeners.ts';
import type { StoreFlags } from '#domain/ports/device.ts';
import type { ClientLog } from '#domain/ports/browser.ts';
import type { Clock } from '#domain/ports/kit.ts';
import type { Sealing } from '#domain/ports/sealing.ts';

import { hasRows } from './readable.ts';
import { RowWatch } from './row-changes.ts';
import { DEVICE_SCHEMA, type SchemaVersion, USER_SCHEMA } from './schema.ts';
import { Space } from './space.ts';
import {
  type ActivityTable,
  type CoverageTable,
  DEVICE_DATABASE_NAME,
  type PendingPurgeTable,
  type DocumentTable,
  type DraftTable,
  type EntryTable,
  type KeptTable,
  type LogTable,
  META,
  type MessageTable,
  type MetaRow,
  type MetaTable,
  type OutboxTable,
  ROW_VERSION,
  type SealedTable,
  type SessionTable,
  type SignOutTable,
  TABLES,
} from './tables.ts';
import { applyDurability } from './write.ts';

export interface DatabaseOptions {
  readonly clock?: Clock;
  readonly clientLog?: ClientLog;
  /** Encrypts messages kept at a sign-out; without it none can be kept. */
  readonly sealing?: Sealing;
  readonly flags?: StoreFlags;
  /** Shared by all databases of a page. */
  readonly space?: Space;
  /** An IndexedDB other than the global one. */
  readonly indexedDB?: Pick<DexieOptions, 'indexedDB' | 'IDBKeyRange'>;
}

const SYSTEM_CLOCK: Clock = { now: () => Date.now() };
const SILENT_LOG: ClientLog = { write: () => undefined };

/**
 * A transaction is on the disk before it reports success (`strict`), because a message counts as
 * accepted then; `write` makes exceptions. Dexie's own cache is off: it shows writes before their
 * commit.
 */
const toDexieOptions = (options: DatabaseOptions): DexieOptions => ({
  chromeTransactionDurability: 'strict',
  cache: 'disabled',
  ...options.indexedDB,
});

/** A Dexie database that closes for another tab's upgrade or deletion. */
abstract class DeskDatabase extends Dexie {
  readonly clock: Clock;
  readonly clientLog: ClientLog;
  readonly space: Space;
  readonly indexedDB: DatabaseOptions['indexedDB'];
  /** The table with the row that tests for space. */
  abstract readonly scratch: string;
  #isEnded = false;
  #wasOpen = false;
  readonly #lostListeners = createListeners();
  readonly #endListeners = new Set<() => void>();

  constructor(name: string, schema: readonly SchemaVersion[], options: DatabaseOptions) {
    super(name, toDexieOptions(options));
    this.use({ stack: 'dbcore', name: 'durability', create: applyDurability });
    this.clock = options.clock ?? SYSTEM_CLOCK;
    this.clientLog = options.clientLog ?? SILENT_LOG;
    this.space = options.space ?? new Space();
    this.indexedDB = options.indexedDB;
    this.space.join(this);
    for (const { version, stores } of schema) this.version(version).stores({ ...stores });
    this.on('versionchange', (event) => {
      // After an upgrade the next access reopens it; a deleted database stays closed.
      if (event.newVersion === null) this.lose();
      else this.close({ disableAutoOpen: false });
      // Dexie's own handler, next in the chain, would allow reopening in both cases.
      return false;
    });
    const checkOpened = async (): Promise<void> => {
      // The browser itself closes it when the disk is full, site data is cleared or its files
      // are corrupt; Dexie's event of that name fires on every close.
      this.backendDB().addEventListener('close', () => void this.space.shut());
      if (this.#wasOpen && (await this.wasEmptied())) this.lose();
      this.#wasOpen = true;
    };
    this.on('ready', checkOpened, true);
  }

  /** True after `end`: the database was closed permanently. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Calls `listener` when the database is deleted or closed under this connection. */
  readonly onLost = this.#lostListeners.add;

  /** Reaction to a deletion from outside: the page must not recreate a user's data by accident. */
  lose(): void {
    this.end();
    this.#lostListeners.emit();
  }

  /** Whether data that existed is gone: Dexie reopens by itself and creates an empty database. */
  protected wasEmptied(): Promise<boolean> {
    return Promise.resolve(false);
  }

  /** Calls `listener` when the database is closed permanently. */
  onEnd(listener: () => void): () => void {
    this.#endListeners.add(listener);
    return () => this.#endListeners.delete(listener);
  }

  /** Closes permanently; every later access fails. */
  end(): void {
    this.#isEnded = true;
    for (const listener of this.#endListeners) listener();
    this.#endListeners.clear();
    this.close({ disableAutoOpen: true });
  }
}

export type { DeskDatabase };

export const toUserDatabaseName = (uid: string): string => `replay-desk-user-${uid}`;

/** All data of one signed-in user on this device. */
export class UserDatabase extends DeskDatabase {
  declare readonly log: LogTable;
  declare readonly entries: EntryTable;
  declare readonly messages: MessageTable;
  declare readonly outbox: OutboxTable;
  declare readonly coverage: CoverageTable;
  declare readonly activity: ActivityTable;
  declare readonly documents: DocumentTable;
  declare readonly meta: MetaTable;
  declare readonly drafts: DraftTable;
  /** The rebuild for newer reducers while it runs, or the one that an unreadable row caused. */
  rebuilt: Promise<void> | undefined;
  /** The move of data of earlier versions, and the rebuild after it, while they run. */
  updating: Promise<void> | undefined;
  /**
   * Whether data may still be stored in the format of earlier versions: both formats are then read.
   */
  hasOld = true;
  /** The number of changes observed in data of that format. */
  oldChanges = 0;
  /** The engine that this tab uses, once it is known. */
  engine: string | undefined;
  readonly flags: StoreFlags | undefined;
  /** The user to whom the database belongs. */
  readonly uid: string;
  /** Reports the rows that each commit changed. */
  readonly rows: RowWatch;
  readonly scratch = TABLES.meta;

  constructor(uid: string, options: DatabaseOptions = {}) {
    super(toUserDatabaseName(uid), USER_SCHEMA, options);
    this.uid = uid;
    this.rows = new RowWatch(this.name);
    this.#followReopening();
    this.use({ stack: 'dbcore', name: 'rows', create: this.rows.record });
    this.flags = options.flags;
  }

  /** The tables of an append: the log, its projections, and the fence. */
  get logged() {
    const { log, entries, messages, outbox, coverage, activity, meta } = this;
    return [log, entries, messages, outbox, coverage, activity, meta];
  }

  get messageTables() {
    return [this.entries, this.messages];
  }

  findMeta<K extends MetaRow['key']>(key: K) {
    return this.meta.get(key) as Promise<Extract<MetaRow, { readonly key: K }> | undefined>;
  }

  async putMeta(row: MetaRow): Promise<void> {
    await this.meta.put({ ...row, v: ROW_VERSION });
  }

  /** Other tabs may have written while a full disk kept it closed. */
  #followReopening(): void {
    let { reopened } = this.space.view;
    const forget = this.space.watch(() => {
      if (this.space.view.reopened === reopened) return;
      ({ reopened } = this.space.view);
      this.rows.reportAll();
    });
    this.onEnd(forget);
  }

  protected override async wasEmptied(): Promise<boolean> {
    const isUnknown = (await this.meta.get(META.projection)) === undefined;
    if (!isUnknown) return false;
    return !(await hasRows(this.log)) && !(await hasRows(this.entries));
  }
}

/** The data of this device, regardless of the signed-in user. */
export class DeviceDatabase extends DeskDatabase {
  declare readonly sessions: SessionTable;
  declare readonly signOuts: SignOutTable;
  declare readonly departures: PendingPurgeTable;
  declare readonly kept: KeptTable;
  declare readonly sealed: SealedTable;
  readonly scratch = TABLES.sessions;

  constructor(options: DatabaseOptions = {}) {
    super(DEVICE_DATABASE_NAME, DEVICE_SCHEMA, options);
  }

  /** It belongs to no user, so the next access may create it again. */
  override lose(): void {
    this.close({ disableAutoOpen: false });
  }
}
