import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { build } from 'vite';

import type { Fact } from '#domain/events.ts';
import type { Store } from '#domain/ports/storage.ts';
import type { Result } from '#domain/result.ts';
import { PRODUCER } from '#tests/support/browser/user.ts';

import type { BenchMessage } from './messages.ts';

/** Facts in one append. */
export const CHUNK = 500;

declare global {
  // The bundle's name for the module.
  var benchStoreModule: { openUserStore(uid: string): Promise<Result<Store, unknown>> } | undefined;
  var benchStore: Store | undefined;
}

/** The module of a checkout that opens a user's store. */
const findStoreModule = (product: string): string => {
  const names = readdirSync(join(product, 'db'), { recursive: true, encoding: 'utf8' });
  const name = names.find((each) => each.endsWith('user-store.ts'));
  if (name === undefined) throw new Error(`${product} has no db/**/user-store.ts`);
  return join(product, 'db', name);
};

/** The store's module as a script that sets `benchStoreModule`. */
const bundleStore = async (product: string): Promise<string> => {
  const built = await build({
    configFile: false,
    root: product,
    logLevel: 'error',
    build: {
      write: false,
      lib: { entry: findStoreModule(product), formats: ['iife'], name: 'benchStoreModule' },
    },
  });
  const [result] = Array.isArray(built) ? built : [built];
  if (result === undefined || !('output' in result)) throw new Error('the store was not bundled');
  const [script] = result.output;
  return script.code;
};

/**
 * Opens the product's own store for the producer as `benchStore`, in a page without scripts at the
 * given address: the page of the product would open it, too.
 */
export const openAppendPage = async (
  page: Page,
  product: string,
  address: string,
): Promise<void> => {
  await page.goto(address);
  await page.evaluate(await bundleStore(product));
  await page.evaluate(async (uid) => {
    const opened = await globalThis.benchStoreModule?.openUserStore(uid);
    if (opened?.ok !== true) throw new Error(`the store did not open: ${JSON.stringify(opened)}`);
    globalThis.benchStore = opened.value;
  }, PRODUCER.uid);
};

/** The fact of a received message. */
const toFact = ({ ordinal: _ordinal, ...message }: BenchMessage): Fact => ({
  type: 'v1.MessageReceived',
  ...message,
  clientName: 'Bench',
  clientAvatar: '',
  via: 'history',
});

/** Appends facts in chunks through the open store; the time of each chunk, ms. */
export const appendFacts = (page: Page, facts: readonly Fact[]): Promise<number[]> =>
  page.evaluate(
    async ({ facts, size }) => {
      const times: number[] = [];
      for (let at = 0; at < facts.length; at += size) {
        const chunk = facts.slice(at, at + size);
        const from = performance.now();
        const stored = await globalThis.benchStore?.append(chunk);
        times.push(performance.now() - from);
        if (stored?.ok !== true || stored.value !== chunk.length) {
          throw new Error(`${chunk.length} facts were not appended: ${JSON.stringify(stored)}`);
        }
      }
      return times;
    },
    { facts: [...facts], size: CHUNK },
  );

export const appendMessages = (
  page: Page,
  messages: readonly BenchMessage[],
): Promise<readonly number[]> => appendFacts(page, messages.map(toFact));

/** Records that the store has the whole history of each room. */
export const appendCoverage = async (
  page: Page,
  oldest: ReadonlyMap<string, BenchMessage>,
  newest: ReadonlyMap<string, BenchMessage>,
): Promise<void> => {
  const facts = [...newest.values()].map(({ room, timetoken }): Fact => ({
    type: 'v1.HistoryPageLoaded',
    room,
    from: oldest.get(room)?.timetoken ?? timetoken,
    to: timetoken,
    reachedStart: true,
  }));
  await appendFacts(page, facts);
};
