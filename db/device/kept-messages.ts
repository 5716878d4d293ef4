import type { Kept, OwnKeys } from '#domain/ports/device.ts';
import type { OutboxItem } from '#domain/project/rows.ts';
import { parseOutboxItem } from '#domain/project/row-schemas.ts';
import type { Sealing } from '#domain/ports/sealing.ts';
import { parseJson } from '#domain/schemas/json.ts';

import type { DeviceDatabase } from '../schema/database.ts';
import { readRows } from '../schema/readable.ts';
import { findSignOuts } from './sign-outs.ts';
import { ROW_VERSION, type SealedRow } from '../schema/tables.ts';
import { write } from '../schema/write.ts';

const toItems = (rows: unknown): readonly OutboxItem[] =>
  readRows(parseOutboxItem, Array.isArray(rows) ? rows : []).rows;

/** Messages that an earlier version of the page kept unencrypted. */
const findClear = async (db: DeviceDatabase, uid: string): Promise<readonly OutboxItem[]> =>
  toItems((await db.kept.get(uid))?.items);

/**
 * Encrypts and keeps messages, together with those that an earlier version kept unencrypted. If it
 * runs twice, the messages are kept twice; decrypting deduplicates them by id.
 */
export const keepSealed = async (
  db: DeviceDatabase,
  sealing: Sealing,
  {
    uid,
    keys,
    items,
  }: Pick<OwnKeys, 'keys'> & {
    readonly uid: string;
    readonly items: readonly OutboxItem[];
  },
): Promise<void> => {
  const [key] = keys;
  if (key === undefined) throw new Error('There is no key.');
  // Awaiting anything but the database would end its transaction.
  const all = [...(await findClear(db, uid)), ...items];
  const sealed = await sealing.seal(key, uid, JSON.stringify(all));
  await write(db, [db.kept, db.sealed], async () => {
    await db.sealed.add({ ...sealed, uid, v: ROW_VERSION });
    await db.kept.delete(uid);
  });
};

/** Undefined if the text is not JSON. */
const parseItems = (text: string): readonly OutboxItem[] | undefined => {
  const rows = parseJson(text);
  return rows === undefined ? undefined : toItems(rows);
};

/** Decrypts with the first matching key; a damaged row counts as unreadable and remains. */
const openRow = async (
  sealing: Sealing | undefined,
  keys: OwnKeys['keys'],
  row: SealedRow,
): Promise<readonly OutboxItem[] | undefined> => {
  for (const key of keys) {
    const text = await sealing?.open(key, row.uid, row);
    if (text !== undefined) return parseItems(text);
  }
  return undefined;
};

/** See `DeviceStore.openKept`. */
export const openKept = async (
  db: DeviceDatabase,
  sealing: Sealing | undefined,
  uid: string,
  keys: OwnKeys['keys'],
): Promise<Kept> => {
  const { count } = await findSignOuts(db);
  const byId = new Map((await findClear(db, uid)).map((item) => [item.id, item]));
  const opened: number[] = [];
  let unreadable = 0;
  for (const row of await db.sealed.where('uid').equals(uid).toArray()) {
    const items = await openRow(sealing, keys, row);
    if (items === undefined) unreadable += 1;
    else opened.push(row.id);
    for (const item of items ?? []) byId.set(item.id, item);
  }
  return { items: [...byId.values()], opened, unreadable, signOuts: count };
};

/** See `DeviceStore.dropKept`. */
export const dropKept = (db: DeviceDatabase, uid: string, kept: Kept): Promise<void> =>
  write(db, [db.kept, db.sealed, db.signOuts], async () => {
    if ((await findSignOuts(db)).count !== kept.signOuts) return;
    await db.kept.delete(uid);
    await db.sealed.bulkDelete([...kept.opened]);
  });

/** See `DeviceStore.discardKept`. */
export const discardKept = (db: DeviceDatabase, uid: string): Promise<void> =>
  write(db, [db.kept, db.sealed], async () => {
    await db.kept.delete(uid);
    await db.sealed.where('uid').equals(uid).delete();
  });
