/** The internals of fake-indexeddb that a simulation needs. */

export interface RawTransaction {
  readonly mode: string;
  readonly db: RawConnection;
  readonly _scope: ReadonlySet<string>;
  readonly _rollbackLog: (() => void)[];
  readonly _requests: readonly unknown[];
  readonly error: unknown;
  _state: string;
  _started: boolean;
  _start(): void;
  _abort(name: string): void;
}

export interface RawConnection {
  readonly name: string;
  readonly _rawDatabase: RawDatabase;
  _closed: boolean;
  _closePending: boolean;
  dispatchEvent(event: { readonly type: string }): boolean;
  transaction(...args: unknown[]): RawTransaction;
}

export interface RawRequest {
  readonly result: RawConnection;
  dispatchEvent(event: { readonly type: string }): boolean;
}

interface RawNode {
  readonly record: { readonly key: unknown; readonly value: unknown };
  readonly deleted: boolean;
  readonly left: RawNode | undefined;
  readonly right: RawNode | undefined;
}

interface RawIndex {
  readonly records: { readonly records: { readonly _root?: RawNode } };
}

interface RawTable extends RawIndex {
  readonly rawIndexes: ReadonlyMap<string, RawIndex>;
}

export interface RawDatabase {
  readonly name: string;
  readonly transactions: readonly RawTransaction[];
  connections: RawConnection[];
  readonly rawObjectStores: ReadonlyMap<string, RawTable>;
  processTransactions(): void;
}

export interface RawFactory {
  readonly _databases: Map<string, RawDatabase>;
  readonly _connectionQueues: Map<string, Promise<void>>;
}

/** The values of a table in the order of its keys. */
export const listValues = (table: RawTable | undefined): readonly unknown[] => {
  const values: unknown[] = [];
  const path: RawNode[] = [];
  let node = table?.records.records._root;
  while (node !== undefined || path.length > 0) {
    for (; node !== undefined; node = node.left) path.push(node);
    const next = path.pop();
    if (next?.deleted === false) values.push(next.record.value);
    node = next?.right;
  }
  return values;
};

/** True if a table or an index with text keys contains a row. */
export const hasKey = (table: RawIndex | undefined, key: string): boolean => {
  let node = table?.records.records._root;
  while (node !== undefined) {
    const found = String(node.record.key);
    if (found === key) return !node.deleted;
    node = key < found ? node.left : node.right;
  }
  return false;
};
