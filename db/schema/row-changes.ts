import {
  type DBCore,
  type DBCoreMutateRequest,
  type DBCoreMutateResponse,
  type DBCoreTable,
  Dexie,
  type IntervalTree,
  type ObservabilitySet,
  RangeSet,
  rangesOverlap,
} from 'dexie';

import { OLD_PREFIXES, SEGMENT_PREFIX, toKindPrefix } from '#domain/envelope.ts';
import { createListeners } from '#domain/listeners.ts';
import type { Unsubscribe } from '#domain/ports/kit.ts';

import { META, TABLES } from './tables.ts';

/** A row as this page wrote it; undefined after its deletion. */
export interface Written {
  readonly row: unknown;
}

/**
 * Rows of one table that a commit may have changed, by primary key. Rows without a value were
 * written by another tab and have to be read; `all`: every row may have changed.
 */
export type ChangedRows = 'all' | ReadonlyMap<string, Written | undefined>;

const WATCHED = [
  TABLES.entries,
  TABLES.messages,
  TABLES.outbox,
  TABLES.coverage,
  TABLES.activity,
] as const;
type WatchedTable = (typeof WATCHED)[number];

/**
 * Tables of which only rows whose `key` has one of these prefixes are reported; `index`: the index
 * of `key`.
 */
const PARTLY_WATCHED = [
  {
    table: TABLES.log,
    index: 'key',
    prefixes: [SEGMENT_PREFIX, OLD_PREFIXES.segment, toKindPrefix('floor')],
  },
  { table: TABLES.meta, index: '', prefixes: [META.leader] },
] as const;
type PartlyWatched = (typeof PARTLY_WATCHED)[number];
type ReportedTable = WatchedTable | PartlyWatched['table'];

/**
 * The changes of one commit, by table; unchanged tables are absent. The log is present only if the
 * intervals covered by the stream changed: every other fact changes a row of another table. The
 * meta table is present only if the leader wrote its heartbeat.
 */
export type RowChanges = ReadonlyMap<ReportedTable, ChangedRows>;

type WrittenRows = Map<string, Written | undefined>;
type Transaction = DBCoreMutateRequest['trans'];

/** More rows than this are not listed one by one. */
const LISTED_MAX = 500;

const findWatched = (name: string): WatchedTable | undefined =>
  WATCHED.find((table) => table === name);

/** The keys in a tree of changed key ranges; undefined if a range is not a single key. */
const toKeys = (tree: IntervalTree | null | undefined): readonly string[] | undefined => {
  const keys: string[] = [];
  const open: (IntervalTree | null | undefined)[] = [tree];
  while (open.length > 0) {
    const node = open.pop();
    if (!node || !('from' in node)) continue;
    const { from, to } = node;
    if (typeof from !== 'string' || from !== to || keys.length >= LISTED_MAX) return undefined;
    keys.push(from);
    open.push(node.l, node.r);
  }
  return keys;
};

/** Whether this page writes a reported row with this request. */
const writesPart = ({ prefixes }: PartlyWatched, request: DBCoreMutateRequest): boolean =>
  'values' in request &&
  request.values.some(({ key }: { readonly key?: unknown }) =>
    prefixes.some((prefix) => typeof key === 'string' && key.startsWith(prefix)),
  );

/** Whether another tab's commit may have changed a reported row. */
const changesPart = (
  { table, index, prefixes }: PartlyWatched,
  parts: ObservabilitySet,
  name: string,
): boolean => {
  const keys = parts[`idb://${name}/${table}/${index}`];
  const isIn = (prefix: string): boolean =>
    keys !== undefined && rangesOverlap(keys, new RangeSet(prefix, `${prefix}\uffff`));
  return 'all' in parts || prefixes.some(isIn);
};

/** Another tab's commit lists keys, not rows. */
const toForeign = (name: string, parts: ObservabilitySet): RowChanges => {
  const changes = new Map<ReportedTable, ChangedRows>();
  for (const part of PARTLY_WATCHED) {
    if (changesPart(part, parts, name)) changes.set(part.table, 'all');
  }
  for (const table of WATCHED) {
    // A deletion is listed under the primary keys, too.
    const tree = parts[`idb://${name}/${table}/`];
    const keys = 'all' in parts ? undefined : toKeys(tree);
    if (keys === undefined) changes.set(table, 'all');
    else if (keys.length > 0) changes.set(table, new Map(keys.map((key) => [key, undefined])));
  }
  return changes;
};

const listWritten = (
  table: DBCoreTable,
  request: DBCoreMutateRequest,
): readonly (readonly [key: unknown, written: Written])[] | undefined => {
  if (request.type === 'deleteRange') return undefined;
  if (request.type === 'delete') return request.keys.map((key) => [key, { row: undefined }]);
  const { extractKey } = table.schema.primaryKey;
  return request.values.map((row) => [extractKey?.(row), { row }]);
};

/**
 * Reports after each commit which rows changed: with their values if this page wrote them, so
 * that a screen need not read them again. Dexie reports only the keys, to all tabs.
 */
export class RowWatch {
  readonly #name: string;
  readonly #listeners = new Set<(changes: RowChanges) => void>();
  /** Notified when a commit may have been missed. */
  readonly missed = createListeners();
  readonly #written = new WeakMap<Transaction, Map<ReportedTable, 'all' | WrittenRows>>();
  /** The last commit reported with its rows. */
  #reported: Transaction | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  /** Calls `listener` after each commit that changed rows, of this tab or another. */
  watch(listener: (changes: RowChanges) => void): Unsubscribe {
    if (this.#listeners.size === 0) Dexie.on.storagemutated.subscribe(this.#onMutated);
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) Dexie.on.storagemutated.unsubscribe(this.#onMutated);
    };
  }

  /** Reports that any row may have changed, because a commit may have been missed. */
  reportAll(): void {
    const tables = [...WATCHED, ...PARTLY_WATCHED.map(({ table }) => table)];
    this.#report(new Map(tables.map((table) => [table, 'all'])));
    this.missed.emit();
  }

  /** Middleware that collects the rows written by each transaction. */
  readonly record = (core: DBCore): DBCore => ({
    ...core,
    transaction: (stores, mode, options) => {
      const trans = core.transaction(stores, mode, options);
      if (mode === 'readwrite' && this.#listeners.size > 0) this.#follow(trans);
      return trans;
    },
    table: (name) => {
      const table = core.table(name);
      const watched = findWatched(name);
      const partly = PARTLY_WATCHED.find((other) => other.table === name);
      if (watched === undefined && partly === undefined) return table;
      return {
        ...table,
        mutate: (request) =>
          table.mutate(request).then((response) => {
            if (watched !== undefined) {
              this.#note(watched, table, request, response.failures);
            } else if (partly !== undefined && writesPart(partly, request)) {
              this.#written.get(request.trans)?.set(partly.table, 'all');
            }
            return response;
          }),
      };
    },
  });

  #follow(trans: Transaction): void {
    this.#written.set(trans, new Map());
    // It runs before Dexie's own handler, which reports the keys of this commit.
    (trans as Transaction & EventTarget).addEventListener('complete', () => {
      const written = this.#written.get(trans);
      if (written === undefined || written.size === 0) return;
      this.#reported = trans;
      this.#report(written);
    });
  }

  #note(
    name: WatchedTable,
    table: DBCoreTable,
    request: DBCoreMutateRequest,
    refused: DBCoreMutateResponse['failures'],
  ): void {
    const changes = this.#written.get(request.trans);
    if (changes === undefined) return;
    const known = changes.get(name) ?? (new Map() as WrittenRows);
    const listed = listWritten(table, request);
    if (known === 'all' || listed === undefined || known.size + listed.length > LISTED_MAX) {
      changes.set(name, 'all');
      return;
    }
    for (const [i, [key, written]] of listed.entries()) {
      if (typeof key === 'string' && !refused[i]) known.set(key, written);
    }
    changes.set(name, known);
  }

  readonly #onMutated = (parts: ObservabilitySet): void => {
    // Dexie keeps the changes of a transaction in this property; otherwise its rows are read again.
    if (this.#reported && Reflect.get(this.#reported, 'mutatedParts') === parts) return;
    const changes = toForeign(this.#name, parts);
    if (changes.size > 0) this.#report(changes);
  };

  #report(changes: RowChanges): void {
    for (const listener of this.#listeners) listener(changes);
  }
}
