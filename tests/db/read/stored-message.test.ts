import { afterEach, describe, expect, it, vi } from 'vitest';

import { storedMessageOf } from '#db/read/stored-message.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { type Timetoken, TIMETOKEN_MAX, TIMETOKEN_ZERO } from '#domain/timetoken.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, published, queued, received, ROOM } from '#tests/support/facts.ts';
import { untilPasses } from '#tests/support/wait-for.ts';

import { countReads } from '../count-reads.ts';

const OTHER: RoomKey = 'c_002/general';

const openStore = async () => {
  const device = createDevice();
  const tab = await device.openTab();
  const find = (room: RoomKey, place: Timetoken) => storedMessageOf(tab.database, room, place);
  return { device, tab, find };
};

describe('the message at a position', () => {
  afterEach(() => vi.restoreAllMocks());

  it('is shown once it is on this device, whichever tab stores it', async () => {
    const { device, tab, find } = await openStore();
    const other = await device.openTab();
    const changed = vi.fn<() => void>();
    const message = find(ROOM, at(2));
    const stop = message.watch(changed);
    await untilPasses(() => expect(changed).toHaveBeenCalledTimes(1));
    expect(message.get()).toBeUndefined();
    await tab.append([received(at(1)), received(at(3)), received(at(2), { room: OTHER })]);
    expect(message.get()).toBeUndefined();
    await other.append([received(at(2), { text: 'from the other tab' })]);
    await untilPasses(() => expect(message.get()?.text).toBe('from the other tab'));
    stop();
    other.close();
    tab.close();
  });

  it("may be the user's own one that the engine only acknowledged", async () => {
    const { tab, find } = await openStore();
    await tab.append([queued('a'), published('a', at(5))]);
    const message = find(ROOM, at(5));
    const stop = message.watch(() => undefined);
    await untilPasses(() => expect(message.get()?.text).toBe('text of a'));
    stop();
    tab.close();
  });

  it.each([TIMETOKEN_ZERO, TIMETOKEN_MAX, at(7)])('may be absent: %s', async (place) => {
    const { tab, find } = await openStore();
    await tab.append([received(at(1))]);
    const changed = vi.fn<() => void>();
    const message = find('nobody-knows/team', place);
    const stop = message.watch(changed);
    await untilPasses(() => expect(changed).toHaveBeenCalledTimes(1));
    expect(message.get()).toBeUndefined();
    stop();
    tab.close();
  });

  it('is not read again for other messages, and stays in memory for a while', async () => {
    const { tab, find } = await openStore();
    await tab.append([received(at(1), { text: 'kept' })]);
    const message = find(ROOM, at(1));
    const stop = message.watch(() => undefined);
    await untilPasses(() => expect(message.get()?.text).toBe('kept'));
    const takeReads = countReads(tab.database);
    await tab.append([received(at(2)), received(at(1), { room: OTHER })]);
    expect(takeReads()).toBe(0);
    stop();
    expect(find(ROOM, at(1)).get()?.text).toBe('kept');
    tab.close();
  });
});
