import type { FactOf } from '#domain/events.ts';
import type { Received } from '#domain/project/received.ts';
import { type MessageRow, parseMessageKey } from '#domain/project/rows.ts';

import { type EntryRow, ROW_VERSION } from '../schema/tables.ts';
import { type Entry, toIdentity, toPositionKey } from './entry-row.ts';

/** The encoder of stored messages; not needed for the first paint, unlike the decoder. */

/** A message as stored. */
export const toEntryRow = (row: MessageRow, isEcholess: boolean): EntryRow => {
  const { key, room, timetoken, publisher, kind, text, clientName, clientAvatar } = row;
  const f = kind === 'message' ? toIdentity(key) : undefined;
  const own = isEcholess && f !== undefined ? f.slice(f.indexOf('|', room.length + 1) + 1) : '';
  return {
    k: toPositionKey(room, timetoken) + own,
    ...(f === undefined ? { p: publisher } : { f }),
    ...(kind === 'message' ? { t: text } : { u: text }),
    ...(clientName && { n: clientName }),
    ...(clientAvatar && { a: clientAvatar }),
    v: ROW_VERSION,
  };
};

/**
 * The fact of a received entry; undefined for an outgoing message that the engine has not returned
 * yet.
 */
export const toReceivedFact = ({ row, isEcholess }: Entry): Received | undefined => {
  if (isEcholess) return undefined;
  const { key, room, timetoken, publisher, kind, text, clientName, clientAvatar } = row;
  if (kind === 'unreadable') {
    return { type: 'v1.UnreadableReceived', room, timetoken, publisher, raw: text, via: 'history' };
  }
  const parts = parseMessageKey(key);
  const fact: FactOf<'v1.MessageReceived'> = {
    type: 'v1.MessageReceived',
    room,
    timetoken,
    publisher,
    text,
    clientName,
    clientAvatar,
    via: 'history',
  };
  return parts !== undefined && 'id' in parts ? { ...fact, id: parts.id } : fact;
};
