import { watchMessages } from '#db/read/scan-messages.ts';
import type { UserDatabase } from '#db/schema/database.ts';
import type { SearchQuery } from '#domain/text/search-query.ts';

import type { FiguresQuery } from '#domain/dashboard/figures.ts';

import type {
  Directory,
  FiguresAnswer,
  SearchAnswer,
  SearchOrder,
  SearchReport,
} from './protocol.ts';

/** How long the messages stay in memory after the last search, ms. */
const IDLE_MS = 180_000;

/** Receives answers, or `failed` if the messages could not be read. */
interface Listener {
  readonly onHits?: (answer: SearchAnswer | 'failed') => void;
  readonly onFigures?: (answer: FiguresAnswer | 'failed') => void;
}

/** The worker that searches and counts the messages of one user, from the first question on. */
export class SearchWorker {
  readonly #db: UserDatabase;
  #end: (() => void) | undefined;
  #worker: Worker | undefined;
  #directory: Directory | undefined;
  #lastId = 0;
  readonly #askers = new Map<string, { readonly id: number; readonly listener: Listener }>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(db: UserDatabase) {
    this.#db = db;
    // Nothing of a user who signed out stays in memory.
    db.onEnd(() => this.#stop());
  }

  /** Tells who may have written, and the names of the rooms. */
  know(directory: Directory): void {
    this.#directory = directory;
    this.#post({ kind: 'directory', directory });
  }

  /** Searches; the answers replace each other until the asker's next search. */
  search(
    asker: string,
    query: SearchQuery,
    limit: number,
    onHits: (answer: SearchAnswer | 'failed') => void,
  ): void {
    const id = this.#ask(asker, { onHits });
    this.#post({ kind: 'search', asker, id, query, limit });
  }

  /** Counts; the answers replace each other until the asker's next question. */
  count(
    asker: string,
    query: Omit<FiguresQuery, 'now'>,
    onFigures: (answer: FiguresAnswer | 'failed') => void,
  ): void {
    const id = this.#ask(asker, { onFigures });
    this.#post({ kind: 'count', asker, id, query });
  }

  /** The asker needs no more answers. */
  leave(asker: string): void {
    this.#askers.delete(asker);
    this.#post({ kind: 'left', asker });
    if (this.#askers.size === 0) this.#timer = setTimeout(() => this.#stop(), IDLE_MS);
  }

  #ask(asker: string, listener: Listener): number {
    clearTimeout(this.#timer);
    this.#start();
    this.#lastId += 1;
    this.#askers.set(asker, { id: this.#lastId, listener });
    return this.#lastId;
  }

  #start(): void {
    if (this.#worker !== undefined || this.#db.isEnded || typeof Worker === 'undefined') return;
    const worker = new Worker(new URL('./message-search.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<SearchReport>) => this.#take(data));
    worker.addEventListener('error', () => this.#fail());
    const forget = watchMessages(this.#db, (keys) => this.#post({ kind: 'changed', keys }));
    this.#worker = worker;
    this.#end = () => {
      forget();
      worker.terminate();
    };
    this.#post({ kind: 'open', name: this.#db.name });
    if (this.#directory) this.#post({ kind: 'directory', directory: this.#directory });
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#end?.();
    this.#end = undefined;
    this.#worker = undefined;
  }

  #post(order: SearchOrder): void {
    this.#worker?.postMessage(order);
  }

  #take(data: SearchReport): void {
    if (data.kind === 'failed') return this.#fail();
    const asker = this.#askers.get(data.asker);
    if (asker?.id !== data.id) return;
    if (data.kind === 'answer') asker.listener.onHits?.(data);
    else asker.listener.onFigures?.(data);
  }

  /** Ends the worker, too: it may never have started, and the next question gets a new one. */
  #fail(): void {
    this.#stop();
    for (const { listener } of this.#askers.values()) {
      listener.onHits?.('failed');
      listener.onFigures?.('failed');
    }
  }
}
