import type { Disk } from '#domain/ports/device.ts';

import type { SpaceRecovery } from './space-recovery.ts';
import { DiskFullError, type DiskDatabase, SpaceState } from './space-state.ts';

/** Only a full disk needs it. */
const loadRecovery = async () => (await import('./space-recovery.ts')).SpaceRecovery;

/** Delay before the next attempt to load it, ms. */
const LOAD_AGAIN_MS = 5000;

/**
 * The disk under this page's databases. Over a quota they stay open, and writes are retried. A
 * completely full disk makes the browser close them; they stay closed until there is space to
 * replace their log (reopen-databases.ts).
 */
export class Space extends SpaceState {
  #recovery: Promise<SpaceRecovery> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #load: typeof loadRecovery;

  constructor(disk?: Disk, load = loadRecovery) {
    super(disk);
    this.#load = load;
  }

  join(db: DiskDatabase & { onEnd(listener: () => void): () => void }): void {
    this.databases.add(db);
    db.onEnd(() => {
      this.databases.delete(db);
      if (this.owner !== db.name) return;
      this.owner = undefined;
      this.show({ held: [], isCut: false });
    });
  }

  /** Resolves once a database may be used; rejects while the disk is full. */
  async admit(): Promise<void> {
    await this.checked;
    if (!this.view.isClosed) return;
    const recovery = await this.#recover();
    if (recovery === undefined) throw new DiskFullError();
    await recovery.admit();
  }

  /** Records a refused write; the databases stay open. */
  async refuse(): Promise<void> {
    if (this.view.isFull) return;
    this.show({ isFull: true });
    (await this.#recover())?.plan();
  }

  /** Records that the browser closed the databases, or is about to. */
  async shut(): Promise<void> {
    // The last of several notices may arrive while they are being reopened.
    if (this.isOpening) return;
    const wasClosed = this.view.isClosed;
    if (!wasClosed) {
      this.disk?.flag();
      this.show({ isFull: true, isClosed: true });
    }
    // After Dexie's own handler, which would reopen by itself.
    await Promise.resolve();
    for (const db of this.databases) db.close({ disableAutoOpen: true });
    if (!wasClosed) await this.retry();
  }

  /** Checks now whether there is space again. */
  async retry(): Promise<void> {
    await (await this.#recover())?.retry();
  }

  /** Undefined if its code did not load; a later attempt loads it again. */
  async #recover(): Promise<SpaceRecovery | undefined> {
    try {
      this.#recovery ??= this.#load().then((Recovery) => new Recovery(this));
      return await this.#recovery;
    } catch (error) {
      this.#recovery = undefined;
      this.reportFailure(error);
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.retry(), LOAD_AGAIN_MS);
      return undefined;
    }
  }
}
