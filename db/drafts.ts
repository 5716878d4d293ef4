import type { RoomKey } from '#domain/rooms.ts';
import { parseDraft } from '#domain/schemas/rows.ts';

import { Dexie } from 'dexie';

import type { UserDatabase } from './database.ts';
import { readRows } from './readable.ts';
import { ROW_VERSION } from './tables.ts';
import { write } from './write.ts';

/** Texts begun and not sent, by room. */
export type Drafts = ReadonlyMap<RoomKey, string>;

/** Replaces what one tab has begun. */
export const saveDrafts = (db: UserDatabase, tab: string, drafts: Drafts): Promise<void> =>
  write(db, [db.drafts], async () => {
    const at = db.clock.now();
    const rows = [...drafts].map(([room, text]) => ({ tab, room, text, at, v: ROW_VERSION }));
    await db.drafts.where('[tab+room]').between([tab, Dexie.minKey], [tab, Dexie.maxKey]).delete();
    await db.drafts.bulkPut(rows);
  });

/**
 * What this tab and tabs that are gone had begun is this tab's, and the answer. Where two of them
 * wrote in the same room the newer text comes first; the older waits for the next start.
 */
export const takeDrafts = async (
  db: UserDatabase,
  tab: string,
  openTabs: ReadonlySet<string>,
): Promise<Drafts> => {
  // Most starts find nothing, and a read costs no disk.
  if ((await db.drafts.count()) === 0) return new Map();
  return write(db, [db.drafts], async () => {
    const left = readRows(parseDraft, await db.drafts.toArray())
      .rows.filter((draft) => draft.tab === tab || !openTabs.has(draft.tab))
      .toSorted((a, b) => a.at - b.at);
    const newest = new Map(left.map((draft) => [draft.room, draft]));
    const taken = [...newest.values()];
    await db.drafts.bulkDelete(taken.map((draft) => [draft.tab, draft.room]));
    await db.drafts.bulkPut(taken.map((draft) => ({ ...draft, tab, v: ROW_VERSION })));
    return new Map(taken.map(({ room, text }) => [room, text]));
  });
};
