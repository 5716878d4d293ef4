import type { Updates } from '#domain/ports/browser.ts';
import { ACTIVATION_SLOW_MS } from '#machines/kit/limits.ts';
import { createUpdateMachine, selectUpdate } from '#machines/app/update.machine.ts';
import { FakeClock, settle } from '#tests/support/fake-clock.ts';
import { createActor } from 'xstate';
import { describe, expect, it } from 'vitest';

/** A page with a worker and a user, both controlled by the test. */
const start = () => {
  const clock = new FakeClock();
  const done: string[] = [];
  const finishing: ((isSafe: boolean) => void)[] = [];
  let notify: Parameters<Updates['watch']>[0] = () => undefined;
  const quiet = new Set<() => void>();
  const updates: Updates = {
    watch: (listener) => {
      notify = listener;
      return () => undefined;
    },
    check: () => undefined,
    activate: () => void done.push('activate'),
    reload: () => void done.push('reload'),
  };
  const work = {
    finish: () => new Promise<boolean>((resolve) => finishing.push(resolve)),
    watchQuiet: (listener: () => void) => {
      quiet.add(listener);
      return () => quiet.delete(listener);
    },
  };
  const actor = createActor(
    createUpdateMachine({ updates, clientLog: { write: () => undefined } }, work),
    { clock: clock.timers },
  ).start();
  return {
    clock,
    done,
    notify: (change: 'found' | 'replaced') => notify(change),
    accept: () => actor.send({ type: 'update.accepted' }),
    finishAs: async (isSafe: boolean) => {
      finishing.shift()?.(isSafe);
      await settle();
    },
    beQuiet: () => quiet.forEach((listener) => listener()),
    shown: () => selectUpdate(actor.getSnapshot()),
  };
};

describe('a new version', () => {
  it('waits until it is accepted and the page has finished its work, then takes control and is loaded', async () => {
    const page = start();
    expect(page.shown()).toBe('none');
    page.notify('found');
    expect(page.shown()).toBe('offered');
    page.accept();
    expect(page.shown()).toBe('coming');
    expect(page.done).toEqual([]);
    await page.finishAs(true);
    expect(page.done).toEqual(['activate']);
    page.notify('replaced');
    expect(page.done).toEqual(['activate']);
    await page.finishAs(true);
    expect(page.done).toEqual(['activate', 'reload']);
  });

  it('waits for a draft that cannot be stored', async () => {
    const page = start();
    page.notify('found');
    page.accept();
    await page.finishAs(false);
    expect(page.shown()).toBe('blockedByDraft');
    expect(page.done).toEqual([]);
    page.beQuiet();
    expect(page.done).toEqual(['activate']);
  });

  it('is loaded once this tab is idle, or on request, if it was accepted in another tab', async () => {
    for (const end of ['beQuiet', 'accept'] as const) {
      const page = start();
      page.notify('found');
      page.notify('replaced');
      expect(page.shown()).toBe('offered');
      expect(page.done).toEqual([]);
      page[end]();
      await page.finishAs(false);
      expect(page.done).toEqual([]);
      expect(page.shown()).toBe('offered');
      page[end]();
      await page.finishAs(true);
      expect(page.done).toEqual(['reload']);
    }
  });

  it('is loaded in both of two tabs that accepted it at once', async () => {
    const page = start();
    page.notify('found');
    page.accept();
    page.notify('replaced');
    expect(page.shown()).toBe('coming');
    // The answer to the first request is ignored.
    await page.finishAs(true);
    await page.finishAs(true);
    expect(page.done).toEqual(['reload']);
  });

  it('is offered again if it does not take control in time, and loaded once it has', async () => {
    const page = start();
    page.notify('found');
    page.accept();
    await page.finishAs(true);
    page.notify('found');
    expect(page.shown()).toBe('offered');
    page.accept();
    await page.finishAs(true);
    expect(page.shown()).toBe('coming');
    await page.clock.advance(ACTIVATION_SLOW_MS);
    expect(page.shown()).toBe('offered');
    expect(page.done).toEqual(['activate', 'activate']);
    // The browser lost the request: one press of the button is enough.
    await page.clock.advance(ACTIVATION_SLOW_MS);
    expect(page.done).toEqual(['activate', 'activate', 'activate']);
    expect(page.shown()).toBe('offered');
    page.notify('replaced');
    page.beQuiet();
    await page.finishAs(true);
    expect(page.done).toEqual(['activate', 'activate', 'activate', 'reload']);
  });
});
