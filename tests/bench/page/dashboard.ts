import type { Bench } from '../bench.ts';
import { waitUntilQuiet } from '../world/desk.ts';
import { type Awaited, readLongestTask, timeAction, watchTasks } from '../world/painted.ts';

/** The totals of the chosen period; figures of another period are never shown. */
const TOTALS: Awaited = {
  selector: 'dl[aria-label="Totals"]:not([aria-busy="true"])',
  texts: ['Received'],
  after: 'click',
};

/**
 * The dashboard of 30 days, opened by the link in the navigation; the tab counts for the first
 * time.
 */
export const dashboard: Bench = {
  name: 'dashboard',
  run: async (world) => {
    const desk = await world.desk();
    const address = `${desk.server.address()}/`;
    // The choice stays on the device.
    await desk.inTab(async (page) => {
      await page.goto(`${address}dashboard`);
      await page.getByText('30 days', { exact: true }).click();
      await page.getByRole('radio', { name: '30 days', checked: true }).waitFor();
      await waitUntilQuiet(page);
    });
    const [times, tasks]: [number[], number[]] = [[], []];
    for (let n = 0; n <= world.samples; n += 1) {
      await desk.inTab(async (page) => {
        await page.goto(address);
        await waitUntilQuiet(page);
        await watchTasks(page);
        const link = page.getByRole('link', { name: 'Dashboard', exact: true });
        const time = await timeAction(page, TOTALS, () => link.click());
        if (n === 0) return;
        times.push(time);
        await waitUntilQuiet(page);
        tasks.push(await readLongestTask(page));
      });
    }
    const what = `dashboard of 30 days, ${desk.messages.length.toLocaleString('en')} messages`;
    return [
      {
        id: 'F13',
        what: `${what}: click to figures painted`,
        unit: 'ms',
        measured: times,
        target: 1000,
      },
      { id: 'F13', what: `${what}: longest task`, unit: 'ms', measured: tasks, target: 50 },
    ];
  },
};
