import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import type { Page } from 'playwright-core';

import { getSession } from '#tests/support/page/session.ts';

import type { Bench } from '../bench.ts';
import type { Figure } from '../figure.ts';
import type { Desk } from '../world/desk.ts';
import { markOf } from '../world/messages.ts';
import { type Awaited, inThread, timeStart } from '../world/painted.ts';

const ROOM = 'c_007/general';
const SIGN_IN: Awaited = { selector: 'button', texts: ['Sign In'] };
/** Before, the form can be filled but not sent. */
const SIGN_IN_USABLE: Awaited = { ...SIGN_IN, selector: 'button:enabled' };
/** A slow connection: 9 Mbit/s, 60 ms. */
const LINE = {
  offline: false,
  latency: 60,
  downloadThroughput: 9_000_000 / 8,
  uploadThroughput: 9_000_000 / 8,
};
const KILOBYTE = 1000;

/** Paths of the files that a page requested before a moment, ms after the navigation. */
const listFiles = (page: Page, before: number): Promise<readonly string[]> =>
  page.evaluate((before) => {
    const entries = performance.getEntriesByType('resource');
    const early = entries.filter(({ startTime }) => startTime < before);
    return early.map(({ name }) => new URL(name).pathname);
  }, before);

const SCRIPT = /\.js$/;

/** Size of built files after gzip, kB. */
const weigh = (product: string, files: readonly string[], pattern: RegExp): number => {
  const chosen = new Set(files.filter((file) => pattern.test(file)));
  if (chosen.size === 0) throw new Error(`the page loaded no file like ${pattern.source}`);
  const sizes = [...chosen].map((file) => {
    const content = readFileSync(join(product, 'dist', file));
    return gzipSync(content, { level: 9 }).length;
  });
  return sizes.reduce((sum, size) => sum + size, 0) / KILOBYTE;
};

/** F1: the files that a page loads before it is painted, including lazy parts. */
const toWeights = (
  product: string,
  name: string,
  files: readonly string[],
  targets: { readonly target: number; readonly stretch: number },
): readonly Figure[] => [
  {
    id: 'F1',
    what: `JavaScript before the ${name}, gz; floor: React`,
    unit: 'kB',
    measured: [weigh(product, files, SCRIPT)],
    floor: [weigh(product, files, /\/react-[^/]+\.js$/)],
    limits: 'value',
    ...targets,
  },
  {
    id: 'F1',
    what: `CSS before the ${name}, gz`,
    unit: 'kB',
    measured: [weigh(product, files, /\.css$/)],
    target: 15,
  },
];

/** The weight of each script of the thread; the names without the build's hash. */
const toParts = (product: string, files: readonly string[]): readonly Figure[] =>
  [...new Set(files)]
    .filter((file) => SCRIPT.test(file))
    .map((file) => ({
      id: 'F1',
      what: `thread: ${basename(file).replace(/-[\w-]{8}\.js$/, '')}`,
      unit: 'kB',
      measured: [weigh(product, [file], SCRIPT)],
    }));

/** Opens an address as a first visitor on a slow connection. */
const startCold = (
  desk: Desk,
  address: string,
  awaited: Awaited,
): Promise<{ ms: number; files: readonly string[] }> =>
  desk.asStranger(async (page) => {
    const session = await getSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', LINE);
    const ms = await timeStart(page, address, awaited);
    return { ms, files: await listFiles(page, ms) };
  });

/** F1 and the cold start of the sign-in page. */
export const firstLoad: Bench = {
  name: 'first-load',
  run: async (world) => {
    const desk = await world.desk();
    const address = `${desk.server.address()}/`;
    const [painted, usable, floor]: [number[], number[], number[]] = [[], [], []];
    let files: readonly string[] = [];
    for (let n = 0; n < world.samples; n += 1) {
      floor.push((await startCold(desk, `${desk.floor.address}/form`, SIGN_IN)).ms);
      painted.push((await startCold(desk, address, SIGN_IN)).ms);
      const cold = await startCold(desk, address, SIGN_IN_USABLE);
      usable.push(cold.ms);
      files = cold.files;
    }
    const newest = desk.newest.get(ROOM);
    if (newest === undefined) throw new Error(`${ROOM} has no messages`);
    const threadFiles = await desk.inTab(async (page) => {
      const address = `${desk.server.address()}/chat/${ROOM}`;
      return listFiles(page, await timeStart(page, address, inThread(markOf(newest))));
    });
    return [
      ...toWeights(world.product, 'sign-in page responds', files, { target: 130, stretch: 120 }),
      ...toWeights(world.product, 'thread is painted', threadFiles, { target: 210, stretch: 190 }),
      ...toParts(world.product, threadFiles),
      {
        id: 'F1',
        what: 'sign-in page cold, 9 Mbit/s, 60 ms',
        unit: 'ms',
        measured: painted,
        floor,
        target: 3,
        stretch: 2.4,
      },
      {
        id: 'F1',
        what: 'sign-in page cold, 9 Mbit/s, 60 ms: it responds',
        unit: 'ms',
        measured: usable,
        floor,
      },
    ];
  },
};
