import type { Page } from 'playwright-core';

import type { Fact } from '#domain/events.ts';
import { createBrowser } from '#tests/support/browser/process.ts';
import { PRODUCER } from '#tests/support/browser/user.ts';

import type { Bench } from '../bench.ts';
import { openAppendPage } from '../world/append-page.ts';
import { startFloorSite } from '../world/floor-site.ts';
import { type BenchMessage, createConversations } from '../world/messages.ts';
import { measureStore, sumBytes } from '../world/store-bytes.ts';

const COUNT = 20_000;
const CHUNK = 250;
/** Messages between two prunings. */
const PRUNED_EVERY = 2500;

/** The facts that a device stores about messages of its user: accepted, acknowledged, returned. */
const toFacts = (messages: readonly BenchMessage[]): readonly (readonly Fact[])[] => [
  messages.map(({ id, room, text }) => ({
    type: 'v1.MessageQueued',
    id,
    room,
    text,
    uid: PRODUCER.uid,
    at: 0,
  })),
  messages.map(({ id, room, timetoken }) => ({
    type: 'v1.MessagePublished',
    id,
    room,
    uid: PRODUCER.uid,
    timetoken,
  })),
  messages.map(({ ordinal: _ordinal, ...message }) => ({
    type: 'v1.MessageReceived',
    ...message,
    publisher: PRODUCER.uid,
    clientName: 'Bench',
    clientAvatar: '',
    via: 'live',
  })),
];

const append = (page: Page, facts: readonly Fact[]): Promise<void> =>
  page.evaluate(
    async (all) => {
      const stored = await globalThis.benchStore?.append(all);
      if (stored?.ok !== true) throw new Error(JSON.stringify(stored));
    },
    [...facts],
  );

/** The periodic work of the leading tab, ms. */
const prune = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const from = performance.now();
    const fence = await globalThis.benchStore?.takeFence('bench', 0);
    const pruned = fence?.ok === true && (await globalThis.benchStore?.prune(fence.value, 0));
    if (!pruned || !pruned.ok) throw new Error(JSON.stringify(pruned));
    return performance.now() - from;
  });

/** F10: the space that messages take that were written on this device. */
export const own: Bench = {
  name: 'own',
  run: async ({ product }) => {
    const site = await startFloorSite();
    const browser = await createBrowser('whole');
    try {
      const open = async (): Promise<Page> => {
        const page = await (await browser.open()).newPage();
        await openAppendPage(page, product, `${site.address}/form`);
        return page;
      };
      const page = await open();
      const prunings: number[] = [];
      const { messages } = createConversations(COUNT);
      for (let at = 0; at < COUNT; at += CHUNK) {
        for (const facts of toFacts(messages.slice(at, at + CHUNK))) await append(page, facts);
        if ((at + CHUNK) % PRUNED_EVERY === 0) prunings.push(await prune(page));
      }
      // Opening a store deletes the tables that others replaced.
      await browser.close();
      await open();
      const bytes = measureStore(browser.profile, site.address);
      const what = 'bytes of an outgoing message on disk';
      return [
        { id: 'F10', what, unit: 'B', measured: [sumBytes(bytes) / COUNT] },
        {
          id: 'F10',
          what: `${what}: in the journal`,
          unit: 'B',
          measured: [bytes.journal / COUNT],
        },
        {
          id: 'F10',
          what: `pruning ${PRUNED_EVERY} outgoing messages`,
          unit: 'ms',
          measured: prunings,
        },
      ];
    } finally {
      await browser.dispose();
      site.close();
    }
  },
};
