import { loadPage } from '#machines/history/load-page.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { describe, expect, it } from 'vitest';

import { prepareHistory, TEAM } from './prepare-history.ts';

describe('history of an open room', () => {
  it('is loading until the newest page arrives, then shows 25 and has more', async () => {
    const { world, open } = prepareHistory(140);
    const reading = world.engine.readHistory;
    let answer = (): void => {};
    world.engine.readHistory = async (...args) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return reading(...args);
    };
    const { view, shown } = await open();
    expect(view()).toMatchObject({ state: 'loading', hasMore: false });
    answer();
    await settle();
    expect(view()).toMatchObject({ state: 'success', hasMore: true, fetchingMore: false });
    expect(shown()).toBe(25);
  });

  it('fetches 25 more at a time until a page is not full', async () => {
    const { open, pages } = prepareHistory(140);
    const { view, more, shown } = await open();
    const counts = [shown()];
    while (view().hasMore) {
      await more();
      counts.push(shown());
    }
    expect(counts).toEqual([25, 50, 75, 100, 125, 140]);
    expect(pages()).toBe(6);
  });

  it('fetches 100 at a time for a message far back, and reads 1,000 at a time from this device', async () => {
    const { open, pages } = prepareHistory(240);
    const far = { type: 'more.requested', isFar: true } as const;
    const first = await open();
    const counts = [first.shown()];
    while (first.view().hasMore) {
      first.actor.send(far);
      await settle();
      counts.push(first.shown());
    }
    expect(counts).toEqual([25, 125, 225, 240]);
    first.close();
    const before = pages();
    const again = await open();
    again.actor.send(far);
    await settle();
    expect(again.shown()).toBe(240);
    // Only the newest page was requested.
    expect(pages()).toBe(before + 1);
  });

  it('shows a full newest page, even if less of it was stored', async () => {
    const { tab, store, open } = prepareHistory(60);
    await loadPage(tab, { store }, { room: TEAM, count: 3 }, new AbortController().signal);
    const { view, shown } = await open();
    expect(shown()).toBe(25);
    expect(view()).toMatchObject({ state: 'success', hasMore: true });
  });

  it('needs one more page to detect that a full page was the last one', async () => {
    const { open } = prepareHistory(25);
    const { view, more, shown } = await open();
    expect(view().hasMore).toBe(true);
    await more();
    expect(view()).toMatchObject({ state: 'success', hasMore: false });
    expect(shown()).toBe(25);
  });

  it('shows an empty room as complete', async () => {
    const { open } = prepareHistory(0);
    const { view } = await open();
    expect(view()).toMatchObject({ state: 'success', hasMore: false });
  });

  it('shows cached messages at once, also without a network, page by page', async () => {
    const { world, open, pages } = prepareHistory(60);
    const first = await open();
    await first.more();
    await first.more();
    first.close();
    const before = pages();
    world.engine.fail('history', { kind: 'unreachable' });
    const { view, more, shown } = await open();
    expect(view()).toMatchObject({ state: 'success', hasMore: true });
    expect(shown()).toBe(25);
    await more();
    await more();
    expect(shown()).toBe(60);
    expect(view()).toMatchObject({ state: 'success', hasMore: false, moreFailed: false });
    // Only the newest page was requested.
    expect(pages()).toBe(before + 1);
  });

  it('is an error with nothing cached, and recovers by itself', async () => {
    const { world, open } = prepareHistory(10);
    world.engine.fail('history', { kind: 'server', status: 500 });
    const { view, shown } = await open();
    expect(view().state).toBe('error');
    await world.clock.advance(90_000);
    expect(view().state).toBe('error');
    world.engine.heal();
    await world.clock.advance(30_000);
    expect(view().state).toBe('success');
    expect(shown()).toBe(10);
  });

  it('retries on request and when the network returns', async () => {
    const { world, tab, open } = prepareHistory(10);
    world.engine.fail('history', { kind: 'unreachable' }, 2);
    const { actor, view } = await open();
    actor.send({ type: 'retry.requested' });
    expect(view().state).toBe('loading');
    await settle();
    expect(view().state).toBe('error');
    tab.environment.set('online');
    await settle();
    expect(view().state).toBe('success');
  });

  it.each([
    ['the network returns', 'online'],
    ['the page is shown', 'shown'],
  ] as const)('fetches older messages that failed again when %s', async (_when, change) => {
    const { world, tab, open } = prepareHistory(60);
    const { view, more, shown } = await open();
    world.engine.fail('history', { kind: 'unreachable' });
    await more();
    expect(view()).toMatchObject({ state: 'success', hasMore: true, moreFailed: true });
    world.engine.heal();
    tab.environment.set(change);
    await settle();
    expect(shown()).toBe(50);
    expect(view().moreFailed).toBe(false);
  });

  it('continues from the network below a gap', async () => {
    const { world, open } = prepareHistory(30);
    const first = await open();
    first.close();
    for (let n = 0; n < 100; n += 1) world.engine.write(TEAM, { text: `later ${n}` });
    const second = await open();
    second.close();
    const { view, more, shown } = await open();
    expect(shown()).toBe(25);
    while (view().hasMore) await more();
    expect(shown()).toBe(130);
  });

  it('shows the stored messages below a gap if the network is down', async () => {
    const { world, open } = prepareHistory(30);
    const first = await open();
    await first.more();
    first.close();
    for (let n = 0; n < 100; n += 1) world.engine.write(TEAM, { text: `later ${n}` });
    const second = await open();
    second.close();
    world.engine.fail('history', { kind: 'unreachable' });
    const { view, more, shown } = await open();
    expect(shown()).toBe(25);
    await more();
    expect(shown()).toBe(50);
    await more();
    expect(shown()).toBe(55);
    expect(view()).toMatchObject({ hasMore: false, moreFailed: false });
  });

  it('reads the newest page again when the page is shown', async () => {
    const { world, tab, open } = prepareHistory(3);
    const { shown } = await open();
    world.engine.write(TEAM, { text: 'meanwhile' });
    tab.environment.set('shown');
    await settle();
    expect(shown()).toBe(4);
  });

  it('revalidates the session after a 401', async () => {
    const { world, open, revalidations } = prepareHistory(3);
    world.engine.fail('history', { kind: 'unauthenticated' }, 1);
    await open();
    expect(revalidations()).toBe(1);
    expect(world.engine.renewals).toBe(1);
  });
});
