import 'fake-indexeddb/auto';

import { describe, expect, it } from 'vitest';

import { DeviceDatabase, type UserDatabase } from '#db/schema/database.ts';
import { createDeviceStore } from '#db/device/device-store.ts';
import type { StoreFlag, StoreFlags } from '#domain/ports/device.ts';
import { createWebSealing } from '#src/adapters/browser/web-sealing.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, published, queued, received } from '#tests/support/facts.ts';

const sealing = createWebSealing();
const toOwn = async (letter: string) => ({
  keys: [await sealing.importKey(letter.repeat(43))],
  storeIds: [`store-${letter}`],
});
const [mine, theirs] = await Promise.all([toOwn('m'), toOwn('t')]);

const createFlags = () => {
  const all = new Map<string, StoreFlag>();
  const flags: StoreFlags = {
    find: (id) => all.get(id),
    set: (id, flag) => void all.set(id, flag),
    remove: (id) => void all.delete(id),
  };
  return { all, flags };
};

/** A device on which u_me has an unsent message; with keys by default. */
const withUnsent = async ({ keyed = true } = {}) => {
  const { all, flags } = createFlags();
  const device = createDevice();
  const options = { ...device.options, flags };
  const store = createDeviceStore(options);
  const tab = await device.openTab('u_me', { flags });
  if (keyed) await tab.saveKeys(mine);
  await tab.append([received(at(1)), queued('secret')]);
  return { device, flags: all, options, store, tab };
};

const leave = async ({ store }: Awaited<ReturnType<typeof withUnsent>>) => {
  await store.signOut({ uid: 'u_me', discarded: [] });
  return store.purgeUserData('u_me');
};

const setVersion = (db: UserDatabase, version: number) =>
  db.table<object, string>('meta').update('projection', { version });

/** Rows of kept messages, readable or not. */
const countKept = async ({ options }: Awaited<ReturnType<typeof withUnsent>>): Promise<number> => {
  const { kept, sealed } = new DeviceDatabase(options);
  return (await kept.count()) + (await sealed.count());
};

const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);

describe('messages kept at a sign-out', () => {
  it('are decrypted for their author only', async () => {
    const all = await withUnsent();
    expect((await leave(all)).ok).toBe(true);
    const rows = await new DeviceDatabase(all.options).sealed.toArray();
    expect(rows).toHaveLength(1);
    expect(new TextDecoder().decode(rows[0]?.data)).not.toContain('secret');
    expect(await all.store.openKept('u_me', theirs.keys)).toMatchObject({
      ok: true,
      value: { items: [], unreadable: 1 },
    });
    const opened = await all.store.openKept('u_me', mine.keys);
    expect(opened).toMatchObject({ value: { items: [{ id: 'secret' }], unreadable: 0 } });
  });

  it('are bound to their author: no key decrypts them for another user', async () => {
    const all = await withUnsent();
    await leave(all);
    const db = new DeviceDatabase(all.options);
    await db.sealed.toCollection().modify({ uid: 'u_other' });
    expect(await all.store.openKept('u_other', mine.keys)).toMatchObject({
      value: { items: [], unreadable: 1 },
    });
  });

  it('are decrypted with a previous key as well', async () => {
    const all = await withUnsent();
    await leave(all);
    const opened = await all.store.openKept('u_me', [...theirs.keys, ...mine.keys]);
    expect(opened).toMatchObject({ value: { items: [{ id: 'secret' }], unreadable: 0 } });
  });

  it('are restored except damaged ones, which remain', async () => {
    const all = await withUnsent();
    const db = new DeviceDatabase(all.options);
    const [key] = mine.keys;
    if (key === undefined) throw new Error('no key');
    const damaged = await sealing.seal(key, 'u_me', '[{"id":"cut o');
    await db.sealed.add({ ...damaged, uid: 'u_me', v: 1 });
    await leave(all);
    const opened = await all.store.openKept('u_me', mine.keys);
    expect(opened).toMatchObject({ ok: true, value: { items: [{ id: 'secret' }], unreadable: 1 } });
    if (opened.ok) await all.store.dropKept('u_me', opened.value);
    expect(await countKept(all)).toBe(1);
  });

  it('remain if they cannot be decrypted, until they are discarded', async () => {
    const all = await withUnsent();
    await leave(all);
    const opened = await all.store.openKept('u_me', theirs.keys);
    if (opened.ok) await all.store.dropKept('u_me', opened.value);
    expect(await countKept(all)).toBe(1);
    await all.store.discardKept('u_other');
    expect(await countKept(all)).toBe(1);
    await all.store.discardKept('u_me');
    expect(await countKept(all)).toBe(0);
  });

  it('are encrypted with later ones if an earlier version kept them in plaintext, and restored once', async () => {
    const all = await withUnsent();
    const db = new DeviceDatabase(all.options);
    const items = await all.tab.listUnsent();
    if (!items.ok) throw new Error('not listed');
    const older = { ...items.value[0], id: 'older' };
    await db.kept.put({ uid: 'u_me', items: [older], v: 1 });
    const early = await all.store.openKept('u_me', mine.keys);
    expect(early.ok && idsOf(early.value.items)).toEqual(['older']);
    await leave(all);
    expect(await db.kept.count()).toBe(0);
    const opened = await all.store.openKept('u_me', mine.keys);
    if (!opened.ok) throw new Error('not opened');
    expect(idsOf(opened.value.items)).toEqual(['older', 'secret']);
    await all.store.dropKept('u_me', opened.value);
    expect(await countKept(all)).toBe(0);
  });
});

describe('a sign-out without a key', () => {
  it('leaves no history, and keeps unsent messages until there is a key', async () => {
    const all = await withUnsent({ keyed: false });
    expect(await leave(all)).toMatchObject({ ok: false, error: { kind: 'storage' } });
    const left = all.device.openDatabase();
    expect(await left.entries.count()).toBe(0);
    expect((await left.log.toArray()).map(({ fact }) => fact)).toEqual([queued('secret')]);
    expect(idsOf(await left.outbox.toArray())).toEqual(['secret']);
    left.close();
    expect((await all.store.purgeUserData('u_me', mine)).ok).toBe(true);
    expect(await all.store.openKept('u_me', mine.keys)).toMatchObject({
      value: { items: [{ id: 'secret' }] },
    });
  });

  it.each<[string, (left: UserDatabase) => PromiseLike<unknown>]>([
    ['a newer version of the tables', (left) => setVersion(left, 1)],
    [
      'a newer version that cannot read them',
      async (left) => {
        await setVersion(left, 1);
        await left.outbox.toCollection().modify({ at: 'unreadable' as never });
      },
    ],
    [
      'damage to one of them',
      (left) => left.outbox.update('secret', { at: 'unreadable' as never }),
    ],
  ])('keeps them beyond %s', async (_what, change) => {
    const all = await withUnsent({ keyed: false });
    await all.tab.append([queued('other'), queued('sent'), published('sent', at(2))]);
    await leave(all);
    const left = all.device.openDatabase();
    await change(left);
    left.end();
    expect((await all.store.purgeUserData('u_me', mine)).ok).toBe(true);
    const opened = await all.store.openKept('u_me', mine.keys);
    expect(opened.ok && idsOf(opened.value.items)).toEqual(['secret', 'other']);
  });

  it('leaves no history if the stored keys are unreadable', async () => {
    const all = await withUnsent();
    const db = all.device.openDatabase();
    await db.table<object, string>('meta').update('keys', { keys: null, storeIds: null });
    db.close();
    expect((await leave(all)).ok).toBe(false);
    const left = all.device.openDatabase();
    expect(await left.entries.count()).toBe(0);
    left.close();
  });

  it('completes at once without unsent messages', async () => {
    const all = await withUnsent({ keyed: false });
    await all.store.signOut({ uid: 'u_me', discarded: ['secret'] });
    expect((await all.store.purgeUserData('u_me')).ok).toBe(true);
    expect(await all.store.listPendingPurges()).toEqual({ ok: true, value: [] });
    expect(await countKept(all)).toBe(0);
  });
});

describe('the flag of a store', () => {
  const expectFlag = async (
    flags: ReadonlyMap<string, StoreFlag>,
    expected: StoreFlag | undefined,
  ) => {
    await expect.poll(() => flags.get('store-m')).toBe(expected);
  };

  it('states whether messages are unsent, and after a sign-out whether any are kept', async () => {
    const all = await withUnsent();
    await expectFlag(all.flags, 'unsent');
    await leave(all);
    await expectFlag(all.flags, 'kept');
    const again = await all.device.openTab('u_me', all.options);
    expect(await again.saveKeys(mine)).toEqual({ ok: true, value: { isNew: true, flag: 'kept' } });
    await expectFlag(all.flags, 'open');
    expect(await again.saveKeys(mine)).toMatchObject({ value: { isNew: false } });
    await all.store.discardKept('u_me');
    await leave(all);
    await expectFlag(all.flags, undefined);
  });

  it('is removed with a store that was deleted under the page', async () => {
    const all = await withUnsent();
    await expectFlag(all.flags, 'unsent');
    await all.device.openDatabase().delete();
    await expectFlag(all.flags, undefined);
    expect(all.tab.database.isEnded).toBe(true);
  });

  it('is found again after the store is gone, by its owner only', async () => {
    const all = await withUnsent();
    await expectFlag(all.flags, 'unsent');
    const elsewhere = createDevice();
    const other = await elsewhere.openTab('u_other', all.options);
    expect(await other.saveKeys(theirs)).toMatchObject({
      value: { isNew: true, flag: undefined },
    });
    const anew = await elsewhere.openTab('u_me', { flags: all.options.flags });
    expect(await anew.saveKeys(mine)).toMatchObject({ value: { isNew: true, flag: 'unsent' } });
  });
});
