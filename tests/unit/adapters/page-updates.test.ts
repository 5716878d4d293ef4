// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest';

import { createPageUpdates } from '#src/adapters/browser/page-updates.ts';
import { untilPasses } from '#tests/support/wait-for.ts';

afterEach(() => void Reflect.deleteProperty(navigator, 'serviceWorker'));

/**
 * A page without a controlling worker, as after a reload with Shift, and a worker of the next
 * version.
 */
const openUncontrolled = async (active: object | null) => {
  const registration = Object.assign(new EventTarget(), {
    active,
    waiting: undefined as object | undefined,
    installing: undefined as object | undefined,
    update: () => Promise.resolve(),
  });
  let isRegistered = false;
  const container = Object.assign(new EventTarget(), {
    controller: null as object | null,
    register: () => {
      isRegistered = true;
      return Promise.resolve(registration);
    },
  });
  Object.defineProperty(navigator, 'serviceWorker', { value: container, configurable: true });
  const told: string[] = [];
  const updates = createPageUpdates();
  updates.watch((change) => told.push(change));
  const next = Object.assign(new EventTarget(), {
    state: 'installed',
    postMessage: () => takeOver(),
  });
  const takeOver = (): void => {
    registration.waiting = undefined;
    container.controller = next;
    container.dispatchEvent(new Event('controllerchange'));
  };
  window.dispatchEvent(new Event('load'));
  await untilPasses(() => expect(isRegistered).toBe(true));
  await Promise.resolve();
  const install = (): void => {
    registration.installing = next;
    registration.dispatchEvent(new Event('updatefound'));
    registration.waiting = next;
    next.dispatchEvent(new Event('statechange'));
  };
  return { updates, told, install, takeOver };
};

test('a page without a worker is notified that the next version took control', async () => {
  const page = await openUncontrolled({});
  page.install();
  expect(page.told).toEqual(['found']);
  page.updates.activate();
  expect(page.told).toEqual(['found', 'replaced']);
});

test('the very first worker does not count as a new version', async () => {
  const page = await openUncontrolled(null);
  page.install();
  page.takeOver();
  expect(page.told).toEqual([]);
});

test('a version that took control before it was accepted is loaded', async () => {
  const page = await openUncontrolled({});
  page.updates.activate();
  expect(page.told).toEqual(['replaced']);
});
