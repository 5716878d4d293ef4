import { expect, test } from 'vitest';

import { createWebLocks } from '#src/adapters/browser/web-locks.ts';

/** A tab that requests a lock, with the events it received. */
const ask = (name: string, steal = false, manager: LockManager | undefined = navigator.locks) => {
  const held = Promise.withResolvers<void>();
  const lost = Promise.withResolvers<void>();
  const reported: string[] = [];
  const clientLog = { write: (_level: string, code: string) => void reported.push(code) };
  const release = createWebLocks(manager, clientLog).request(name, {
    steal,
    onHeld: () => {
      reported.push('held');
      held.resolve();
    },
    onLost: () => {
      reported.push('lost');
      lost.resolve();
    },
  });
  return { held: held.promise, lost: lost.promise, reported, release };
};

test('one tab holds a lock; the next gets it when it is released', async () => {
  const first = ask('next');
  await first.held;
  const second = ask('next');
  expect(second.reported).toEqual([]);
  first.release();
  await second.held;
  expect(first.reported).toEqual(['held']);
  second.release();
});

test('a waiting tab that gave up is skipped', async () => {
  const first = ask('passed');
  await first.held;
  const second = ask('passed');
  const third = ask('passed');
  second.release();
  first.release();
  await third.held;
  expect(second.reported).toEqual([]);
  third.release();
});

test('a stolen lock is reported to its former holder', async () => {
  const first = ask('stolen');
  await first.held;
  const thief = ask('stolen', true);
  await thief.held;
  await first.lost;
  expect(first.reported).toEqual(['held', 'lost']);
  first.release();
  const next = ask('stolen');
  thief.release();
  await next.held;
  expect(thief.reported).toEqual(['held']);
  next.release();
});

test('releasing twice, or before the lock was granted, is safe', async () => {
  const never = ask('early');
  never.release();
  never.release();
  const next = ask('early');
  await next.held;
  expect(never.reported).toEqual([]);
  next.release();
});

test('locks of different names are independent', async () => {
  const tabs = [ask('a'), ask('b')];
  await Promise.all(tabs.map((tab) => tab.held));
  expect(tabs.map((tab) => tab.reported)).toEqual([['held'], ['held']]);
  for (const tab of tabs) tab.release();
});

test('locks that the browser refuses are logged, and granted at once as without Web Locks', async () => {
  const refusing: LockManager = {
    query: () => Promise.resolve({}),
    request: () => Promise.reject(new Error('refused')),
  };
  const tab = ask('refused', false, refusing);
  await tab.held;
  expect(tab.reported).toEqual(['LOCKS_REFUSED', 'held']);
  tab.release();
});
