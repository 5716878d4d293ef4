// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { REQUEST_TIMEOUT_MS } from '#domain/limits.ts';
import { createPageWork } from '#src/boot/page-work.ts';
import { closeToasts, showToast } from '#src/ui/toasts/toast-store.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const start = () => {
  const now = { sending: false, typing: false, holding: false, kept: true };
  const events: string[] = [];
  const work = createPageWork({
    isSending: () => now.sending,
    hasDrafts: () => now.typing,
    isHolding: () => now.holding,
    keepDrafts: () => {
      events.push('keep');
      return Promise.resolve(now.kept);
    },
  });
  return { now, events, work };
};

test('a page has finished its work once nothing is being sent and drafts are stored', async () => {
  const { now, events, work } = start();
  now.sending = true;
  const finished = work.finish();
  await vi.advanceTimersByTimeAsync(5000);
  expect(events).toEqual([]);
  now.sending = false;
  await vi.advanceTimersByTimeAsync(100);
  expect(events).toEqual(['keep']);
  expect(await finished).toBe(true);
});

test('endless sending delays the finish no longer than one publish may take', async () => {
  const { now, events, work } = start();
  now.sending = true;
  now.kept = false;
  const finished = work.finish();
  await vi.advanceTimersByTimeAsync(REQUEST_TIMEOUT_MS - 200);
  expect(events).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(await finished).toBe(false);
});

test('a page is quiet when nothing was typed or sent for a moment', async () => {
  const { now, events, work } = start();
  now.typing = true;
  work.watchQuiet(() => events.push('quiet'));
  await vi.advanceTimersByTimeAsync(60_000);
  now.typing = false;
  await vi.advanceTimersByTimeAsync(1500);
  now.sending = true;
  await vi.advanceTimersByTimeAsync(500);
  now.sending = false;
  await vi.advanceTimersByTimeAsync(1900);
  expect(events).toEqual([]);
  await vi.advanceTimersByTimeAsync(300);
  expect(events).toEqual(['quiet']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(events).toEqual(['quiet']);
});

test.each(['<dialog open></dialog>', '<div role="menu"></div>', '<progress></progress>'])(
  'a page that shows %s is not quiet',
  async (overlay) => {
    const { events, work } = start();
    document.body.innerHTML = overlay;
    work.watchQuiet(() => events.push('quiet'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(events).toEqual([]);
    document.body.replaceChildren();
    await vi.advanceTimersByTimeAsync(2300);
    expect(events).toEqual(['quiet']);
  },
);

test('a page that shows messages which a full disk could not store is not quiet', async () => {
  const { now, events, work } = start();
  now.holding = true;
  work.watchQuiet(() => events.push('quiet'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(events).toEqual([]);
  now.holding = false;
  await vi.advanceTimersByTimeAsync(2300);
  expect(events).toEqual(['quiet']);
});

test('after unsubscribing, the listener is not called', async () => {
  const { events, work } = start();
  work.watchQuiet(() => events.push('quiet'))();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(events).toEqual([]);
});

test('a half-filled form counts as typing, an empty field does not', async () => {
  const { events, work } = start();
  const field = document.createElement('input');
  document.body.append(field);
  field.focus();
  field.value = 'jonas@';
  work.watchQuiet(() => events.push('quiet'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(events).toEqual([]);
  field.value = '';
  await vi.advanceTimersByTimeAsync(2300);
  expect(events).toEqual(['quiet']);
  field.remove();
});

test('a focused radio button or switch does not count as typing', async () => {
  const { events, work } = start();
  const field = document.createElement('input');
  document.body.append(field);
  for (const type of ['radio', 'checkbox']) {
    field.type = type;
    field.focus();
    expect(document.activeElement).toBe(field);
    work.watchQuiet(() => events.push(type));
    await vi.advanceTimersByTimeAsync(2300);
  }
  expect(events).toEqual(['radio', 'checkbox']);
  field.remove();
});

test('a page is not quiet while a toast offers to undo something', async () => {
  const { events, work } = start();
  showToast('info', 'Done.', { label: 'Undo', run: () => undefined });
  work.watchQuiet(() => events.push('quiet'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(events).toEqual([]);
  closeToasts();
  await vi.advanceTimersByTimeAsync(2500);
  expect(events).toEqual(['quiet']);
});
