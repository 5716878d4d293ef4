import type { Page } from 'playwright-core';

import { type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { DESKTOP, PRODUCER, submitSignIn, waitForWorker } from '#tests/support/browser/user.ts';
import { toShellPage } from '#tests/support/page/shell.ts';

import type { Bench } from '../bench.ts';
import { type Desk, waitUntilQuiet } from '../world/desk.ts';
import { toWrittenIds } from '../world/messages.ts';
import { inThread, timeAfter } from '../world/painted.ts';
import { openSenders, publishAll, toTexts } from '../page/burst.ts';
import { measureHeap } from './heap.ts';

const BURSTS = 10;
const SENDERS = 50;
const SIGN_INS = 20;

const waitForThread = (page: Page): Promise<void> =>
  page.locator('[data-message-id]').first().waitFor();

/** The heap with a small room open, before and after a burst into another open room, MB. */
const receiveMany = async (desk: Desk, page: Page) => {
  const [id = ''] = toWrittenIds(1);
  const [busy, calm] = [toRoomKey(id, 'team'), toRoomKey(id, 'general')];
  const open = async (room: RoomKey): Promise<void> => {
    await page.locator(`nav[aria-label="Rooms"] a[href$="/chat/${room}"]`).click();
    await waitForThread(page);
    await waitUntilQuiet(page);
  };
  await page.goto(`${desk.server.address()}/chat/${busy}`);
  await waitForThread(page);
  await open(calm);
  const before = await measureHeap(page);
  await open(busy);
  let count = 0;
  for (let n = 0; n < BURSTS; n += 1) {
    const texts = toTexts(`Live ${n}`);
    const senders = await openSenders(desk, SENDERS);
    const newest = inThread(texts.at(-1) ?? '');
    await timeAfter(page, newest, () => publishAll(senders, busy, texts), 'start');
    for (const sender of senders) sender.close();
    count += texts.length;
  }
  await open(calm);
  return { count, before, after: await measureHeap(page) };
};

/** The heap after the second sign-in of a visitor and after many more, in one page, MB. */
const signInOften = async (desk: Desk, page: Page) => {
  const shell = toShellPage(page);
  const signInAgain = async (): Promise<void> => {
    await shell.chooseFromUserMenu('Logout');
    await page.waitForURL(({ pathname }) => pathname === '/login');
    await submitSignIn(page, PRODUCER);
    await shell.link('Chat').click();
    // The rail covers the clients while the pointer is over it.
    await page.mouse.move(DESKTOP.width / 2, DESKTOP.height / 2);
    await shell.clients.getByRole('link').first().click();
    await shell.rooms.getByRole('link', { name: 'Team', exact: true }).click();
    await waitForThread(page);
  };
  await page.goto(`${desk.server.address()}/chat/c_001/team`);
  await waitForWorker(page);
  await submitSignIn(page, PRODUCER);
  await waitForThread(page);
  await waitUntilQuiet(page);
  // Loads the code of all pages on the way.
  await signInAgain();
  await waitUntilQuiet(page);
  const before = await measureHeap(page);
  for (let n = 0; n < SIGN_INS; n += 1) await signInAgain();
  await waitUntilQuiet(page);
  return { before, after: await measureHeap(page) };
};

/** F9: the heap of a page that has been in use for long. */
export const longUse: Bench = {
  name: 'long-use',
  run: async (world) => {
    const desk = await world.desk();
    const live = await desk.inTab((page) => receiveMany(desk, page));
    const signed = await desk.asStranger((page) => signInOften(desk, page));
    const common = { id: 'F9', unit: 'MB', target: 1.1 };
    return [
      {
        ...common,
        what: `heap after ${live.count.toLocaleString('en')} live messages; floor: before them`,
        measured: [live.after],
        floor: [live.before],
      },
      {
        ...common,
        what: `heap after ${SIGN_INS} more sign-ins; floor: before them`,
        measured: [signed.after],
        floor: [signed.before],
      },
    ];
  },
};
