import type { Dexie } from 'dexie';

import type { Disk } from '#domain/ports/device.ts';
import type { Unsubscribe } from '#domain/ports/kit.ts';
import type { MessageRow } from '#domain/project/rows.ts';

/** A database on the disk. */
export interface DiskDatabase extends Dexie {
  /** The table with rows for replacing the log. */
  readonly scratch: string;
  readonly isEnded: boolean;
  /** What a deletion from outside means. */
  lose(): void;
}

/** What there is to say about the disk under this page's databases. */
export interface SpaceView {
  /** Nothing more can be written. */
  readonly isFull: boolean;
  /** Nothing can be read either: the databases are closed until there is room. */
  readonly isClosed: boolean;
  /** How often the databases were opened again. */
  readonly reopened: number;
  /** Messages that arrived and cannot be stored now; they go with the page. */
  readonly held: readonly MessageRow[];
  /** Older ones made way for them. */
  readonly isCut: boolean;
}

/** What is known of the disk, and the databases on it. */
export class SpaceState {
  readonly disk: Disk | undefined;
  readonly databases = new Set<DiskDatabase>();
  /** They are being opened again. */
  isOpening = false;
  view: SpaceView;
  readonly #listeners = new Set<() => void>();

  constructor(disk?: Disk) {
    this.disk = disk;
    const isClosed = disk?.isMarked() === true;
    this.view = { isFull: isClosed, isClosed, reopened: 0, held: [], isCut: false };
  }

  readonly watch = (listener: () => void): Unsubscribe => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  show(change: Partial<SpaceView>): void {
    this.view = { ...this.view, ...change };
    for (const listener of this.#listeners) listener();
  }
}
