// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { registerWorker } from '#src/adapters/browser/worker-registration.ts';

const SHORTEST_PAUSE_MS = 2000;
/** With these random numbers; later ones take up to 5 min. */
const FIRST_PAUSE_MS = 4000;

const ports = {
  clientLog: { write: () => undefined },
  random: { next: () => 1 },
};

let attempts: number;
/** Answers of the browser that were not given yet. */
let held: PromiseWithResolvers<unknown>[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval'] });
  attempts = 0;
  held = [];
  const container = Object.assign(new EventTarget(), {
    controller: null,
    register: () => {
      attempts += 1;
      const answer = Promise.withResolvers<unknown>();
      held.push(answer);
      return answer.promise;
    },
  });
  Object.defineProperty(navigator, 'serviceWorker', { value: container, configurable: true });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  Reflect.deleteProperty(navigator, 'serviceWorker');
  Reflect.deleteProperty(document, 'visibilityState');
});

const settle = () => vi.advanceTimersByTimeAsync(0);

const start = (): void => {
  const page = {
    container: navigator.serviceWorker,
    first: null,
    last: () => undefined,
    report: () => undefined,
  };
  void registerWorker(page, ports);
};

/** The attempt in progress fails: a file of the shell did not arrive. */
const failAttempt = async (): Promise<void> => {
  held.shift()?.reject(new TypeError('Failed to register a ServiceWorker'));
  await settle();
};

/** The attempt in progress succeeds. */
const passAttempt = async (): Promise<void> => {
  const worker = { state: 'activated', postMessage: () => undefined };
  const registration = { active: worker, installing: null, waiting: null };
  held.shift()?.resolve(Object.assign(new EventTarget(), registration));
  await settle();
};

const setVisibility = async (state: DocumentVisibilityState): Promise<void> => {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
  await settle();
};

const returnNetwork = async (): Promise<void> => {
  window.dispatchEvent(new Event('online'));
  await settle();
};

test('a returning network ends the pause between attempts', async () => {
  start();
  await failAttempt();
  await vi.advanceTimersByTimeAsync(SHORTEST_PAUSE_MS);
  expect(attempts).toBe(1);
  await returnNetwork();
  expect(attempts).toBe(2);
});

test('a network that returns during an attempt that still fails shortens the pause', async () => {
  start();
  await returnNetwork();
  await failAttempt();
  await vi.advanceTimersByTimeAsync(SHORTEST_PAUSE_MS);
  expect(attempts).toBe(2);
});

test('a page that is shown again ends the pause, and one that is hidden does not', async () => {
  start();
  await failAttempt();
  await vi.advanceTimersByTimeAsync(SHORTEST_PAUSE_MS);
  await setVisibility('hidden');
  window.dispatchEvent(new Event('offline'));
  await settle();
  expect(attempts).toBe(1);
  await setVisibility('visible');
  expect(attempts).toBe(2);
});

test('many events cause one attempt at a time, and failures still lengthen the pauses', async () => {
  start();
  await failAttempt();
  for (let time = 0; time < 50; time += 1) {
    document.dispatchEvent(new Event('visibilitychange'));
    window.dispatchEvent(new Event('online'));
  }
  await vi.advanceTimersByTimeAsync(SHORTEST_PAUSE_MS - 1);
  expect(attempts).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(attempts).toBe(2);
  await failAttempt();
  await vi.advanceTimersByTimeAsync(FIRST_PAUSE_MS);
  expect(attempts).toBe(2);
  await vi.advanceTimersByTimeAsync(FIRST_PAUSE_MS);
  expect(attempts).toBe(3);
});

test('without events the next attempt follows after the pause; nothing listens later', async () => {
  const added = vi.spyOn(window, 'addEventListener');
  start();
  await failAttempt();
  await vi.advanceTimersByTimeAsync(FIRST_PAUSE_MS - 1);
  expect(attempts).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(attempts).toBe(2);
  await passAttempt();
  // The library registers, too.
  expect(attempts).toBe(3);
  await returnNetwork();
  expect(attempts).toBe(3);
  const online = added.mock.calls.filter(([type]) => type === 'online');
  expect(online).toHaveLength(2);
  for (const [, , options] of online) {
    expect(options).toMatchObject({ signal: { aborted: true } });
  }
});
