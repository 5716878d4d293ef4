import type { AppError } from '#domain/errors.ts';
import type { MarkLog } from '#domain/ports/network.ts';
import { beforeHistoryLag } from '#domain/history-lag.ts';
import type { Ports } from '#domain/ports/ports.ts';
import {
  addEntries,
  isEnough,
  type LogState,
  type MarkSet,
  toPayloads,
  mergeMarkSets,
  NOTHING_KNOWN,
} from '#domain/project/log-state.ts';
import { ok, type Result } from '#domain/result.ts';
import type { MarkEntry, MarkLogName } from '#domain/schemas/mark-log.ts';
import { findNewMarks } from '#domain/schemas/marks.ts';
import { parseMarkEntry } from '#domain/schemas/mark-payload.ts';
import {
  nextTimetoken,
  previousTimetoken,
  type Timetoken,
  TIMETOKEN_MAX,
} from '#domain/timetoken.ts';

import type { LeaderInput } from '../kit/inputs.ts';
import { MARK_LOG_ENTRIES_MAX, MARK_LOG_PAGE_SIZE } from '../kit/leader-limits.ts';

type Outcome = Result<unknown, AppError>;

/** A log of marks, and the leader whose store holds its marks. */
export interface MarkLogOwner extends LeaderInput {
  readonly log: MarkLogName;
}

/** Entries of a log, oldest first; `isAll` if none are missing between the requested bounds. */
interface LogPart {
  readonly entries: readonly MarkEntry[];
  readonly isAll: boolean;
}

/**
 * Reads the entries after a position, newest page first, back to that position or to the one up to
 * which a snapshot contains everything. The device that made a snapshot may not have read the
 * entries just before it.
 */
const readEntries = async (
  engine: MarkLog,
  log: MarkLogName,
  after: Timetoken | undefined,
  cancel: AbortSignal,
): Promise<Result<LogPart, AppError>> => {
  const read: MarkEntry[] = [];
  // An engine may return less than a page of a longer log.
  while (read.length < MARK_LOG_ENTRIES_MAX) {
    const before = read[0]?.timetoken;
    const page = await engine.read({ count: MARK_LOG_PAGE_SIZE, before, after }, cancel);
    if (!page.ok) return page;
    const { entries, full } = page.value;
    read.unshift(...entries);
    if (!full || entries.length === 0) return ok({ entries: read, isAll: true });
    if (isEnough(log, read)) break;
  }
  return ok({ entries: read, isAll: false });
};

const NOTHING: MarkSet = { marks: new Map(), began: undefined };

/** Brings a device and a log of marks to the same state, while its tab leads. */
export class MarkLogSync {
  readonly #ports: Pick<Ports, 'realtime' | 'ids'>;
  readonly #owner: MarkLogOwner;
  #known: LogState | undefined;
  /** The marks of entries that the stream delivered: the log may lack them for some seconds. */
  #delivered: MarkSet = NOTHING;
  #local: MarkSet & { readonly last?: number } = NOTHING;
  /**
   * The marks that this tab published: an engine may return them later, and a reader may refuse
   * them.
   */
  #published: MarkSet = NOTHING;

  constructor(ports: Pick<Ports, 'realtime' | 'ids'>, owner: MarkLogOwner) {
    this.#ports = ports;
    this.#owner = owner;
  }

  /**
   * The next reading adds these entries to those of the log. The value is whether they contain
   * marks that this device did not have.
   */
  addDelivered(entries: readonly MarkEntry[]): boolean {
    for (const entry of entries) {
      const parsed = parseMarkEntry(this.#owner.log, entry);
      if (parsed !== undefined) this.#delivered = mergeMarkSets(this.#delivered, parsed);
    }
    const { marks } = mergeMarkSets(this.#local, this.#known ?? NOTHING);
    return findNewMarks(this.#delivered.marks, marks).size > 0;
  }

  /** Stores the marks of other devices; the errors are those of the engine and the store. */
  async read(cancel: AbortSignal): Promise<Result<LogState, AppError>> {
    const known = await this.#findLogState();
    if (!known.ok) return known;
    const { store, fence, log } = this.#owner;
    const delivered = this.#delivered;
    const from = this.#findStart(known.value);
    const part = await readEntries(this.#ports.realtime[log], log, from, cancel);
    if (!part.ok) return part;
    const { entries } = part.value;
    const replaced = await this.#isReplaced(known.value, part.value, cancel);
    if (!replaced.ok) return replaced;
    if (replaced.value) {
      this.#known = NOTHING_KNOWN;
      this.#published = NOTHING;
      return this.read(cancel);
    }
    const hasNew = entries.some(({ timetoken }) => timetoken !== known.value.upTo);
    if (!hasNew && delivered === NOTHING) return known;
    const read = addEntries(log, known.value, entries);
    const next = { ...read, ...mergeMarkSets(read, delivered) };
    const kept = await store.saveLogState(fence, log, next);
    if (!kept.ok) return kept;
    this.#known = next;
    if (this.#delivered === delivered) this.#delivered = NOTHING;
    return ok(next);
  }

  /**
   * Begins reading on a new device where the first one did, else at `start`; a beginning that the
   * log contains, but could not be read before, then replaces `start`. The value is false while
   * neither is known.
   */
  async begin(start: Timetoken | undefined): Promise<Result<boolean, AppError>> {
    const listed = await this.#list();
    if (!listed.ok) return listed;
    if (this.#owner.log === 'staff') return ok(true);
    const { began } = this.#local;
    const first = this.#known?.began;
    if (began !== undefined && (first === undefined || began <= first)) return ok(true);
    const timetoken = first ?? start;
    if (timetoken === undefined) return ok(false);
    const { store, fence } = this.#owner;
    const stored = await store.append([{ type: 'v1.ReadingBegan', timetoken }], fence);
    return stored.ok ? ok(true) : stored;
  }

  /** Publishes the marks of this device that the log lacks. */
  async publish(cancel: AbortSignal): Promise<Result<true, AppError>> {
    const known = await this.#findLogState();
    if (!known.ok) return known;
    const listed = await this.#list();
    if (!listed.ok) return listed;
    const knownOrPublished = { ...known.value, ...mergeMarkSets(known.value, this.#published) };
    const { realtime, ids } = this.#ports;
    const { log } = this.#owner;
    for (const payload of toPayloads(knownOrPublished, this.#local, ids.next())) {
      const published = await realtime[log].publish(ids.next(), payload, cancel);
      if (!published.ok) return published;
      const sent = parseMarkEntry(log, { timetoken: TIMETOKEN_MAX, payload });
      this.#published = mergeMarkSets(this.#published, sent ?? NOTHING);
    }
    return ok(true);
  }

  /**
   * Begins with the last known entry, which shows whether the log is still the same one. On an
   * engine that is not complete, entries from just before it may have been missing.
   */
  #findStart({ upTo }: LogState): Timetoken | undefined {
    if (upTo === undefined) return undefined;
    if (this.#ports.realtime.complete) return previousTimetoken(upTo);
    return beforeHistoryLag(upTo);
  }

  /** Whether a backup was restored that lacks the last known entry, or the log was emptied. */
  async #isReplaced(
    { upTo }: LogState,
    { entries, isAll }: LogPart,
    cancel: AbortSignal,
  ): Promise<Result<boolean, AppError>> {
    const { realtime } = this.#ports;
    if (upTo === undefined || !realtime.complete) return ok(false);
    const hasLast = entries.some(({ timetoken }) => timetoken === upTo);
    if (hasLast || isAll) return ok(!hasLast);
    // The reading ended at a snapshot, before it came to that entry.
    const only = { count: 1, after: previousTimetoken(upTo), before: nextTimetoken(upTo) };
    const page = await realtime[this.#owner.log].read(only, cancel);
    return page.ok ? ok(page.value.entries.length === 0) : page;
  }

  async #list(): Promise<Outcome> {
    const { store, log } = this.#owner;
    const listed = await store.listLocalMarks(log, this.#local.last);
    if (!listed.ok) return listed;
    const { last, ...added } = listed.value;
    const { marks } = mergeMarkSets(this.#local, added);
    this.#local = { marks, began: added.began ?? this.#local.began, last };
    return ok(undefined);
  }

  async #findLogState(): Promise<Result<LogState, AppError>> {
    if (this.#known !== undefined) return ok(this.#known);
    const { store, log } = this.#owner;
    const found = await store.findLogState(log);
    if (found.ok) this.#known = found.value;
    return found;
  }
}
