import { watchMessages } from '#db/read/scan-messages.ts';
import type { UserDatabase } from '#db/schema/database.ts';
import type { MaybeTrustedTypes } from '#domain/ports/browser.ts';
import { type RetryLimits, toRetryDelay } from '#domain/rules/retry-delay.ts';
import type { SearchQuery } from '#domain/text/search-query.ts';

import type { FiguresQuery } from '#domain/dashboard/figures.ts';

import { default as address } from './search-worker.ts?worker&url';
import type {
  Directory,
  FiguresAnswer,
  SearchAnswer,
  SearchRequest,
  SearchResponse,
} from './protocol.ts';

/** A worker that failed starts again after a pause that doubles, ms. */
const RESTART: RetryLimits = { minMs: 1000, maxMs: 60_000 };

/** How long the messages stay in memory after the last search, ms. */
const IDLE_MS = 180_000;

/**
 * Only this script may run as a worker (Trusted Types), where the browser supports such policies.
 */
const policy = (window as MaybeTrustedTypes).trustedTypes?.createPolicy('replay-desk-search', {
  createScriptURL: () => address,
});

/** Receives answers, or `failed` if the messages could not be read. */
interface Listener {
  readonly onHits?: (answer: SearchAnswer | 'failed') => void;
  readonly onFigures?: (answer: FiguresAnswer | 'failed') => void;
}

/** The last question of a subscriber. */
interface Question extends Listener {
  readonly request: Extract<SearchRequest, { readonly id: number }>;
}

/** The worker that searches and counts the messages of one user, started by the first question. */
export class SearchClient {
  readonly #db: UserDatabase;
  #end: (() => void) | undefined;
  #worker: Worker | undefined;
  #directory: Directory | undefined;
  #lastId = 0;
  readonly #questions = new Map<string, Question>();
  #idle: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #restart: ReturnType<typeof setTimeout> | undefined;

  constructor(db: UserDatabase) {
    this.#db = db;
    const forget = db.space.watch(() => {
      if (!db.space.view.isClosed) this.#resume();
      // A worker would open the database on a full disk, where the browser would lose it.
      else if (this.#worker) this.#fail();
    });
    // Nothing of a user who signed out stays in memory.
    db.onEnd(() => {
      forget();
      this.#stop();
    });
  }

  /** Sends the possible authors, and the names of the rooms. */
  setDirectory(directory: Directory): void {
    this.#directory = directory;
    this.#post({ kind: 'directory', directory });
  }

  /** Searches; the answers replace each other until the subscriber's next search. */
  search(
    subscriberId: string,
    query: SearchQuery,
    limit: number,
    onHits: (answer: SearchAnswer | 'failed') => void,
  ): void {
    this.#ask({
      onHits,
      request: { kind: 'search', subscriberId, id: this.#nextId(), query, limit },
    });
  }

  /** Counts; the answers replace each other until the subscriber's next question. */
  count(
    subscriberId: string,
    query: Omit<FiguresQuery, 'now'>,
    onFigures: (answer: FiguresAnswer | 'failed') => void,
  ): void {
    this.#ask({ onFigures, request: { kind: 'count', subscriberId, id: this.#nextId(), query } });
  }

  /** The subscriber needs no more answers; no effect if it asked nothing. */
  leave(subscriberId: string): void {
    if (!this.#questions.delete(subscriberId)) return;
    this.#post({ kind: 'left', subscriberId });
    if (this.#questions.size === 0) this.#idle = setTimeout(() => this.#stop(), IDLE_MS);
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #ask(question: Question): void {
    clearTimeout(this.#idle);
    this.#questions.set(question.request.subscriberId, question);
    // A worker that starts receives all open questions.
    if (this.#worker === undefined) this.#start();
    else this.#post(question.request);
  }

  #start(): void {
    if (this.#worker !== undefined || this.#db.isEnded || typeof Worker === 'undefined') return;
    if (this.#db.space.view.isClosed) return this.#fail();
    const worker = new Worker(policy?.createScriptURL('') ?? address, { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<SearchResponse>) =>
      this.#handle(data),
    );
    worker.addEventListener('error', ({ message }) => this.#report(message));
    const forget = watchMessages(this.#db, (keys) => this.#post({ kind: 'changed', keys }));
    this.#worker = worker;
    this.#end = () => {
      forget();
      worker.terminate();
    };
    this.#post({ kind: 'open', name: this.#db.name });
    if (this.#directory) this.#post({ kind: 'directory', directory: this.#directory });
    for (const { request } of this.#questions.values()) this.#post(request);
  }

  #stop(): void {
    clearTimeout(this.#idle);
    clearTimeout(this.#restart);
    this.#end?.();
    this.#end = undefined;
    this.#worker = undefined;
  }

  #post(request: SearchRequest): void {
    this.#worker?.postMessage(request);
  }

  #handle(data: SearchResponse): void {
    if (data.kind === 'failed') return this.#report(data.detail);
    const question = this.#questions.get(data.subscriberId);
    if (question?.request.id !== data.id) return;
    // A new worker answers before its first read, which may fail.
    if (data.kind === 'counted' || data.coverage.isWhole) this.#failures = 0;
    if (data.kind === 'answer') question.onHits?.(data);
    else question.onFigures?.(data);
  }

  #report(detail: string): void {
    this.#db.clientLog.write('error', 'SEARCH_FAILED', { detail });
    this.#fail();
  }

  /** Ends the worker, too: it may never have started. Open questions are sent again. */
  #fail(): void {
    this.#stop();
    const delay = toRetryDelay(this.#failures, RESTART, { next: () => Math.random() });
    this.#failures += 1;
    this.#restart = setTimeout(() => this.#resume(), delay);
    for (const { onHits, onFigures } of this.#questions.values()) {
      onHits?.('failed');
      onFigures?.('failed');
    }
  }

  #resume(): void {
    if (this.#questions.size > 0) this.#start();
  }
}
