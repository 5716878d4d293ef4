import 'fake-indexeddb/auto';
import { setImmediate } from 'node:timers/promises';

import { Dexie } from 'dexie';
import { describe, expect, it, vi } from 'vitest';

import { toUserDatabaseName } from '#db/schema/database.ts';
import { USER_SCHEMA } from '#db/schema/schema.ts';
import { ALL_ROWS, watch } from '#db/read/watch.ts';
import type { LeaderRow } from '#domain/project/rows.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, published, queued, received } from '#tests/support/facts.ts';
import { untilPasses } from '#tests/support/wait-for.ts';

describe('live queries', () => {
  it('show one tab the messages that another one appended', async () => {
    const device = createDevice();
    const [writer, reader] = [await device.openTab(), await device.openTab()];
    const seen: (readonly RoomKey[])[] = [];
    const stop = reader.watchQueuedRooms((rooms) => seen.push(rooms));
    await untilPasses(() => expect(seen.at(-1)).toEqual([]));
    await writer.append([queued('a'), queued('b'), queued('c', { room: 'c_002/general' })]);
    await untilPasses(() => expect(seen.at(-1)).toEqual(['c_001/team', 'c_002/general']));
    await writer.append([published('c', at(1), { room: 'c_002/general' })]);
    await untilPasses(() => expect(seen.at(-1)).toEqual(['c_001/team']));
    stop();
    stop();
    const count = seen.length;
    await writer.append([queued('d', { room: 'c_003/team' })]);
    const last: unknown[] = [];
    const stopSecond = reader.watchQueuedRooms((rooms) => last.push(rooms));
    await untilPasses(() => expect(last).toHaveLength(1));
    expect(seen).toHaveLength(count);
    stopSecond();
  });

  it('read again after a commit that was not reported', async () => {
    const device = createDevice();
    const [writer, reader] = [await device.openTab(), await device.openTab()];
    const seen: (readonly RoomKey[])[] = [];
    reader.watchQueuedRooms((rooms) => seen.push(rooms));
    await untilPasses(() => expect(seen.at(-1)).toEqual([]));
    const report = vi.spyOn(Dexie.on.storagemutated, 'fire').mockImplementation(() => undefined);
    await writer.append([queued('a')]);
    expect(report).toHaveBeenCalled();
    report.mockRestore();
    expect(seen).toEqual([[]]);
    // As when another tab leads from now on.
    reader.database.rows.reportAll();
    await untilPasses(() => expect(seen.at(-1)).toEqual(['c_001/team']));
  });

  it('follow the leader and its heartbeat', async () => {
    const device = createDevice();
    const [leader, follower] = [await device.openTab(), await device.openTab()];
    const seen: (LeaderRow | undefined)[] = [];
    const stop = follower.watchLeader((row) => seen.push(row));
    await untilPasses(() => expect(seen).toEqual([undefined]));
    await leader.takeFence('tab-1', 10);
    await leader.writeHeartbeat(1, 20, { kind: 'waiting', retryAt: 99 });
    await untilPasses(() =>
      expect(seen.at(-1)).toEqual({
        fence: 1,
        tabId: 'tab-1',
        at: 20,
        link: { kind: 'waiting', retryAt: 99 },
      }),
    );
    stop();
  });

  it('survive a database that was closed under them', async () => {
    const device = createDevice();
    const [writer, reader] = [await device.openTab(), await device.openTab()];
    const seen: (readonly RoomKey[])[] = [];
    const stop = reader.watchQueuedRooms((rooms) => seen.push(rooms));
    await untilPasses(() => expect(seen.at(-1)).toEqual([]));
    reader.database.close({ disableAutoOpen: false });
    await writer.append([queued('a')]);
    await untilPasses(() => expect(seen.at(-1)).toEqual(['c_001/team']));
    stop();
  });
});

describe('watch', () => {
  it('restarts a failed query, and logs it', async () => {
    const device = createDevice();
    const { database } = await device.openTab();
    const answers = [new Error('odd'), new Dexie.AbortError('gone')];
    const seen: string[] = [];
    const query = async () => {
      const problem = answers.shift();
      if (problem) throw problem;
      return await Promise.resolve('answer');
    };
    const stop = watch(database, { outbox: ALL_ROWS }, query, (answer) => seen.push(answer));
    await untilPasses(() => expect(seen).toEqual(['answer']));
    expect(device.lines.map(({ code }) => code)).toEqual([
      'STORAGE_WATCH_FAILED',
      'STORAGE_WATCH_FAILED',
    ]);
    stop();
  });

  it('repeats a query that fails again and again after growing delays', async () => {
    const device = createDevice();
    const { database } = await device.openTab();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const query = vi.fn<() => Promise<never>>(async () => {
      throw await Promise.resolve(new Error('odd'));
    });
    const stop = watch(database, { outbox: ALL_ROWS }, query, () => undefined);
    for (const [n, delay] of [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000].entries()) {
      while (device.lines.length <= n) await setImmediate();
      await vi.advanceTimersByTimeAsync(delay - 1);
      expect(query).toHaveBeenCalledTimes(n + 1);
      await vi.advanceTimersByTimeAsync(1);
    }
    while (device.lines.length <= 8) await setImmediate();
    // A reopened storage restarts it at once, and the next delay is short again.
    database.rows.reportAll();
    while (device.lines.length <= 9) await setImmediate();
    await vi.advanceTimersByTimeAsync(500);
    expect(query).toHaveBeenCalledTimes(11);
    stop();
    vi.useRealTimers();
  });

  it('stays silent once it was stopped or the store closed', async () => {
    const device = createDevice();
    const tab = await device.openTab();
    let runs = 0;
    const query = async (): Promise<never> => {
      runs += 1;
      tab.close();
      await Promise.resolve();
      throw new Error('odd');
    };
    const stop = watch(tab.database, { outbox: ALL_ROWS }, query, () => undefined);
    await untilPasses(() => expect(runs).toBe(1));
    stop();
    expect(device.lines).toEqual([]);
  });
});

describe('two users', () => {
  it('share no data', async () => {
    const device = createDevice();
    const [mine, theirs] = [await device.openTab('u_me'), await device.openTab('u_other')];
    await mine.append([received(at(1)), queued('a')]);
    expect(await theirs.database.entries.toArray()).toEqual([]);
    expect(await theirs.database.log.toArray()).toEqual([]);
  });
});

describe('another tab', () => {
  it('may upgrade the database, and this one continues to use it', async () => {
    const device = createDevice();
    const tab = await device.openTab();
    await tab.append([received(at(1))]);
    const newer = new Dexie(toUserDatabaseName('u_me'), device.options.indexedDB);
    for (const { version, stores } of USER_SCHEMA) newer.version(version).stores({ ...stores });
    newer.version(USER_SCHEMA.length + 1).stores({ reactions: 'id' });
    await newer.open();
    expect(newer.tables.map(({ name }) => name)).toContain('reactions');
    expect(await tab.append([received(at(2))])).toEqual({ ok: true, value: 1 });
    expect(await tab.database.entries.toArray()).toHaveLength(2);
    newer.close();
  });

  it('may delete the database, and this one does not create it again', async () => {
    const device = createDevice();
    const tab = await device.openTab();
    await tab.append([received(at(1))]);
    const name = toUserDatabaseName('u_me');
    await new Dexie(name, device.options.indexedDB).delete();
    expect(await tab.append([received(at(2))])).toMatchObject({ ok: false });
    const factory = device.options.indexedDB?.indexedDB;
    const left: unknown = await Reflect.apply(Reflect.get(factory ?? {}, 'databases'), factory, []);
    expect(left).toEqual([]);
  });
});
