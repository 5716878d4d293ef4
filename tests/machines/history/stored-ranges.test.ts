import type { FactOf } from '#domain/events.ts';
import { fromEpochMs, type Timetoken, TIMETOKEN_ZERO, toEpochMs } from '#domain/timetoken.ts';
import { describe, expect, it } from 'vitest';

import { prepareHistory, TEAM } from './prepare-history.ts';

/** The fact of a page that covers 10 ms from a position. */
const toPage = (from: Timetoken): FactOf<'v1.HistoryPageLoaded'> => ({
  type: 'v1.HistoryPageLoaded',
  room: TEAM,
  from,
  to: fromEpochMs(toEpochMs(from) + 10),
  reachedStart: false,
});

const toMessage = (timetoken: Timetoken): FactOf<'v1.MessageReceived'> => ({
  type: 'v1.MessageReceived',
  room: TEAM,
  timetoken,
  publisher: 'u_other',
  text: 'hello',
  clientName: '',
  clientAvatar: '',
  via: 'history',
});

describe('ranges without messages', () => {
  it('shows stored messages although a newer range without messages follows a gap', async () => {
    const { world, store, open } = prepareHistory(30);
    (await open()).close();
    const end = world.engine.log.at(-1)?.timetoken ?? TIMETOKEN_ZERO;
    await store.append([toPage(fromEpochMs(toEpochMs(end) + 2000))]);
    world.engine.fail('history', { kind: 'unreachable' });
    expect((await open()).shown()).toBe(25);
  });

  it('continues below a range without messages while the engine is unreachable', async () => {
    const { world, store, open } = prepareHistory(0);
    const [old, empty, recent, later] = [1, 2, 3, 4].map((n) => fromEpochMs(n * 100_000));
    if (!old || !empty || !recent || !later) throw new Error('four positions');
    await store.append([
      toMessage(old),
      toMessage(recent),
      ...[old, empty, recent, later].map(toPage),
    ]);
    world.engine.fail('history', { kind: 'unreachable' });
    const { view, more } = await open();
    expect(view().from).toBe(recent);
    await more();
    expect(view().from).toBe(old);
  });

  it('claims no start of the conversation above a gap', async () => {
    const { world, store, open } = prepareHistory(0);
    const at = fromEpochMs(100_000);
    await store.append([
      { ...toPage(fromEpochMs(50_000)), reachedStart: true },
      toMessage(at),
      toPage(at),
    ]);
    world.engine.fail('history', { kind: 'unreachable' });
    const { view, more } = await open();
    expect(view()).toMatchObject({ from: at, hasMore: true });
    await more();
    expect(view()).toMatchObject({ from: at, hasMore: true, moreFailed: true });
  });
});
