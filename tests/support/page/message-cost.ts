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

/** The work of a page. */
interface Work extends Counted {
  /** Processor time of the main thread, ms: other processes do not add to it. */
  readonly processorMs: number;
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

/** Processor time of the page's main thread since the first call, ms. */
const readProcessorMs = async (page: Page): Promise<number> => {
  const session = await getSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const { metrics } = await session.send('Performance.getMetrics');
  const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value;
  if (seconds === undefined) throw new Error('the browser does not measure its tasks');
  return seconds * 1000;
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

/** The page's work, once none is left. */
const readAtRest = async (page: Page): Promise<Work> => {
  let known = await readCounted(page);
  for (let quiet = 0; quiet < 5;) {
    await rest(page);
    const next = await readCounted(page);
    quiet = isSame(known, next) ? quiet + 1 : 0;
    known = next;
  }
  return { ...known, processorMs: await readProcessorMs(page) };
};

/** The work of a page for one action, until none is left. */
const measureWork = async (page: Page, act: () => Promise<unknown>): Promise<Work> => {
  const before = await readAtRest(page);
  await act();
  const after = await readAtRest(page);
  return {
    rows: after.rows - before.rows,
    commits: after.commits - before.commits,
    elements: after.elements - before.elements,
    processorMs: after.processorMs - before.processorMs,
  };
};

/**
 * The least work among several similar actions: occasional other work of a page, such as a
 * heartbeat, is not in all of them.
 */
const toLeast = (works: readonly Work[]): Work => {
  const least = (kind: keyof Work): number => Math.min(...works.map((work) => work[kind]));
  return {
    rows: least('rows'),
    commits: least('commits'),
    elements: least('elements'),
    processorMs: least('processorMs'),
  };
};

/** Runs in a page: the same work on every machine. */
const workOnce = (): number => {
  let sum = 0;
  for (let n = 0; n < 400; n += 1) {
    const rows = Array.from({ length: 200 }, (_, at) => ({ at, text: `Line ${at} of ${n}` }));
    const parsed = JSON.parse(JSON.stringify(rows)) as typeof rows;
    for (const { text } of parsed.toSorted((a, b) => (a.text < b.text ? -1 : 1))) {
      sum += text.length;
    }
  }
  return sum;
};

/** The cost of an action for a page. */
export interface Cost extends Counted {
  /** Processor time as a multiple of the time for a fixed amount of work, without the measurement. */
  readonly processor: number;
}

/**
 * The cost of each action, the least of `samples` turns. The fixed amount of work is done in every
 * turn, because the speed of a busy machine changes within seconds.
 */
export const measureCosts = async <K extends string>(
  page: Page,
  samples: number,
  actions: Readonly<Record<K, (turn: number) => Promise<unknown>>>,
): Promise<Readonly<Record<K, Cost>>> => {
  const works = new Map<string, Work[]>();
  const measure = async (name: string, act: () => Promise<unknown>): Promise<void> => {
    works.set(name, [...(works.get(name) ?? []), await measureWork(page, act)]);
  };
  const names = Object.keys(actions) as K[];
  for (let turn = 0; turn < samples; turn += 1) {
    for (const name of names) await measure(name, () => actions[name](turn));
    await measure('#idle', () => Promise.resolve());
    await measure('#fixed', () => page.evaluate(workOnce));
  }
  const findLeast = (name: string): Work => toLeast(works.get(name) ?? []);
  const idleMs = findLeast('#idle').processorMs;
  const fixedMs = findLeast('#fixed').processorMs - idleMs;
  const costs = names.map((name) => {
    const { processorMs, ...counted } = findLeast(name);
    return [name, { ...counted, processor: (processorMs - idleMs) / fixedMs }] as const;
  });
  return Object.fromEntries(costs) as Record<K, Cost>;
};

/** Time between two samples of the profiler, µs. */
const EVERY_US = 200;

/** The function of the page's own scripts that runs longest by itself. */
export interface HotFunction {
  readonly name: string;
  /** Its part of the samples in which the page's own scripts run, 0 to 1. */
  readonly share: number;
}

/**
 * Profiles the page during an action. A share does not depend on how fast or busy the machine is: a
 * loop of 30 ms is a large part of what a message costs anywhere. Samples count, not the time
 * between them: that contains the time in which other processes ran.
 */
export const findHotFunction = async (
  page: Page,
  act: () => Promise<unknown>,
): Promise<HotFunction> => {
  const session = await getSession(page);
  await session.send('Profiler.enable');
  await session.send('Profiler.setSamplingInterval', { interval: EVERY_US });
  await session.send('Profiler.start');
  await act();
  const { profile } = await session.send('Profiler.stop');
  await session.send('Profiler.disable');
  const names = new Map(
    profile.nodes.map(({ id, callFrame: { functionName, url, lineNumber, columnNumber } }) => {
      const file = /\/assets\/(?<file>\w+)/.exec(url)?.groups?.['file'];
      return [id, file && `${functionName} ${file}:${lineNumber}:${columnNumber}`];
    }),
  );
  const counts = new Map<string, number>();
  let all = 0;
  for (const id of profile.samples ?? []) {
    const name = names.get(id);
    if (name === undefined) continue;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    all += 1;
  }
  if (all === 0) throw new Error('no script of the page ran');
  const [name, count] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a));
  return { name, share: count / all };
};
