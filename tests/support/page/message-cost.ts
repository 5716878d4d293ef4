import type { Page } from 'playwright-core';

/** What a page has done since it was opened. */
export interface Work {
  /** Rows, keys and values that requests to IndexedDB found. */
  readonly rows: number;
  /** Commits of React. */
  readonly commits: number;
  /** Elements added to the document. */
  readonly elements: number;
}

declare global {
  var workDone: { rows: number; commits: number; elements: number } | undefined;
}

/** Runs in a new page, before its scripts: counts its work. */
export const countWork = (): void => {
  const done = { rows: 0, commits: 0, elements: 0 };
  globalThis.workDone = done;
  const note = (event: Event): void => {
    const found: unknown = (event.target as IDBRequest).result;
    if (found !== undefined && found !== null) done.rows += Array.isArray(found) ? found.length : 1;
  };
  const methods = ['get', 'getAll', 'getAllKeys', 'getAllRecords', 'openCursor', 'openKeyCursor'];
  for (const prototype of [IDBObjectStore.prototype, IDBIndex.prototype]) {
    for (const method of methods) {
      const original: unknown = Reflect.get(prototype, method);
      if (typeof original !== 'function') continue;
      const counted = function counted(this: unknown, ...given: unknown[]): IDBRequest {
        const request = Reflect.apply(original, this, given) as IDBRequest;
        request.addEventListener('success', note);
        return request;
      };
      Reflect.set(prototype, method, counted);
    }
  }
  const onCommitFiberRoot = (): void => void (done.commits += 1);
  Reflect.set(globalThis, '__REACT_DEVTOOLS_GLOBAL_HOOK__', {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberRoot,
    onCommitFiberUnmount: () => undefined,
    onPostCommitFiberRoot: () => undefined,
  });
  new MutationObserver((records) => {
    for (const { addedNodes } of records) {
      for (const node of addedNodes) {
        if (node instanceof Element) done.elements += 1 + node.querySelectorAll('*').length;
      }
    }
  }).observe(document, { childList: true, subtree: true });
};

const readWork = (page: Page): Promise<Work> =>
  page.evaluate(() => globalThis.workDone ?? { rows: 0, commits: 0, elements: 0 });

const KINDS = ['rows', 'commits', 'elements'] as const;

const isSame = (a: Work, b: Work): boolean => KINDS.every((kind) => a[kind] === b[kind]);

/** Two frames and what runs once the page is idle. */
const rest = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const frame = (): Promise<unknown> => new Promise((drawn) => requestAnimationFrame(drawn));
    await frame();
    await frame();
    await new Promise((done) => requestIdleCallback(done));
  });

/** The page's work, once it has none left to do. */
const readAtRest = async (page: Page): Promise<Work> => {
  let known = await readWork(page);
  for (let quiet = 0; quiet < 5;) {
    await rest(page);
    const next = await readWork(page);
    quiet = isSame(known, next) ? quiet + 1 : 0;
    known = next;
  }
  return known;
};

/**
 * The least work for one action among several: whatever else a page does now and then, such as a
 * heartbeat, is not in all of them.
 */
export const findLeastWork = async (
  page: Page,
  actions: readonly (() => Promise<void>)[],
): Promise<Work> => {
  const works: Work[] = [];
  for (const act of actions) {
    const before = await readAtRest(page);
    await act();
    const after = await readAtRest(page);
    works.push({
      rows: after.rows - before.rows,
      commits: after.commits - before.commits,
      elements: after.elements - before.elements,
    });
  }
  const least = (kind: keyof Work): number => Math.min(...works.map((work) => work[kind]));
  return { rows: least('rows'), commits: least('commits'), elements: least('elements') };
};
