import type { RoomKey } from '#domain/rooms.ts';

import type { UserDatabase } from '../schema/database.ts';
import { beforeFirstWrite } from '../schema/write.ts';
import { ROW_VERSION, TABLES } from '../schema/tables.ts';

export type Drafts = ReadonlyMap<RoomKey, string>;

/**
 * Replaces the drafts of one tab, with one request and its commit without a pause in between: a
 * page that is being closed has no more time, and even so a busy disk may lose the write. (No query
 * observes these rows, so Dexie does not have to track the write.)
 */
export const saveDrafts = async (db: UserDatabase, tab: string, drafts: Drafts): Promise<void> => {
  const renewal = beforeFirstWrite(db);
  if (renewal !== undefined) await renewal;
  // Opens the database if that is allowed.
  if (!db.isOpen()) await db.drafts.count();
  const at = db.clock.now();
  await new Promise<void>((resolve, reject) => {
    const trans = db.backendDB().transaction([TABLES.drafts], 'readwrite');
    trans.addEventListener('complete', () => resolve());
    trans.addEventListener('abort', () => reject(trans.error ?? new Error('aborted')));
    const table = trans.objectStore(TABLES.drafts);
    if (drafts.size === 0) table.delete(tab);
    else table.put({ tab, texts: [...drafts], at, v: ROW_VERSION });
    trans.commit();
  });
};

/** Needed by starts that find drafts, and by sign-outs. */
export const loadAdoption = () => import('./adopt-drafts.ts');

/**
 * Moves the drafts of closed tabs to this tab and returns them with its own. Most starts find
 * nothing, and a read does not write to disk.
 */
export const takeDrafts = async (
  db: UserDatabase,
  tab: string,
  openTabs: ReadonlySet<string>,
): Promise<Drafts> => {
  if ((await db.drafts.count()) === 0) return new Map();
  return (await loadAdoption()).adoptDrafts(db, tab, openTabs);
};
