import { toUserDatabaseName } from '#db/schema/database.ts';
import 'fake-indexeddb/auto';

import { Dexie } from 'dexie';
import { describe, expect, it } from 'vitest';

import { attempt, FencedError, isAborted, toStorageError } from '#db/schema/storage-errors.ts';
import { openUserStore } from '#db/user/user-store.ts';
import { createDevice } from '#tests/support/device.ts';
import {
  at,
  discarded,
  failed,
  page,
  published,
  queued,
  received,
  ROOM,
} from '#tests/support/facts.ts';

import { dumpProjections } from '../dump.ts';
import { abortForQuota } from './open-on-disk.ts';

const named = (name: string, over: object = {}) => Object.assign(new Error('why'), { name }, over);

/** The error of Chromium 156 for a write on a mounted file system without a free byte. */
const refusedByDisk = () =>
  named('UnknownError', {
    message:
      'Connection is closing because of: IO error: .../000003.log: FILE_ERROR_NO_SPACE (ChromeMethodBFE: 3::WritableFileAppend::8)',
  });

describe('toStorageError', () => {
  it('recognises every form of a full disk', () => {
    const quota = named('QuotaExceededError');
    const disguises = [
      quota,
      new Dexie.AbortError('aborted', quota),
      named('AbortError', { inner: quota }),
      named('BulkError', { inner: named('AbortError', { inner: quota }) }),
      new Error('outside', { cause: quota }),
      refusedByDisk(),
      named('DatabaseClosedError', {
        inner: named('QuotaExceededError', {
          message: 'Encountered full disk while opening backing store for indexedDB.open.',
        }),
      }),
    ];
    expect(disguises.map(toStorageError)).toEqual(disguises.map(() => ({ kind: 'quota' })));
  });

  it('recognises a replaced leader, and names every other error', () => {
    expect(toStorageError(new FencedError('late'))).toEqual({ kind: 'fenced' });
    expect(toStorageError(named('UnknownError'))).toEqual({
      kind: 'storage',
      detail: 'UnknownError: why',
    });
    expect(toStorageError('odd')).toEqual({ kind: 'storage', detail: 'Error: odd' });
    const circular = named('LoopError');
    expect(toStorageError(Object.assign(circular, { inner: circular }))).toMatchObject({
      kind: 'storage',
    });
  });
});

describe('isAborted', () => {
  it('recognises an opening that was aborted while the data was deleted', () => {
    const aborted = named('AbortError');
    expect(isAborted(aborted)).toBe(true);
    expect(isAborted(Object.assign(named('OpenFailedError'), { inner: aborted }))).toBe(true);
  });

  it('does not match a full disk or anything else', () => {
    const full = Object.assign(named('AbortError'), { inner: named('QuotaExceededError') });
    expect([full, named('UnknownError'), 'odd', undefined].map(isAborted)).toEqual(
      Array.from({ length: 4 }, () => false),
    );
  });
});

describe('a full disk', () => {
  it('is reported, and nothing is stored in part', async () => {
    const tab = await createDevice().openTab();
    await tab.append([received(at(1))]);
    const before = await dumpProjections(tab.database);
    tab.database.outbox.hook('creating', abortForQuota);
    const refused = await tab.append([queued('a'), received(at(2))]);
    expect(refused).toEqual({ ok: false, error: { kind: 'quota' } });
    tab.database.outbox.hook('creating').unsubscribe(abortForQuota);
    expect(await dumpProjections(tab.database)).toEqual(before);
    expect(await tab.database.log.toArray()).toEqual([]);
    expect(await tab.append([queued('a')])).toEqual({ ok: true, value: 1 });
  });
});

describe('a completely full disk', () => {
  it('is not reopened for a retry, which could only fail the same way', async () => {
    const tab = await createDevice().openTab();
    let tries = 0;
    const refuse = () => {
      tries += 1;
      return Promise.reject(refusedByDisk());
    };
    expect(await attempt(tab.database, refuse)).toEqual({ ok: false, error: { kind: 'quota' } });
    expect(tries).toBe(1);
  });
});

describe('a full disk with cached history', () => {
  it('prunes history for a new message, except the newest page', async () => {
    const tab = await createDevice().openTab();
    await tab.append(Array.from({ length: 60 }, (_, n) => received(at(n))));
    await tab.append([page(at(0), at(59)), queued('earlier')]);
    const refuseWhileFull = () => {
      // Space for one more message only once history is pruned.
      if (!pruned) abortForQuota();
    };
    let pruned = false;
    tab.database.entries.hook('deleting', () => {
      pruned = true;
    });
    tab.database.outbox.hook('creating', refuseWhileFull);
    expect(await tab.append([queued('written on a full disk')])).toEqual({ ok: true, value: 1 });
    tab.database.outbox.hook('creating').unsubscribe(refuseWhileFull);
    expect(await tab.database.entries.count()).toBe(25);
    expect(await tab.database.outbox.count()).toBe(2);
  });

  it('prunes history for the outcome of an outgoing message', async () => {
    for (const outcome of [published('mine', at(99)), failed('mine', 1), discarded('mine', 1)]) {
      const tab = await createDevice().openTab();
      await tab.append(Array.from({ length: 60 }, (_, n) => received(at(n))));
      await tab.append([page(at(0), at(59)), queued('mine')]);
      let pruned = false;
      tab.database.entries.hook('deleting', () => {
        pruned = true;
      });
      const refuseWhileFull = (_key: unknown, row: { readonly key?: string }) => {
        if (!pruned && row.key?.includes('|mine|') === true) abortForQuota();
      };
      tab.database.log.hook('creating', refuseWhileFull);
      expect(await tab.append([outcome])).toEqual({ ok: true, value: 1 });
      tab.close();
    }
  });

  it('prunes nothing for messages that the server has anyway', async () => {
    const tab = await createDevice().openTab();
    await tab.append([
      ...Array.from({ length: 60 }, (_, n) => received(at(n))),
      page(at(0), at(59)),
    ]);
    tab.database.entries.hook('creating', abortForQuota);
    expect(await tab.append([received(at(99))])).toMatchObject({ ok: false });
    tab.database.entries.hook('creating').unsubscribe(abortForQuota);
    expect(await tab.database.entries.count()).toBe(60);
  });
});

describe('a lost connection', () => {
  it('is reopened once, and the action retried once', async () => {
    const tab = await createDevice().openTab();
    tab.database.backendDB().close();
    expect(await tab.append([queued('a')])).toEqual({ ok: true, value: 1 });
    expect(await tab.findNextQueued(ROOM)).toMatchObject({ ok: true, value: { id: 'a' } });
  });

  it('does not silently create cleared data again', async () => {
    const device = createDevice();
    const tab = await device.openTab();
    await tab.append([queued('a')]);
    let losses = 0;
    tab.onLost(() => (losses += 1));
    tab.database.backendDB().close();
    await new Dexie(toUserDatabaseName('u_me'), device.options.indexedDB).delete();
    expect(await tab.append([queued('b')])).toMatchObject({
      ok: false,
      error: { kind: 'storage' },
    });
    expect(losses).toBe(1);
    expect(tab.database.isEnded).toBe(true);
  });

  it('is an error value once the store was closed for good', async () => {
    const tab = await createDevice().openTab();
    tab.close();
    expect(await tab.append([queued('a')])).toMatchObject({
      ok: false,
      error: { kind: 'storage' },
    });
    expect(await tab.findCoverage(ROOM)).toMatchObject({ ok: false });
    tab.close();
  });

  it('is an error value without any storage', async () => {
    const forbidden = {
      open: () => {
        throw named('SecurityError');
      },
    };
    const opened = await openUserStore('u_me', {
      indexedDB: { indexedDB: forbidden, IDBKeyRange },
    });
    expect(opened).toMatchObject({ ok: false, error: { kind: 'storage' } });
  });
});
