import { SPACE_RETRY_MAX_MS, SPACE_RETRY_MIN_MS } from './limits.ts';
import { canWrite, reopenDatabases } from './reopen-databases.ts';
import { DiskFullError, type SpaceState, type SpaceView } from './space-state.ts';

type Change = Partial<SpaceView> & Pick<SpaceView, 'isFull'>;

/** Checks repeatedly, with growing delays, whether a full disk has space again. */
export class SpaceRecovery {
  readonly #space: SpaceState;
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #trying: Promise<void> | undefined;

  constructor(space: SpaceState) {
    this.#space = space;
  }

  /** See `Space.admit`. Only the first access checks by itself. */
  async admit(): Promise<void> {
    await (this.#attempt === 0 ? this.retry() : this.#trying);
    if (this.#space.view.isClosed) throw new DiskFullError();
  }

  retry(): Promise<void> {
    this.#trying ??= this.#try();
    return this.#trying;
  }

  plan(): void {
    const ms = Math.min(SPACE_RETRY_MIN_MS * 2 ** this.#attempt, SPACE_RETRY_MAX_MS);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.retry(), ms);
  }

  async #try(): Promise<void> {
    clearTimeout(this.#timer);
    this.#attempt += 1;
    const change = await this.#check();
    this.#trying = undefined;
    if (change.isFull) this.plan();
    else this.#attempt = 0;
    this.#space.show(change);
  }

  /** A failed check is inconclusive about the disk: it is repeated like a refused one. */
  async #check(): Promise<Change> {
    try {
      return await (this.#space.view.isClosed ? this.#reopen() : this.#probe());
    } catch (error) {
      this.#space.reportFailure(error);
      return { isFull: true };
    }
  }

  async #probe(): Promise<Change> {
    return { isFull: !(await canWrite([...this.#space.databases])) };
  }

  async #reopen(): Promise<Change> {
    const { disk, databases, view } = this.#space;
    // The next one to be opened is checked with its log.
    if (databases.size === 0) return { isFull: true };
    if (disk && !(await disk.hasSpace())) return { isFull: true };
    this.#space.isOpening = true;
    try {
      if (!(await reopenDatabases([...databases]))) {
        // Another tab may have removed the flag.
        disk?.flag();
        return { isFull: true };
      }
    } finally {
      this.#space.isOpening = false;
    }
    disk?.unflag();
    return { isFull: false, isClosed: false, reopened: view.reopened + 1 };
  }
}
