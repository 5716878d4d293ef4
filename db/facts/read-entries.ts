import { type MessageRow, parseMessageKey } from '#domain/project/rows.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { Timetoken } from '#domain/timetoken.ts';

import type { UserDatabase } from '../schema/database.ts';
import type { EntryRow } from '../schema/tables.ts';
import { type Entry, parsePositionKey, toRowKey } from './entry-row.ts';
import { toFound } from './find-entries.ts';

/** Every row of a room in the table `entries`. */
interface RoomEntries {
  readonly entries: readonly Entry[];
  /** Placeholders for messages that only a newer version can read. */
  readonly newer: readonly MessageRow[];
  /** The keys of unreadable rows, and the positions of those that the engine's log can return. */
  readonly damaged: readonly string[];
  readonly positions: readonly Timetoken[];
}

/** A row that this version cannot read counts as the message that its keys identify. */
const toPlaceholderRow = ({ k, f }: EntryRow): readonly MessageRow[] => {
  const position = parsePositionKey(k);
  const key = toRowKey(f);
  const parts = key === undefined ? undefined : parseMessageKey(key);
  if (position === undefined || key === undefined || parts === undefined || !('id' in parts))
    return [];
  const { room, timetoken } = position;
  const sender = { publisher: parts.publisher, clientName: '', clientAvatar: '' };
  return [{ key, room, timetoken, kind: 'message', text: '', ...sender }];
};

/** Reads all messages of a room, in the caller's transaction. */
export const readEntries = async (db: UserDatabase, room: RoomKey): Promise<RoomEntries> => {
  const entries: Entry[] = [];
  const newer: MessageRow[] = [];
  const damaged: string[] = [];
  const positions: Timetoken[] = [];
  for (const stored of await db.entries.where('k').startsWith(`${room}|`).toArray()) {
    const found = toFound(stored);
    if (found.kind === 'entry') entries.push(found.entry);
    else if (found.isNewer) newer.push(...toPlaceholderRow(stored));
    else {
      damaged.push(stored.k);
      const position = parsePositionKey(stored.k);
      if (position?.id === undefined && position !== undefined) positions.push(position.timetoken);
    }
  }
  return { entries, newer, damaged, positions };
};
