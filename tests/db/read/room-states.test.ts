import { afterEach, describe, expect, it, vi } from 'vitest';

import { RoomStates } from '#db/read/room-states.ts';
import { READ_RETRY_MAX_MS, READ_RETRY_MIN_MS } from '#db/schema/limits.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, received, ROOM } from '#tests/support/facts.ts';
import { untilPasses } from '#tests/support/wait-for.ts';

const STATES = new Map([[ROOM, { newest: at(1) }]]);

describe('the states of all rooms after a failed query', () => {
  afterEach(() => vi.useRealTimers());

  /** States whose first `failures` reads fail, on a virtual clock. */
  const openFailing = async (failures: number) => {
    const device = createDevice();
    const tab = await device.openTab();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const begun = Promise.withResolvers<undefined>();
    const read = vi.fn<() => Promise<typeof STATES>>(() => {
      begun.resolve(undefined);
      if (read.mock.calls.length <= failures) throw new Error('refused');
      return Promise.resolve(STATES);
    });
    const show = vi.fn<(states: ReadonlyMap<string, unknown>) => void>();
    const states = new RoomStates(tab.database, { read, extend: () => undefined, show });
    // Polling would advance the virtual clock.
    await begun.promise;
    const codes = () => device.lines.map(({ code }) => code);
    return { tab, states, read, show, codes };
  };

  it('are read again without any change, after growing delays', async () => {
    const { tab, read, show, codes } = await openFailing(9);
    let delay = READ_RETRY_MIN_MS;
    for (let reads = 1; reads < 10; reads += 1) {
      await vi.advanceTimersByTimeAsync(delay - 1);
      expect(read).toHaveBeenCalledTimes(reads);
      await vi.advanceTimersByTimeAsync(1);
      expect(read).toHaveBeenCalledTimes(reads + 1);
      delay = Math.min(2 * delay, READ_RETRY_MAX_MS);
    }
    expect(show.mock.calls).toEqual([[STATES]]);
    expect(read.mock.calls).toEqual(Array.from({ length: 10 }, () => [undefined]));
    expect(codes()).toEqual(Array.from({ length: 9 }, () => 'STORAGE_QUERY_FAILED'));
    tab.close();
  });

  it('are read again at once after the next change', async () => {
    const { tab, read, show } = await openFailing(3);
    await vi.advanceTimersByTimeAsync(3 * READ_RETRY_MIN_MS);
    expect(read).toHaveBeenCalledTimes(3);
    vi.useRealTimers();
    await tab.append([received(at(1))]);
    await untilPasses(() => expect(show).toHaveBeenCalledTimes(1));
    tab.close();
  });

  it('count as read only once a read succeeded', async () => {
    const { tab, states, show } = await openFailing(2);
    let isSettled = false;
    const settled = states.readAnew([]).then(() => {
      isSettled = true;
    });
    await vi.advanceTimersByTimeAsync(READ_RETRY_MIN_MS);
    expect(isSettled).toBe(false);
    await vi.advanceTimersByTimeAsync(2 * READ_RETRY_MIN_MS);
    await settled;
    expect(show).toHaveBeenCalledTimes(1);
    tab.close();
  });

  it('are not read again after the store has ended', async () => {
    const { tab, read } = await openFailing(9);
    tab.close();
    await vi.advanceTimersByTimeAsync(READ_RETRY_MAX_MS);
    expect(read).toHaveBeenCalledTimes(1);
  });
});
