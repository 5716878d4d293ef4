import type { RoomKey } from '#domain/rooms.ts';
import { parseDraft } from '#domain/schemas/rows.ts';

import { Dexie } from 'dexie';

import type { UserDatabase } from './database.ts';
import { toKnownEnvelopes } from './log-facts.ts';
import { readRows } from './readable.ts';
import { type DraftRow, ROW_VERSION } from './tables.ts';
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

const toKey = ({ tab, room }: DraftRow): [string, RoomKey] => [tab, room];

/** A draft is stored at most so long before or after its acceptance, ms. */
const ACCEPTED_WITHIN_MS = 5000;
/** So many of the newest accepted messages are looked at. */
const ACCEPTED_SEEN = 50;

/**
 * Whether a draft was accepted as a message: a tab that died at that moment had its text still
 * stored as one, and it would be sent twice. Keys end in UUIDv7s: the last are the newest.
 */
const findAccepted = async (db: UserDatabase): Promise<(draft: DraftRow) => boolean> => {
  const newest = db.log.where('key').startsWith('queued|').reverse().limit(ACCEPTED_SEEN);
  const accepted = toKnownEnvelopes(await newest.toArray());
  return ({ room, text, at }) =>
    accepted.some(
      (known) =>
        known.fact.type === 'v1.MessageQueued' &&
        known.fact.room === room &&
        known.fact.text === text.toWellFormed() &&
        known.at > at - ACCEPTED_WITHIN_MS,
    );
};

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
  return write(db, [db.drafts, db.log], async () => {
    const isAccepted = await findAccepted(db);
    const all = readRows(parseDraft, await db.drafts.toArray())
      .rows.filter((draft) => draft.tab === tab || !openTabs.has(draft.tab))
      .toSorted((a, b) => a.at - b.at);
    await db.drafts.bulkDelete(all.filter(isAccepted).map(toKey));
    const left = all.filter((draft) => !isAccepted(draft));
    const newest = new Map(left.map((draft) => [draft.room, draft]));
    const taken = [...newest.values()];
    await db.drafts.bulkDelete(taken.map(toKey));
    await db.drafts.bulkPut(taken.map((draft) => ({ ...draft, tab, v: ROW_VERSION })));
    return new Map(taken.map(({ room, text }) => [room, text]));
  });
};
