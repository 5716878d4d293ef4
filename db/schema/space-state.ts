import type { Dexie, DexieOptions } from 'dexie';

import { createListeners } from '#domain/listeners.ts';
import type { ClientLog } from '#domain/ports/browser.ts';
import type { Disk } from '#domain/ports/device.ts';
import type { MessageRow } from '#domain/project/rows.ts';

/** Rejects an access while the databases are closed for lack of space. */
export class DiskFullError extends Error {
  override readonly name = 'QuotaExceededError';
}

export interface DiskDatabase extends Dexie {
  /** The table with the row that tests for space. */
  readonly scratch: string;
  readonly isEnded: boolean;
  readonly clientLog: ClientLog;
  readonly space: SpaceState;
  /** An IndexedDB other than the global one that contains it. */
  readonly indexedDB: DexieOptions | undefined;
  /** Reaction to a deletion from outside. */
  lose(): void;
}

/** The state of the disk under this page's databases. */
export interface SpaceView {
  /** Writes are refused. */
  readonly isFull: boolean;
  /** Reads are refused too: the databases are closed until there is space. */
  readonly isClosed: boolean;
  /** How often the databases were reopened. */
  readonly reopened: number;
  /** Messages that arrived and cannot be stored now; they are lost with the page. */
  readonly held: readonly MessageRow[];
  /** Older messages were dropped for them. */
  readonly isCut: boolean;
}

const NO_LIMIT: SpaceView = {
  isFull: false,
  isClosed: false,
  reopened: 0,
  held: [],
  isCut: false,
};

export class SpaceState {
  readonly disk: Disk | undefined;
  readonly databases = new Set<DiskDatabase>();
  /** The databases are being reopened. */
  isOpening = false;
  /** Name of the database whose user sees the held rows. */
  owner: string | undefined;
  view: SpaceView = NO_LIMIT;
  /** Resolves once it is known whether an earlier page left a full disk behind. */
  readonly checked: Promise<void>;
  #isChecked = false;
  readonly #listeners = createListeners();

  constructor(disk?: Disk) {
    this.disk = disk;
    this.checked = this.#check();
  }

  /** Whether a database must wait for `Space.admit` before it is used. */
  get isBlocked(): boolean {
    return !this.#isChecked || this.view.isClosed;
  }

  readonly watch = this.#listeners.add;

  /** Logs why a check of the disk failed; it is repeated. */
  reportFailure(error: unknown): void {
    const [db] = this.databases;
    db?.clientLog.write('error', 'STORAGE_CHECK_FAILED', { message: String(error) });
  }

  async #check(): Promise<void> {
    const wasFull = this.disk !== undefined && (await this.disk.wasFull());
    this.#isChecked = true;
    if (wasFull) this.show({ isFull: true, isClosed: true });
  }

  show(change: Partial<SpaceView>): void {
    this.view = { ...this.view, ...change };
    this.#listeners.emit();
  }
}
