import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { waitUntilCurrent } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { PHONE_DEVICE, setDevice } from '#tests/support/screens/device.ts';
import { tap } from '#tests/support/page/touch.ts';

declare global {
  var firstEntryTops: number[] | undefined;
  var statusTexts: string[] | undefined;
}

let server: ServerProcess;
let user: User;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
  await user.signIn(PRODUCER);
  await waitUntilCurrent(user.page());
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
beforeEach(() => setDevice(user.page(), PHONE_DEVICE));
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

const entries = () =>
  user.page().getByRole('region', { name: 'Needs reply' }).getByRole('listitem');

/** Runs in the page: notes where the first entry is, and what the status line says. */
const watchFirstEntry = (): void => {
  const [tops, texts]: [number[], string[]] = [[], []];
  Object.assign(globalThis, { firstEntryTops: tops, statusTexts: texts });
  new MutationObserver(() => {
    const entry = document.querySelector('[data-entry]');
    const status = document.querySelector('[role="status"][aria-label="Coverage"]');
    if (entry === null || status === null) return;
    // A line about the connection may move the whole page.
    const page = document.querySelector('main')?.getBoundingClientRect().top ?? 0;
    const top = Math.round((entry.getBoundingClientRect().top - page) * 100);
    if (tops.at(-1) !== top) tops.push(top);
    if (texts.at(-1) !== status.textContent) texts.push(status.textContent);
  }).observe(document, { subtree: true, childList: true, characterData: true });
};

test('the list stays where it is while missed messages load', async () => {
  await user.page().addInitScript(watchFirstEntry);
  await user.page().reload();
  await waitUntilCurrent(user.page());
  const { tops, texts } = await user.page().evaluate(() => ({
    tops: globalThis.firstEntryTops,
    texts: globalThis.statusTexts ?? [],
  }));
  // Several texts were shown, of different lengths.
  expect(texts.length).toBeGreaterThan(1);
  expect(tops).toHaveLength(1);
});

test('a row has space for the name, the text and all of its buttons', async () => {
  await expect.poll(() => entries().count()).toBe(8);
  const rows = await entries().evaluateAll((items) =>
    items.map((item) => {
      const toBox = (element: Element | null | undefined) => element?.getBoundingClientRect();
      const texts = [...item.querySelectorAll('[dir="auto"]')];
      const [name] = texts;
      const buttons = [...item.querySelectorAll('button')];
      const isCovered = buttons.some((button) => {
        const { left = 0, top = 0 } = toBox(button) ?? {};
        return texts.some((text) => {
          const { right = 0, bottom = 0 } = toBox(text) ?? {};
          return right > left && bottom > top;
        });
      });
      return {
        name: toBox(name)?.width ?? 0,
        left: toBox(name)?.left,
        isNameCut: (name?.scrollWidth ?? 0) > (name?.clientWidth ?? 0),
        text: toBox(texts[1])?.width ?? 0,
        buttons: buttons.map((button) => `${toBox(button)?.width} x ${toBox(button)?.height}`),
        isCovered,
      };
    }),
  );
  // Also names that are written from right to left.
  expect(new Set(rows.map(({ left }) => left)).size).toBe(1);
  for (const row of rows) {
    expect(row.buttons).toEqual(['44 x 44', '44 x 44', '44 x 44']);
    expect(row.text).toBeGreaterThan(190);
    // A very long name is cut, but only there.
    expect(row.isNameCut && row.name < 200).toBe(false);
    expect(row.isCovered).toBe(false);
  }
});

test('a reply opens with its field on the screen, and only its button is highlighted', async () => {
  const entry = entries().nth(4);
  await tap(entry.getByRole('button', { name: /^Reply to/ }));
  const field = entry.getByRole('textbox', { name: 'Message' });
  await entry.getByRole('list', { name: 'Last messages' }).getByRole('listitem').first().waitFor();
  const isVisible = () =>
    field.evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const shown = (y: number) => document.elementFromPoint((left + right) / 2, y) === element;
      return element === document.activeElement && shown(top + 2) && shown(bottom - 2);
    });
  await expect.poll(isVisible).toBe(true);
  const marked = await entry.getByRole('button').evaluateAll((buttons) => {
    const plain = 'rgba(0, 0, 0, 0)';
    const isMarked = (button: Element) => getComputedStyle(button).backgroundColor !== plain;
    return buttons.filter(isMarked).map((button) => button.getAttribute('aria-label'));
  });
  expect(marked).toEqual([expect.stringMatching(/^Reply to/)]);
});
