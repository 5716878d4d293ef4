import { setTimeout as pause } from 'node:timers/promises';

import type { Page } from 'playwright-core';

import { getSession } from '#tests/support/page/session.ts';

import type { Bench } from '../bench.ts';
import type { Figure } from '../figure.ts';
import type { Desk } from '../world/desk.ts';
import { markOf } from '../world/messages.ts';
import { inThread, timeStart } from '../world/painted.ts';

/** The room whose stored thread is to be painted. */
const ROOM = 'c_007/general';

interface Starts {
  readonly measured: number[];
  readonly floor: number[];
  /** The times at which each step was done, of our starts. */
  readonly steps: Readonly<Record<Step, number[]>>;
}

/** The steps of a start, in their order. */
const STEPS = [
  { name: 'document', what: 'document loaded' },
  { name: 'scripts', what: 'code of every page loaded' },
  { name: 'desk', what: 'signed-in code loaded' },
  { name: 'firstPaint', what: 'first content painted' },
] as const;
type Step = (typeof STEPS)[number]['name'];

/** The times at which the steps of a painted page were done, ms after the navigation. */
const readSteps = (page: Page): Promise<Readonly<Record<Step, number>>> =>
  page.evaluate(() => {
    const entries = performance.getEntries() as PerformanceResourceTiming[];
    const ofType = (type: string) => entries.filter(({ entryType }) => entryType === type);
    const resources = ofType('resource');
    const end = (entries: readonly PerformanceResourceTiming[]): number =>
      Math.max(...entries.map(({ responseEnd }) => responseEnd));
    const [firstPaint] = performance.getEntriesByName('first-contentful-paint');
    return {
      document: end(ofType('navigation')),
      scripts: end(resources.filter(({ name }) => /\/(?:core|react)[^/]*\.js$/.test(name))),
      desk: end(resources.filter(({ name }) => /\/desk[^/]*\.js$/.test(name))),
      firstPaint: firstPaint?.startTime ?? NaN,
    };
  });

interface Turn {
  /** Called before each start. */
  readonly before?: () => Promise<void>;
  /** Called in the new tab of each of our starts, before its navigation. */
  readonly prepare?: (page: Page) => Promise<void>;
}

/** Starts both sites in turn; the first pair only warms up. */
export const startBoth = async (
  desk: Desk,
  samples: number,
  { before, prepare }: Turn = {},
): Promise<Starts> => {
  const newest = desk.newest.get(ROOM);
  if (newest === undefined) throw new Error(`${ROOM} has no messages`);
  const thread = inThread(markOf(newest));
  const starts: Starts = {
    measured: [],
    floor: [],
    steps: { document: [], scripts: [], desk: [], firstPaint: [] },
  };
  for (let n = 0; n <= samples; n += 1) {
    await before?.();
    const bare = `${desk.floor.address}/#${ROOM}`;
    const floor = await desk.inTab((page) => timeStart(page, bare, thread));
    await before?.();
    const address = `${desk.server.address()}/chat/${ROOM}`;
    const { measured, steps } = await desk.inTab(async (page) => {
      await prepare?.(page);
      return { measured: await timeStart(page, address, thread), steps: await readSteps(page) };
    });
    if (n === 0) continue;
    starts.floor.push(floor);
    starts.measured.push(measured);
    for (const step of STEPS) starts.steps[step.name].push(steps[step.name]);
  }
  return starts;
};

/** The steps of a start as figures without targets. */
const toStepFigures = ({ steps }: Starts): readonly Figure[] =>
  STEPS.map(({ name, what }) => ({
    id: 'F2',
    what: `warm start offline, ${what}`,
    unit: 'ms',
    measured: steps[name],
  }));

/** Longer than any start. */
const HELD_MS = 4000;

/** Delays the server's answer about the session, and counts the requests. */
const createHold = () => {
  let held = 0;
  const hold = async (page: Page): Promise<void> => {
    const session = await getSession(page);
    session.on('Fetch.requestPaused', ({ requestId }) => {
      held += 1;
      const release = async (): Promise<void> => {
        await pause(HELD_MS);
        // The tab may have closed.
        await session.send('Fetch.continueRequest', { requestId }).catch(() => undefined);
      };
      void release();
    });
    await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/auth/session' }] });
  };
  return { hold, count: () => held };
};

const startHeld = async (desk: Desk, samples: number): Promise<Starts> => {
  const { hold, count } = createHold();
  const starts = await startBoth(desk, samples, { prepare: hold });
  if (count() <= samples) throw new Error(`${count()} requests of the session were held`);
  return starts;
};

const startOffline = async (desk: Desk, samples: number) => {
  await desk.setOffline(true);
  try {
    const offline = await startBoth(desk, samples);
    const before = async (): Promise<void> => {
      await desk.reopen();
      await desk.setOffline(true);
    };
    const inNewProcess = await startBoth(desk, samples, { before });
    return { offline, inNewProcess };
  } finally {
    await desk.setOffline(false);
  }
};

/** F2: from the navigation to the stored thread, painted. */
export const warmStart: Bench = {
  name: 'warm-start',
  run: async (world) => {
    const desk = await world.desk();
    const online = await startBoth(desk, world.samples);
    const held = await startHeld(desk, world.samples);
    const { offline, inNewProcess } = await startOffline(desk, world.samples);
    const toFigure = (
      what: string,
      { measured, floor }: Starts,
      target: number,
      stretch: number,
    ): Figure => ({
      id: 'F2',
      what,
      unit: 'ms',
      measured,
      floor,
      target,
      stretch,
    });
    return [
      toFigure('warm start offline', offline, 2.2, 1.6),
      ...toStepFigures(offline),
      toFigure('warm start offline, new process', inNewProcess, 1.8, 1.5),
      toFigure('warm start online', online, 2.2, 1.6),
      toFigure('warm start online, session answered after 4 s', held, 2.2, 1.6),
    ];
  },
};
