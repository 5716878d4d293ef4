import { setTimeout as pause } from 'node:timers/promises';

import { createBrowser } from '#tests/support/browser/process.ts';

import type { Bench } from '../bench.ts';
import { findBrowserProcesses } from '../world/browser-processes.ts';
import { readCpu } from '../world/product.ts';

const WINDOW_MS = 30_000;
/** A leading tab prunes two minutes after its start (`RETENTION_FIRST_MS`), and every six hours. */
const PRUNING_MS = 115_000;
/** All of a core, % */
const CORE = 100;

/** Processor time that all processes of each browser used in a while, % of a core. */
const measureUse = async (profiles: readonly string[], ms: number): Promise<readonly number[]> => {
  const read = (profile: string): number =>
    findBrowserProcesses(profile).reduce((sum, pid) => sum + readCpu(pid), 0);
  const [before, from] = [profiles.map(read), performance.now()];
  await pause(ms);
  const took = performance.now() - from;
  return profiles.map((profile, n) => (100 * (read(profile) - (before[n] ?? 0))) / took);
};

/** F16: an open page in which nothing happens, and an empty page in a separate browser. */
export const idle: Bench = {
  name: 'idle',
  run: async (world) => {
    const desk = await world.desk();
    const empty = await createBrowser('whole');
    try {
      await empty.open();
      return await desk.inTab(async (page) => {
        await page.goto(`${desk.server.address()}/chat/c_001/team`);
        await page.locator('[data-message-id]').first().waitFor();
        const profiles = [desk.profile, empty.profile];
        const measure = async (): Promise<number> => {
          const [busy = NaN, base = NaN] = await measureUse(profiles, WINDOW_MS);
          return busy - base;
        };
        const first = await measure();
        await pause(PRUNING_MS - WINDOW_MS);
        const pruning = await measure();
        const later = await measure();
        const common = { id: 'F16', unit: '%' };
        return [
          {
            ...common,
            what: 'CPU use above an empty page, first half minute',
            measured: [first],
            target: 3,
          },
          {
            ...common,
            what: 'CPU use above an empty page, after two minutes',
            measured: [later],
            target: 1,
            stretch: 0.4,
          },
          {
            id: 'F16',
            what: 'pruning, after two minutes and every six hours',
            unit: 'ms',
            measured: [((pruning - later) / CORE) * WINDOW_MS],
          },
        ];
      });
    } finally {
      await empty.dispose();
    }
  },
};
