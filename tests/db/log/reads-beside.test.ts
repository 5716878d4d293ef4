import { Dexie } from 'dexie';
import { describe, expect, it } from 'vitest';

import { listMarks } from '#db/facts/list-marks.ts';
import { makeReadSpace } from '#db/log/retention.ts';
import { findNextQueued } from '#db/user/leading.ts';
import { storedMessageOf } from '#db/read/stored-message.ts';
import { listSummaries } from '#db/read/summary-model.ts';
import { findNewestFromOthers } from '#db/user/notifications.ts';
import type { UserStore } from '#db/user/user-store.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, attempted, ME, queued, received, ROOM } from '#tests/support/facts.ts';
import { untilPasses } from '#tests/support/wait-for.ts';

/** Every read of messages in its own transaction, outside a watched query. */
const READS = {
  'the summaries of the rooms': async ({ database }: UserStore) =>
    listSummaries(database, { uid: ME, listed: undefined }, await listMarks(database)),
  'the newest message': ({ database }: UserStore) => findNewestFromOthers(database, ROOM),
  'a message at a position': async ({ database }: UserStore) =>
    storedMessageOf(database, ROOM, at(1)).watch(() => undefined),
  'the next queued message': ({ database }: UserStore) => findNextQueued(database, ROOM),
  'what is too old': ({ database }: UserStore) => makeReadSpace(database),
};

/** Runs a transaction of several steps; returns the steps that ran outside it. */
const readInSteps = ({ database }: UserStore): PromiseLike<readonly string[]> => {
  const { entries, meta, messageTables } = database;
  const lost: string[] = [];
  const load = async () => {
    const rows = await entries.bulkGet(['x']);
    return rows.filter(Boolean);
  };
  const step = async () => {
    if (lost.length === 0) return load();
    return [];
  };
  return database
    .transaction('r', [meta, ...messageTables], async (begun) => {
      const check = (name: string) => {
        if (Dexie.currentTransaction !== begun) lost.push(name);
      };
      await meta.get('x');
      check('get');
      await step();
      check('list');
      await entries.toArray();
      check('array');
      await Promise.all(
        ['1', '2'].map(async (key) => {
          if (key === '1') return;
          await entries.get(key);
          check('inner');
        }),
      );
      check('all');
      await entries.toArray();
      check('end');
      return lost;
    })
    .catch((error: unknown) => [...lost, String(error)]);
};

/** Begins those steps in the same turn as the next read-only transaction. */
const besideNext = (tab: UserStore): Promise<readonly string[]> => {
  const { database } = tab;
  return new Promise((resolve) => {
    const begin = database.transaction.bind(database);
    const beginBoth = (...all: readonly unknown[]): unknown => {
      const begun: unknown = Reflect.apply(begin, undefined, all);
      if (all[0] === 'r') {
        database.transaction = begin;
        resolve(readInSteps(tab));
      }
      return begun;
    };
    Object.assign(database, { transaction: beginBoth });
  });
};

describe.each(Object.entries(READS))('during a read of %s', (_what, read) => {
  it('the steps of another transaction stay inside it', async () => {
    const device = createDevice();
    const tab = await device.openTab();
    await tab.append([received(at(1)), queued('a'), attempted('a', at(1))]);
    await untilPasses(() => expect(tab.database.hasOld).toBe(false));
    // A page of an earlier version may have written: all tables are read.
    tab.database.hasOld = true;
    const beside = besideNext(tab);
    await read(tab);
    expect(await beside).toEqual([]);
    tab.close();
  });
});
