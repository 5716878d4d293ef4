import type { AppError } from '#domain/errors.ts';
import type { MarkLog } from '#domain/ports/network.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { ok, type Result } from '#domain/result.ts';
import {
  addOwnEntries,
  hasSnapshot,
  type OwnReads,
  type Reads,
  toOwnPayloads,
  toReads,
  uniteReads,
} from '#domain/project/own-reads.ts';
import type { MarkEntry } from '#domain/schemas/mark-log.ts';
import type { Timetoken } from '#domain/timetoken.ts';

import type { LeaderInput } from '../kit/inputs.ts';
import { OWN_LOG_PAGE_SIZE, OWN_LOG_PAGES_MAX } from '../kit/limits.ts';

type Outcome = Result<unknown, AppError>;

/**
 * Reads the entries after a position, newest page first, back to that position or to a snapshot;
 * oldest first.
 */
const readEntries = async (
  own: MarkLog,
  after: Timetoken | undefined,
  cancel: AbortSignal,
): Promise<Result<readonly MarkEntry[], AppError>> => {
  const pages: (readonly MarkEntry[])[] = [];
  while (pages.length < OWN_LOG_PAGES_MAX) {
    const before = pages[0]?.[0]?.timetoken;
    const page = await own.read({ count: OWN_LOG_PAGE_SIZE, before, after }, cancel);
    if (!page.ok) return page;
    const { entries, full } = page.value;
    pages.unshift(entries);
    if (!full || entries.length === 0 || hasSnapshot(pages.flat())) break;
  }
  return ok(pages.flat());
};

/** What was read, and from where on. */
interface Beginning {
  readonly reads: Reads;
  readonly began: Timetoken | undefined;
}

const NOTHING: Beginning = { reads: new Map(), began: undefined };

/** Brings a device and its user's own log to the same state, while its tab leads. */
export class OwnLogSync {
  readonly #ports: Pick<Ports, 'realtime' | 'ids'>;
  readonly #leader: LeaderInput;
  #known: OwnReads | undefined;
  #here: Beginning & { readonly last?: number } = NOTHING;
  /** What this tab published: an engine may show it later, and may not believe it. */
  #published: Beginning = NOTHING;

  constructor(ports: Pick<Ports, 'realtime' | 'ids'>, leader: LeaderInput) {
    this.#ports = ports;
    this.#leader = leader;
  }

  /** Takes what other devices read; errors as those of engine and store. */
  async read(cancel: AbortSignal): Promise<Result<OwnReads, AppError>> {
    const known = await this.#findKnown();
    if (!known.ok) return known;
    const entries = await readEntries(this.#ports.realtime.own, known.value.upTo, cancel);
    if (!entries.ok) return entries;
    if (entries.value.length === 0) return known;
    const next = addOwnEntries(known.value, entries.value);
    const { store, fence } = this.#leader;
    const kept = await store.keepOwnReads(fence, next);
    if (!kept.ok) return kept;
    this.#known = next;
    return ok(next);
  }

  /**
   * Begins reading on a new device where the first one did, else at `start`. The value is false
   * while neither is known.
   */
  async begin(start: Timetoken | undefined): Promise<Result<boolean, AppError>> {
    const listed = await this.#list();
    if (!listed.ok) return listed;
    if (this.#here.began !== undefined) return ok(true);
    const timetoken = this.#known?.began ?? start;
    if (timetoken === undefined) return ok(false);
    const { store, fence } = this.#leader;
    const stored = await store.append([{ type: 'v1.ReadingBegan', timetoken }], fence);
    return stored.ok ? ok(true) : stored;
  }

  /** Publishes what was read here and the own log does not say. */
  async publish(cancel: AbortSignal): Promise<Result<true, AppError>> {
    const known = await this.#findKnown();
    if (!known.ok) return known;
    const listed = await this.#list();
    if (!listed.ok) return listed;
    const said = {
      ...known.value,
      reads: uniteReads(known.value.reads, this.#published.reads),
      began: known.value.began ?? this.#published.began,
    };
    const { realtime, ids } = this.#ports;
    for (const payload of toOwnPayloads(said, this.#here, ids.next())) {
      const published = await realtime.own.publish(ids.next(), { ...payload }, cancel);
      if (!published.ok) return published;
      this.#published = {
        reads: uniteReads(this.#published.reads, toReads(payload)),
        began: payload.began ?? this.#published.began,
      };
    }
    return ok(true);
  }

  async #list(): Promise<Outcome> {
    const listed = await this.#leader.store.listReads(this.#here.last);
    if (!listed.ok) return listed;
    const { reads, began, last } = listed.value;
    this.#here = {
      reads: uniteReads(this.#here.reads, reads),
      began: began ?? this.#here.began,
      last,
    };
    return ok(undefined);
  }

  async #findKnown(): Promise<Result<OwnReads, AppError>> {
    if (this.#known !== undefined) return ok(this.#known);
    const found = await this.#leader.store.findOwnReads();
    if (found.ok) this.#known = found.value;
    return found;
  }
}
