// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';

import { createPageUpdates } from '#src/adapters/browser/page-updates.ts';
import { untilPasses } from '#tests/support/wait-for.ts';

afterEach(() => void Reflect.deleteProperty(navigator, 'serviceWorker'));

const logged: string[] = [];
const ports = {
  clientLog: { write: (_level: string, code: string) => void logged.push(code) },
  random: { next: () => 0 },
};

const SCRIPT_URL = new URL('/sw.js', location.href).href;

const toWorker = (state: string, onMessage: () => void = () => undefined) =>
  Object.assign(new EventTarget(), { state, scriptURL: SCRIPT_URL, postMessage: onMessage });

type Worker = ReturnType<typeof toWorker>;

/**
 * A page before it registers, its workers, and the behaviour of a browser (Service Workers,
 * "Install" and "Activate"): `install` installs the next version, which then waits; `takeOver`
 * gives it control, as `skipWaiting` and `claim` do.
 */
const openPage = async ({ active, controller }: Record<'active' | 'controller', Worker | null>) => {
  const registration = Object.assign(new EventTarget(), {
    active,
    waiting: null as Worker | null,
    installing: null as Worker | null,
    update: () => {
      checks += 1;
      return Promise.resolve();
    },
  });
  let checks = 0;
  let registrations = 0;
  /** The worker that takes over while the page registers; its event follows later. */
  let claiming: Worker | undefined;
  const claimMeanwhile = (worker: Worker): void => {
    claiming = worker;
  };
  const container = Object.assign(new EventTarget(), {
    controller,
    register: () => {
      // The first registration only installs.
      if (registrations > 0) container.controller = claiming ?? container.controller;
      registrations += 1;
      return Promise.resolve(registration);
    },
  });
  Object.defineProperty(navigator, 'serviceWorker', { value: container, configurable: true });
  const next = toWorker('installing', () => takeOver());
  const takeOver = (): void => {
    registration.waiting = null;
    registration.active = next;
    container.controller = next;
    container.dispatchEvent(new Event('controllerchange'));
  };
  const install = (): void => {
    registration.installing = next;
    registration.dispatchEvent(new Event('updatefound'));
    registration.installing = null;
    registration.waiting = next;
    next.state = 'installed';
    next.dispatchEvent(new Event('statechange'));
  };
  const reported: string[] = [];
  const updates = createPageUpdates(ports, () => Promise.resolve());
  updates.watch((change) => reported.push(change));
  /** The page loads, and registers at least `times` times. */
  const register = async (times = 1): Promise<void> => {
    window.dispatchEvent(new Event('load'));
    await untilPasses(() => expect(registrations).toBeGreaterThanOrEqual(times));
    // The library listens once the registration exists.
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  return {
    updates,
    reported,
    countChecks: () => checks,
    register,
    install,
    takeOver,
    next,
    registration,
    claimMeanwhile,
  };
};

const ACTIVE = () => toWorker('activated');

test('a page without a worker detects that the next version took over', async () => {
  const page = await openPage({ active: ACTIVE(), controller: null });
  await page.register();
  page.install();
  await untilPasses(() => expect(page.reported).toEqual(['found']));
  page.updates.activate();
  expect(page.reported).toEqual(['found', 'replaced']);
});

test('a version that waited before the page was opened is offered', async () => {
  const active = ACTIVE();
  const page = await openPage({ active, controller: active });
  page.registration.waiting = page.next;
  await page.register();
  expect(page.reported).toEqual(['found']);
});

test('the very first worker is not a new version', async () => {
  const page = await openPage({ active: null, controller: null });
  await page.register();
  page.install();
  page.takeOver();
  expect(page.reported).toEqual([]);
});

test('a version that took over before it was accepted is loaded', async () => {
  const page = await openPage({ active: ACTIVE(), controller: null });
  await page.register();
  page.updates.activate();
  expect(page.reported).toEqual(['replaced']);
});

test('a version that took over before the page registered is detected', async () => {
  const active = ACTIVE();
  const page = await openPage({ active, controller: active });
  page.takeOver();
  await page.register();
  expect(page.reported).toEqual(['replaced']);
});

test('a version accepted elsewhere is also detected by the page of the first worker', async () => {
  const page = await openPage({ active: null, controller: null });
  page.claimMeanwhile(ACTIVE());
  await page.register();
  page.takeOver();
  expect(page.reported).toEqual(['replaced']);
});

test('the very first worker is not a new version if its event arrives late', async () => {
  const page = await openPage({ active: null, controller: null });
  page.claimMeanwhile(ACTIVE());
  await page.register();
  navigator.serviceWorker.dispatchEvent(new Event('controllerchange'));
  expect(page.reported).toEqual([]);
});

test('the very first worker is not offered while it waits to become active', async () => {
  const page = await openPage({ active: null, controller: null });
  page.registration.waiting = page.next;
  page.next.state = 'installed';
  await page.register();
  // A busy browser activates it later (Service Workers, "Install" and "Activate").
  page.next.state = 'activating';
  page.takeOver();
  page.next.dispatchEvent(new Event('statechange'));
  await page.register(2);
  expect(page.reported).toEqual([]);
});

test('a version found while the very first worker waits is offered', async () => {
  const page = await openPage({ active: null, controller: null });
  const first = toWorker('installed');
  page.registration.waiting = first;
  page.registration.installing = page.next;
  await page.register();
  first.state = 'activating';
  page.registration.active = first;
  page.registration.waiting = null;
  first.dispatchEvent(new Event('statechange'));
  await page.register(2);
  page.install();
  await untilPasses(() => expect(page.reported).toEqual(['found']));
});

test('a version that another tab accepted is detected', async () => {
  const active = ACTIVE();
  const page = await openPage({ active, controller: active });
  await page.register();
  page.takeOver();
  expect(page.reported).toEqual(['replaced']);
});

test('a version is offered even if the installation of an earlier one failed', async () => {
  const active = ACTIVE();
  const page = await openPage({ active, controller: active });
  await page.register();
  // An update found more than a minute after registering counts as external in the library.
  const later = performance.now() + 3_600_000;
  vi.spyOn(performance, 'now').mockImplementation(() => later);
  const failing = toWorker('installing');
  page.registration.installing = failing;
  page.registration.dispatchEvent(new Event('updatefound'));
  page.registration.installing = null;
  failing.state = 'redundant';
  failing.dispatchEvent(new Event('statechange'));
  vi.restoreAllMocks();
  page.install();
  await untilPasses(() => expect(page.reported).toEqual(['found']));
});

test('a browser that refuses workers is logged, and the page continues to work', async () => {
  const container = Object.assign(new EventTarget(), {
    controller: null,
    register: () => Promise.reject(new DOMException('The operation is insecure.', 'SecurityError')),
  });
  Object.defineProperty(navigator, 'serviceWorker', { value: container, configurable: true });
  logged.length = 0;
  createPageUpdates(ports, () => Promise.resolve());
  window.dispatchEvent(new Event('load'));
  await untilPasses(() => expect(logged).toEqual(['WORKER_NOT_REGISTERED']));
});

test('a page shown again checks for a new version, but not every time', async () => {
  const active = ACTIVE();
  const page = await openPage({ active, controller: active });
  await page.register();
  const show = (): void => void document.dispatchEvent(new Event('visibilitychange'));
  const start = Date.now();
  const pass = (minutes: number) => vi.spyOn(Date, 'now').mockReturnValue(start + minutes * 60_000);
  show();
  page.updates.check();
  expect(page.countChecks()).toBe(0);
  pass(11);
  show();
  show();
  expect(page.countChecks()).toBe(1);
  pass(13);
  page.updates.check();
  page.updates.check();
  show();
  expect(page.countChecks()).toBe(2);
  // The clock is set back.
  pass(-1000);
  show();
  expect(page.countChecks()).toBe(3);
  vi.restoreAllMocks();
});
