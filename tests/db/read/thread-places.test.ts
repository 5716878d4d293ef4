import 'fake-indexeddb/auto';

import { describe, expect, it } from 'vitest';

import { toPositionKey } from '#db/facts/entry-row.ts';
import { unreadOf } from '#db/read/unread-model.ts';
import { at, ME, published, queued, received, ROOM } from '#tests/support/facts.ts';
import { createDevice } from '#tests/support/device.ts';
import { untilPasses } from '#tests/support/wait-for.ts';

import { openOldPage, writeOldMessages } from '../migration/old-layout.ts';
import { composeStored, openTabs, showThread } from './thread-tabs.ts';

describe('two messages at one position', () => {
  it('are both shown in every tab, even after one of them returns or is gone', async () => {
    const [tab, other] = await openTabs();
    const models = [await showThread(tab), await showThread(other)];
    const untilShown = (count: number) =>
      untilPasses(async () => {
        for (const model of models) {
          expect(model.get()).toHaveLength(count);
          expect(model.get()).toEqual(await composeStored(tab, at(0)));
        }
      });
    await tab.append([queued('a'), received(at(5))]);
    await tab.append([published('a', at(5))]);
    await untilShown(2);
    await tab.append([received(at(5), { publisher: ME, id: 'a' })]);
    await untilShown(2);
    await other.append([received(at(4), { publisher: ME, id: 'a' })]);
    await untilShown(2);
    await tab.database.entries.delete(toPositionKey(ROOM, at(5)));
    await untilShown(1);
  });
});

describe('messages of an earlier version', () => {
  it('are shown and counted while they move, and when an older page adds one', async () => {
    const device = createDevice();
    const old = await openOldPage(device);
    const room = ROOM;
    const toOld = (n: number) => ({ room, places: [at(n)], publisher: 'u_client', id: `m${n}` });
    await writeOldMessages(
      old,
      Array.from({ length: 600 }, (_, n) => toOld(n)),
    );
    await old.table('meta').put({ key: 'projection', version: 2, v: 1 });
    await old.table('activity').bulkPut([
      { room: '*', newest: at(-1), readUpTo: at(-1), pending: 0, v: 1 },
      { room, newest: at(599), readUpTo: at(-1), pending: 1, v: 1 },
    ]);
    const tab = await device.openTab();
    const model = await showThread(tab);
    const unread = unreadOf(tab.database);
    await untilPasses(() => expect(unread.get()?.get(room)).toBeDefined());
    const [before, counted] = [model.get(), unread.get()?.get(room)];
    expect(before).toHaveLength(600);
    const seen: unknown[] = [];
    model.watch(() => seen.push(model.get()?.length));
    await untilPasses(() => expect(tab.database.hasOld).toBe(false));
    await untilPasses(async () => expect(model.get()).toEqual(await composeStored(tab, at(0))));
    expect(model.get()).toEqual(before);
    expect(seen.filter((count) => count !== 600)).toEqual([]);
    expect(unread.get()?.get(room)).toEqual(counted);
    await writeOldMessages(old, [toOld(700)]);
    await untilPasses(() => expect(model.get()).toHaveLength(601));
    expect(model.get()).toEqual(await composeStored(tab, at(0)));
    tab.close();
    old.close();
  });
});
