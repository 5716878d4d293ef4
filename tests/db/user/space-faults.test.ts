import 'fake-indexeddb/auto';

import { describe, expect, it } from 'vitest';

import { hold } from '#db/schema/held.ts';
import { createDeviceStore } from '#db/device/device-store.ts';
import { toReceivedRow } from '#domain/project/received.ts';
import { at, queued, received } from '#tests/support/facts.ts';
import { untilPasses } from '#tests/support/wait-for.ts';

import { closeForced, fillUp, FULL, openOnDisk } from './small-disk.ts';

describe('a disk without a free byte', () => {
  it('leaves nothing of a user behind, though the store ends in the middle of a try', async () => {
    const desk = await openOnDisk();
    const { space } = desk.tab.database;
    fillUp(desk);
    await desk.tab.append([received(at(1))]);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    desk.state.look = () => promise;
    void space.retry();
    const late = desk.tab.append([received(at(2))]);
    desk.tab.close();
    resolve(false);
    expect((await late).ok).toBe(false);
    expect(space.view.held).toEqual([]);
  });

  it('keeps what is shown when the store of somebody else ends', async () => {
    const desk = await openOnDisk();
    const { space } = desk.tab.database;
    const store = createDeviceStore({ ...desk.device.options, space });
    const other = await desk.mustOpen('u_other', space);
    await other.append([queued('x')]);
    other.close();
    await store.signOut({ uid: 'u_other', discarded: [] });
    hold(desk.tab.database, [toReceivedRow(received(at(1)))]);
    await store.purgeUserData('u_other');
    expect(space.view.held).toHaveLength(1);
    desk.tab.close();
  });

  it('is looked at again after a look that failed', async () => {
    const desk = await openOnDisk();
    let looks = 0;
    desk.state.look = () => {
      looks += 1;
      return looks === 1 ? Promise.reject(new TypeError('not loaded')) : Promise.resolve(true);
    };
    fillUp(desk);
    expect(await desk.tab.append([received(at(1))])).toEqual(FULL);
    await untilPasses(() => expect(desk.tab.database.space.view.isFull).toBe(false));
    expect(await desk.tab.append([queued('a')])).toEqual({ ok: true, value: 1 });
    desk.tab.close();
  });

  it('keeps its mark while the log was not replaced in one go', async () => {
    const desk = await openOnDisk();
    await desk.tab.append([queued('before')]);
    fillUp(desk);
    await desk.tab.append([received(at(1))]);
    let written = 0;
    const cut = (): void => {
      written += 1;
      if (written === 150) closeForced(desk.tab.database.backendDB());
    };
    desk.tab.database.meta.hook('creating', cut);
    desk.tab.database.meta.hook('updating', cut);
    desk.state.isFull = false;
    await desk.tab.database.space.retry();
    expect(written).toBeGreaterThanOrEqual(150);
    expect(desk.state.isMarked).toBe(true);
    await untilPasses(() => expect(desk.state.isMarked).toBe(false));
    const unsent = await desk.tab.listUnsent();
    expect(unsent.ok && unsent.value.map(({ id }) => id)).toEqual(['before']);
    desk.tab.close();
  });
});
