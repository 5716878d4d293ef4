import type { RoomKey } from '#domain/rooms.ts';
import { parseDrafts } from '#domain/project/row-schemas.ts';

import type { UserDatabase } from '../schema/database.ts';
import { toKnownEnvelopes } from '../facts/log-facts.ts';
import { ACCEPTED_KEPT } from '../schema/limits.ts';
import { readRows } from '../schema/readable.ts';
import { type DraftsRow, ROW_VERSION } from '../schema/tables.ts';
import { write } from '../schema/write.ts';

/** A draft is stored at most this long before or after its acceptance, ms. */
const ACCEPTED_WITHIN_MS = 5000;

type IsAccepted = (room: RoomKey, text: string, at: number) => boolean;

/** The newest facts of a kind. Keys end in UUIDv7s, so the last keys are the newest. */
const listNewest = async ({ log }: UserDatabase, kind: 'queued' | 'discarded') => {
  const newest = log.where('key').startsWith(`${kind}|`).reverse().limit(ACCEPTED_KEPT);
  return toKnownEnvelopes(await newest.toArray());
};

/**
 * Whether a draft was accepted as a message: a tab that crashed at that moment left its text stored
 * as a draft, which could be sent twice. A deleted message can be restored as a draft.
 */
const findAccepted = async (db: UserDatabase): Promise<IsAccepted> => {
  const [accepted, deleted] = await Promise.all([
    listNewest(db, 'queued'),
    listNewest(db, 'discarded'),
  ]);
  const isDeleted = (id: string): boolean =>
    deleted.some(({ fact }) => fact.type === 'v1.MessageDiscarded' && fact.id === id);
  return (room, text, at) =>
    accepted.some(
      (known) =>
        known.fact.type === 'v1.MessageQueued' &&
        !isDeleted(known.fact.id) &&
        known.fact.room === room &&
        known.fact.text === text.toWellFormed() &&
        known.at > at - ACCEPTED_WITHIN_MS,
    );
};

/** Splits the drafts of several tabs in their order: one text per room to take, and the rest. */
const splitByRoom = (rows: readonly DraftsRow[], isAccepted: IsAccepted) => {
  const taken = new Map<RoomKey, string>();
  const left = rows.map(({ tab, texts, at }) => {
    const rest = texts.filter(([room, text]) => {
      if (isAccepted(room, text, at)) return false;
      const other = taken.get(room);
      if (other === undefined) taken.set(room, text);
      return other !== undefined && other !== text;
    });
    return { tab, texts: rest, at, v: ROW_VERSION };
  });
  return { taken, left: left.filter(({ texts }) => texts.length > 0) };
};

/**
 * Moves the drafts of closed tabs to this tab and returns them with its own. If two of them have a
 * draft in the same room, the newer one is adopted; the older one waits for the next time. This
 * tab's own draft comes first, whatever its time: the tab shows it already.
 */
export const adoptDrafts = (
  db: UserDatabase,
  tab: string,
  openTabs: ReadonlySet<string>,
): Promise<ReadonlyMap<RoomKey, string>> =>
  write(db, [db.drafts, db.log], async () => {
    const isAccepted = await findAccepted(db);
    const rows = readRows(parseDrafts, await db.drafts.toArray())
      .rows.filter((row) => row.tab === tab || !openTabs.has(row.tab))
      .toSorted((a, b) => Number(b.tab === tab) - Number(a.tab === tab) || b.at - a.at);
    const { taken, left } = splitByRoom(rows, isAccepted);
    await db.drafts.bulkDelete(rows.map((row) => row.tab));
    await db.drafts.bulkPut(left);
    const at = db.clock.now();
    if (taken.size > 0) await db.drafts.put({ tab, texts: [...taken], at, v: ROW_VERSION });
    return taken;
  });

/** See `Store.findOtherDrafts`. */
export const findOtherDrafts = async (
  db: UserDatabase,
  exceptTab: string,
): Promise<number | undefined> => {
  const { rows } = readRows(parseDrafts, await db.drafts.toArray());
  const times = rows
    .filter(({ tab, texts }) => tab !== exceptTab && texts.some(([, text]) => text.trim()))
    .map(({ at }) => at);
  return times.length > 0 ? Math.max(...times) : undefined;
};
