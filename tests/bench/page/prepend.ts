import type { Page } from 'playwright-core';

import type { Bench } from '../bench.ts';
import { waitUntilQuiet } from '../world/desk.ts';
import { toRoomPage } from '#tests/support/page/room.ts';

/** With a long history on the device. */
const ROOM = 'c_001/team';
const FRAMES = 60;

/**
 * Runs in a page: clicks the button and follows the first message for a while; returns its greatest
 * distance from its place, CSS pixels, and the time until another one is above it, ms.
 */
const followFirst = async (frames: number): Promise<{ jump: number; ms: number }> => {
  const button = [...document.querySelectorAll('button')].find((each) =>
    each.textContent.includes('Fetch more'),
  );
  const list = (): HTMLElement[] => [
    ...document.querySelectorAll<HTMLElement>('[data-message-id]'),
  ];
  const first = list().find((each) => each.getBoundingClientRect().top > 0);
  const id = first?.dataset['messageId'];
  if (button === undefined || first === undefined) throw new Error('there is nothing to fetch');
  const place = first.getBoundingClientRect().top;
  const from = performance.now();
  let ms: number | undefined;
  let jump = 0;
  button.click();
  for (let n = 0; n < frames; n += 1) {
    await new Promise((done) => requestAnimationFrame(done));
    const items = list();
    const at = items.findIndex((each) => each.dataset['messageId'] === id);
    const item = items[at];
    if (item === undefined) throw new Error('the message that was followed is gone');
    jump = Math.max(jump, Math.abs(item.getBoundingClientRect().top - place));
    if (at > 0) ms ??= performance.now() - from;
    else if (ms === undefined) n -= 1;
    if (performance.now() - from > 60_000) throw new Error('nothing was fetched');
  }
  return { jump, ms: ms ?? NaN };
};

const toTop = async (page: Page): Promise<void> => {
  const { region, fetchMore } = toRoomPage(page);
  await region.evaluate((root) => {
    const inside = [root, ...root.querySelectorAll('*')];
    const scroller = inside.find((each) => /auto|scroll/.test(getComputedStyle(each).overflowY));
    if (scroller) scroller.scrollTop = 0;
  });
  await fetchMore.waitFor();
  await waitUntilQuiet(page);
};

/** F6: 25 older messages from the device appear above the first. */
export const prepend: Bench = {
  name: 'prepend',
  run: async (world) => {
    const desk = await world.desk();
    const samples = await desk.inTab(async (page) => {
      await page.goto(`${desk.server.address()}/chat/${ROOM}`);
      await page.locator('[data-message-id]').first().waitFor();
      const samples: { readonly jump: number; readonly ms: number }[] = [];
      for (let n = 0; n < world.samples; n += 1) {
        await toTop(page);
        samples.push(await page.evaluate(followFirst, FRAMES));
      }
      return samples;
    });
    return [
      {
        id: 'F6',
        what: 'jump when 25 older messages appear',
        unit: 'px',
        measured: samples.map(({ jump }) => jump),
        share: 1,
        target: 1,
      },
      {
        id: 'F6',
        what: 'click to 25 older messages from the device',
        unit: 'ms',
        measured: samples.map(({ ms }) => ms),
      },
    ];
  },
};
