import type { Page } from 'playwright-core';

import { getSession } from './session.ts';

/** The counts of a page since it was opened. */
interface Counted {
  /** Rows, keys and values that requests to IndexedDB found. */
  readonly rows: number;
  /** Commits of React. */
  readonly commits: number;
  /** Elements added to the document. */
  readonly elements: number;
}

/** The work of a page for an action. */
export interface Cost extends Counted {
  /** Executions of functions, branches and bodies of loops of the page's own scripts. */
  readonly blocks: number;
}

/** The work for many messages at once. */
export interface BurstCost extends Cost {
  /** Most elements that were added to the document at once, for example by a commit of React. */
  readonly elementsAtOnce: number;
}

declare global {
  var workDone:
    | { rows: number; commits: number; elements: number; elementsAtOnce: number }
    | undefined;
}

/** Runs in a new page, before its scripts: counts its work. */
export const countWork = (): void => {
  const done = { rows: 0, commits: 0, elements: 0, elementsAtOnce: 0 };
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
  // Called as soon as the code that changed the document has returned.
  new MutationObserver((records) => {
    let added = 0;
    for (const { addedNodes } of records) {
      for (const node of addedNodes) {
        if (node instanceof Element) added += 1 + node.querySelectorAll('*').length;
      }
    }
    done.elements += added;
    done.elementsAtOnce = Math.max(done.elementsAtOnce, added);
  }).observe(document, { childList: true, subtree: true });
};

/** Counts the blocks that the scripts of the next page execute. */
export const countBlocks = async (page: Page): Promise<void> => {
  const session = await getSession(page);
  await session.send('Profiler.enable');
  await session.send('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
};

/** The blocks executed since the last call. */
const takeBlocks = async (page: Page): Promise<number> => {
  const { result } = await (await getSession(page)).send('Profiler.takePreciseCoverage');
  const scripts = result.filter(({ url }) => url.includes('/assets/'));
  const ranges = scripts.flatMap(({ functions }) => functions.flatMap((one) => one.ranges));
  return ranges.reduce((sum, { count }) => sum + count, 0);
};

const readCounted = (page: Page): Promise<Counted> =>
  page.evaluate(() => globalThis.workDone ?? { rows: 0, commits: 0, elements: 0 });

const KINDS = ['rows', 'commits', 'elements'] as const;

const isSame = (a: Counted, b: Counted): boolean => KINDS.every((kind) => a[kind] === b[kind]);

/** Two frames and the work that runs once the page is idle. */
const rest = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const frame = (): Promise<unknown> => new Promise((drawn) => requestAnimationFrame(drawn));
    await frame();
    await frame();
    await new Promise((done) => requestIdleCallback(done));
  });

/** The page's counts, once no work is left. */
const readAtRest = async (page: Page): Promise<Counted> => {
  let known = await readCounted(page);
  for (let quiet = 0; quiet < 5;) {
    await rest(page);
    const next = await readCounted(page);
    quiet = isSame(known, next) ? quiet + 1 : 0;
    known = next;
  }
  return known;
};

/** The work of a page for one action, until none is left. */
const measureWork = async (page: Page, act: () => Promise<unknown>): Promise<Cost> => {
  const before = await readAtRest(page);
  await takeBlocks(page);
  await act();
  const after = await readAtRest(page);
  return {
    rows: after.rows - before.rows,
    commits: after.commits - before.commits,
    elements: after.elements - before.elements,
    blocks: await takeBlocks(page),
  };
};

/** The work of a page for many messages at once, until none is left. */
export const measureBurst = async (page: Page, act: () => Promise<unknown>): Promise<BurstCost> => {
  await page.evaluate(() => {
    if (globalThis.workDone) globalThis.workDone.elementsAtOnce = 0;
  });
  const cost = await measureWork(page, act);
  const elementsAtOnce = await page.evaluate(() => globalThis.workDone?.elementsAtOnce ?? 0);
  return { ...cost, elementsAtOnce };
};

/**
 * The least work among several similar actions: occasional other work of a page, such as a
 * heartbeat, is not in all of them.
 */
const toLeast = (works: readonly Cost[]): Cost => {
  const least = (kind: keyof Cost): number => Math.min(...works.map((work) => work[kind]));
  return {
    rows: least('rows'),
    commits: least('commits'),
    elements: least('elements'),
    blocks: least('blocks'),
  };
};

/** The cost of each action, the least of `samples` turns. */
export const measureCosts = async <K extends string>(
  page: Page,
  samples: number,
  actions: Readonly<Record<K, (turn: number) => Promise<unknown>>>,
): Promise<Readonly<Record<K, Cost>>> => {
  const names = Object.keys(actions) as K[];
  const works = Object.fromEntries(names.map((name) => [name, [] as Cost[]])) as Record<K, Cost[]>;
  for (let turn = 0; turn < samples; turn += 1) {
    for (const name of names) works[name].push(await measureWork(page, () => actions[name](turn)));
  }
  const costs = names.map((name) => [name, toLeast(works[name])] as const);
  return Object.fromEntries(costs) as Record<K, Cost>;
};
