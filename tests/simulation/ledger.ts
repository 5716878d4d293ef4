import type { RoomKey } from '#domain/rooms.ts';
import type { Mark } from '#domain/schemas/marks.ts';

/** One typed message with a unique text. */
export interface Written {
  readonly text: string;
  readonly device: string;
  readonly uid: string;
  readonly room: RoomKey;
  /** The composer was cleared. */
  isAccepted: boolean;
  /** The place in the order of acceptance; while that is not known, of writing. */
  order: number;
  id: string | undefined;
  /** The engine refuses it permanently. */
  readonly isRefused: boolean;
  /** How often its author retried it. */
  retries: number;
  isDiscarded: boolean;
}

/** A mark that a person recorded for a room, as it was stored then. */
export interface KeptMark {
  readonly uid: string;
  readonly device: string;
  /** See `toMarkKey`. */
  readonly key: string;
  readonly mark: Mark;
}

/** The actions of people, for comparison with the outcome. */
export class Ledger {
  readonly written = new Map<string, Written>();
  readonly ids = new Map<string, Written>();
  readonly kept: KeptMark[] = [];
  #numbers = 0;
  #places = 0;

  /** The next number for a unique text. */
  next(): number {
    this.#numbers += 1;
    return this.#numbers;
  }

  #place(): number {
    this.#places += 1;
    return this.#places;
  }

  type(entry: Omit<Written, 'isAccepted' | 'order' | 'id' | 'retries' | 'isDiscarded'>): Written {
    const fresh = {
      isAccepted: false,
      order: this.#place(),
      id: undefined,
      retries: 0,
      isDiscarded: false,
    };
    const written: Written = { ...entry, ...fresh };
    this.written.set(entry.text, written);
    return written;
  }

  accept(written: Written, id: string | undefined): void {
    written.isAccepted = true;
    written.order = this.#place();
    if (id === undefined) return;
    written.id = id;
    this.ids.set(id, written);
  }
}
