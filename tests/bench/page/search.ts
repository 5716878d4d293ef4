import type { Page } from 'playwright-core';

import type { Bench } from '../bench.ts';
import { type Desk, waitUntilQuiet } from '../world/desk.ts';
import { type Awaited, readLongestTask, timeAction, watchTasks } from '../world/painted.ts';

/** Words of many messages, two per sample, so that no sample sees the hits of the previous one. */
const WORDS = 'goal offside replay camera angle corner keeper cut clip delivery kick whistle half'
  .concat(' referee shoulder late early seen ready sent again before after slow wide close')
  .split(' ');

/** The page searches in a worker, the floor in its own memory. */
const FLOOR_MESSAGES = 100_000;

/** An entry with a marked word. */
const toHit = (entry: string, word: string): Awaited => ({
  selector: `${entry}:has(mark)`,
  texts: [word],
  after: 'input',
});

const toWord = (n: number): string => WORDS[n % WORDS.length] ?? '';

/**
 * One scan of the same number of texts in memory, newest first, until all are read, and one whole
 * frame, ms.
 */
const timeScans = (desk: Desk, samples: number): Promise<readonly number[]> =>
  desk.inTab(async (page) => {
    await page.goto(desk.floor.address);
    const texts = desk.messages.slice(-FLOOR_MESSAGES).map(({ text }) => text);
    await page.evaluate((all) => void Object.assign(globalThis, { benchTexts: all }), texts);
    const times: number[] = [];
    for (let n = 0; n <= samples; n += 1) {
      const time = await page.evaluate(async (word) => {
        const texts: unknown = Reflect.get(globalThis, 'benchTexts');
        if (!Array.isArray(texts)) throw new Error('the texts are missing');
        const from = performance.now();
        const found = texts.filter((text: string) => text.includes(word));
        const took = performance.now() - from;
        if (found.length === 0) throw new Error(`${word} is in no text`);
        return took + ((await globalThis.benchFloor?.frame()) ?? NaN);
      }, toWord(n));
      if (n > 0) times.push(time);
    }
    return times;
  });

/** The first search of a tab: its worker begins to read the messages with the text. */
const timeCold = async (page: Page, address: string, word: string) => {
  await page.goto(address);
  await waitUntilQuiet(page);
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('dialog', { name: 'Search' }).getByRole('combobox').waitFor();
  await watchTasks(page);
  const hit = toHit('dialog [role="option"]', word);
  const time = await timeAction(page, hit, () => page.keyboard.insertText(word));
  await waitUntilQuiet(page);
  return { time, task: await readLongestTask(page) };
};

/** Searches of a tab that has read all messages. */
const timeWarm = async (page: Page, address: string, samples: number) => {
  await page.goto(`${address}search`);
  const field = page.getByRole('searchbox', { name: 'Search messages' });
  const coverage = page.getByRole('status', { name: 'Coverage' });
  await coverage.getByText(/Searched [\d,]+ messages on this device/).waitFor();
  await waitUntilQuiet(page);
  await watchTasks(page);
  const times: number[] = [];
  for (let n = 0; n <= samples; n += 1) {
    await field.fill('');
    await page.locator('ul[aria-label="Results"]').waitFor({ state: 'detached' });
    const hit = toHit('ul[aria-label="Results"] a', toWord(n));
    const time = await timeAction(page, hit, () => page.keyboard.insertText(toWord(n)));
    if (n > 0) times.push(time);
  }
  return { times, task: await readLongestTask(page) };
};

/** F13: search in all messages of the device. */
export const search: Bench = {
  name: 'search',
  run: async (world) => {
    const desk = await world.desk();
    const floor = await timeScans(desk, world.samples);
    const address = `${desk.server.address()}/`;
    const [cold, tasks]: [number[], number[]] = [[], []];
    for (let n = 0; n <= world.samples; n += 1) {
      const { time, task } = await desk.inTab((page) => timeCold(page, address, toWord(n)));
      if (n === 0) continue;
      cold.push(time);
      tasks.push(task);
    }
    const warm = await desk.inTab((page) => timeWarm(page, address, world.samples));
    const what = `search of ${desk.messages.length.toLocaleString('en')}`;
    const common = { id: 'F13', unit: 'ms' };
    const value = { ...common, limits: 'value' as const, floor };
    return [
      { ...value, what: `${what}: text to first hits painted`, measured: warm.times, target: 50 },
      { ...value, what: `${what}: the same, first search of a tab`, measured: cold, target: 1000 },
      { ...common, what: `${what}: longest task, first search`, measured: tasks, target: 50 },
      { ...common, what: `${what}: longest task`, measured: [warm.task], target: 50 },
    ];
  },
};
