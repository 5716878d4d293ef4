import { type Result, fail, ok } from '#domain/result.ts';

import { findSqliteCode, SQLITE } from '../../kernel/sqlite-code.ts';

/** Publishes in one transaction: more wait for the next one, so that other work runs in between. */
const COMMIT_COUNT_MAX = 1000;
/** Publishes waiting for a transaction; beyond this number new ones are refused as busy. */
const COMMIT_QUEUE_MAX = 10_000;

/** `busy`: too many are waiting. `storage`: the disk refused; nothing was stored. */
export interface CommitError {
  readonly kind: 'busy' | 'storage';
  readonly detail: string;
}

export interface GroupCommit<Item, Answer> {
  /** Resolves once the item is on disk. */
  add(item: Item): Promise<Result<Answer, CommitError>>;
  /** Commits pending items at once. */
  flush(): void;
}

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly settle: (answer: Result<Answer, CommitError>) => void;
}

type Commit<Item, Answer> = (items: readonly Item[]) => readonly Answer[];

const OF_ONE_ITEM: ReadonlySet<number> = new Set([
  SQLITE.tooBig,
  SQLITE.constraint,
  SQLITE.mismatch,
]);

/**
 * A full disk or another program's lock fails every item alike: retries would only delay the
 * others.
 */
const isOfOneItem = (thrown: unknown): boolean => {
  const code = findSqliteCode(thrown);
  return code === undefined || OF_ONE_ITEM.has(code);
};

/** Commits a group; if one item may have caused a failure, commits the items one by one. */
const settleGroup = <Item, Answer>(
  commit: Commit<Item, Answer>,
  group: readonly Waiting<Item, Answer>[],
): void => {
  try {
    const answers = commit(group.map(({ item }) => item));
    for (const [index, { settle }] of group.entries()) settle(ok(answers[index] as Answer));
  } catch (thrown) {
    if (group.length > 1 && isOfOneItem(thrown)) {
      for (const one of group) settleGroup(commit, [one]);
      return;
    }
    for (const { settle } of group) settle(fail({ kind: 'storage', detail: String(thrown) }));
  }
};

/**
 * Collects the items that arrive while the previous transaction is being written and commits
 * them in one: a durable commit costs one disk flush, for one item or for hundreds. `commit` is
 * all or nothing. If a group fails because of one item, the items are tried one by one, so that
 * an invalid item does not affect the others.
 */
export const createGroupCommit = <Item, Answer>(
  commit: Commit<Item, Answer>,
): GroupCommit<Item, Answer> => {
  let waiting: Waiting<Item, Answer>[] = [];
  let scheduled = false;

  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      const group = waiting.splice(0, COMMIT_COUNT_MAX);
      if (waiting.length > 0) schedule();
      if (group.length > 0) settleGroup(commit, group);
    });
  };

  return {
    add: (item) =>
      new Promise((settle) => {
        if (waiting.length >= COMMIT_QUEUE_MAX) {
          settle(fail({ kind: 'busy', detail: `${waiting.length} publishes are waiting` }));
          return;
        }
        waiting.push({ item, settle });
        schedule();
      }),
    flush: () => {
      const group = waiting;
      waiting = [];
      if (group.length > 0) settleGroup(commit, group);
    },
  };
};
