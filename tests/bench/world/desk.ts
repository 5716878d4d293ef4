import { setTimeout as pause } from 'node:timers/promises';

import type { BrowserContext, Page } from 'playwright-core';

import { type BrowserProcess, createBrowser } from '#tests/support/browser/process.ts';
import { DESKTOP, PRODUCER, submitSignIn } from '#tests/support/browser/user.ts';
import { getSession } from '#tests/support/page/session.ts';

import type { Settings } from '../bench.ts';
import { appendCoverage, appendMessages, CHUNK, openAppendPage } from './append-page.ts';
import { type FloorSite, startFloorSite } from './floor-site.ts';
import { type Conversations, createConversations, fillServer, toClientIds } from './messages.ts';
import { type Product, startProduct } from './product.ts';
import { measureStore, type StoreBytes } from './store-bytes.ts';

/** The content of an installation: messages in the browser's store, and clients. */
export interface DeskSize {
  readonly messages: number;
  readonly clients: number;
}

/** ms per chunk of messages. */
export interface FillTimes {
  readonly product: readonly number[];
  readonly floor: readonly number[];
}

/**
 * The real server and a browser of the signed-in producer. The browser has all conversations in its
 * store and, as bare rows, in the store of the floor's site.
 */
export interface Desk extends Conversations {
  readonly server: Product;
  readonly floor: FloorSite;
  readonly filled: FillTimes;
  /** The two stores on disk after the fill. */
  readonly bytes: { readonly product: StoreBytes; readonly floor: StoreBytes };
  /** The folder of the browser's profile. */
  readonly profile: string;
  /** Runs `work` with a new tab, the only one besides a blank one. */
  inTab<T>(work: (page: Page) => Promise<T>): Promise<T>;
  /** Runs `work` with a tab of a new visitor without any data. */
  asStranger<T>(work: (page: Page) => Promise<T>): Promise<T>;
  setOffline(offline: boolean): Promise<void>;
  /** Closes the browser and opens it on the same profile. */
  reopen(): Promise<void>;
  dispose(): Promise<void>;
}

/** Messages handed to the page at once. */
const BATCH = 10 * CHUNK;
const QUIET_MS = 3000;

/** A file of the product's origin that opens as a page without scripts. */
export const toPlainPage = (server: Product): string => `${server.address()}/icon.svg`;

/** Waits until a page has made no request for a while. */
export const waitUntilQuiet = async (page: Page): Promise<void> => {
  let last = performance.now();
  const note = (): void => void (last = performance.now());
  page.on('request', note);
  while (performance.now() - last < QUIET_MS) await pause(100);
  page.off('request', note);
};

/** Writes the conversations to both stores in turn, so that both run under the same load. */
const fill = async (
  context: BrowserContext,
  { product }: Settings,
  desk: Conversations & { readonly server: Product; readonly floor: FloorSite },
): Promise<FillTimes> => {
  const [page, bare] = [await context.newPage(), await context.newPage()];
  await openAppendPage(page, product, toPlainPage(desk.server));
  await bare.goto(desk.floor.address);
  await bare.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const [times, floor]: [number[], number[]] = [[], []];
  for (let at = 0; at < desk.messages.length; at += BATCH) {
    const batch = desk.messages.slice(at, at + BATCH);
    times.push(...(await appendMessages(page, batch)));
    for (let n = 0; n < batch.length; n += CHUNK) {
      const rows = batch.slice(n, n + CHUNK);
      floor.push((await bare.evaluate((each) => globalThis.benchFloor?.write(each), rows)) ?? NaN);
    }
  }
  await appendCoverage(page, desk.oldest, desk.newest);
  await Promise.all([page.close(), bare.close()]);
  return { product: times, floor };
};

const signIn = async (page: Page, address: string): Promise<void> => {
  await page.goto(`${address}/chat/c_001/team`);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await submitSignIn(page, PRODUCER);
  await page.locator('[data-message-id]').first().waitFor();
  await waitUntilQuiet(page);
};

/** Creates and fills an installation. */
export const createDesk = async (settings: Settings, size: DeskSize): Promise<Desk> => {
  const conversations = createConversations(size.messages);
  const server = await startProduct(settings.product, (data) =>
    fillServer(data, toClientIds(size.clients), conversations.messages),
  );
  const floor = await startFloorSite();
  const browser: BrowserProcess = await createBrowser('whole');
  let context = await browser.open();
  const filled = await fill(context, settings, { ...conversations, server, floor });
  const inTab: Desk['inTab'] = async (work) => {
    const page = await context.newPage();
    await page.setViewportSize(DESKTOP);
    if (settings.throttle !== 1) {
      const session = await getSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: settings.throttle });
    }
    try {
      return await work(page);
    } finally {
      await page.close();
    }
  };
  const asStranger: Desk['asStranger'] = async (work) => {
    const stranger = await context.browser()?.newContext({ viewport: DESKTOP });
    if (stranger === undefined) throw new Error('the browser is gone');
    try {
      return await work(await stranger.newPage());
    } finally {
      await stranger.close();
    }
  };
  const reopen = async (): Promise<void> => {
    await browser.close();
    context = await browser.open();
  };
  await inTab((page) => signIn(page, server.address()));
  await reopen();
  // A store deletes the tables that others replaced when it is opened, here from a plain file.
  await inTab(async (page) => {
    await page.goto(toPlainPage(server));
    await page.evaluate(() => indexedDB.databases());
  });
  return {
    ...conversations,
    server,
    floor,
    filled,
    bytes: {
      product: measureStore(browser.profile, server.address()),
      floor: measureStore(browser.profile, floor.address),
    },
    profile: browser.profile,
    inTab,
    asStranger,
    setOffline: (offline) => context.setOffline(offline),
    reopen,
    dispose: async () => {
      await browser.dispose();
      floor.close();
      await server.dispose();
    },
  };
};
