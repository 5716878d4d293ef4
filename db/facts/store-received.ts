import type { FactOf } from '#domain/events.ts';
import { type Received, toReceivedRow } from '#domain/project/received.ts';
import { type MessageRow, parseMessageKey } from '#domain/project/rows.ts';

import type { UserDatabase } from '../schema/database.ts';
import { addFacts, addRows } from './add-facts.ts';
import { findByIdentity, type Found, toFound } from './find-entries.ts';
import { type EntryRow, ROW_VERSION } from '../schema/tables.ts';
import { type Entry, toIdentity, toPositionKey } from './entry-row.ts';

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

interface Incoming {
  readonly fact: Received;
  readonly row: EntryRow;
}

/** The changes to write for refused entries. */
interface Changes {
  readonly deletes: string[];
  readonly puts: EntryRow[];
  /** Further copies of messages, which belong in the log: received ones, and ones stored before. */
  readonly copies: Received[];
  readonly displaced: Received[];
}

const toNoChanges = (): Changes => ({ deletes: [], puts: [], copies: [], displaced: [] });

/** The outcome of storing received entries. */
export interface Placed {
  /**
   * Entries that are stored now or were already. The others have the position of another message.
   */
  readonly stored: readonly Received[];
  /** How many of them are new. */
  readonly addedCount: number;
}

const toIncoming = (fact: Received): Incoming => ({
  fact,
  row: toEntryRow(toReceivedRow(fact), false),
});

/** One entry for each position: the first one. */
const toDistinct = (facts: readonly Received[]): readonly Incoming[] => {
  const byPosition = new Map<string, Incoming>();
  for (const incoming of facts.map(toIncoming)) {
    if (!byPosition.has(incoming.row.k)) byPosition.set(incoming.row.k, incoming);
  }
  return [...byPosition.values()];
};

/** Splits entries into the first copy of each message and the further copies. */
const splitCopies = (all: readonly Incoming[]) => {
  const firsts = new Map<string, Incoming>();
  for (const incoming of all) {
    const { f, k } = incoming.row;
    const known = firsts.get(f ?? k);
    if (known === undefined || k < known.row.k) firsts.set(f ?? k, incoming);
  }
  const copies = all.filter(
    (incoming) => firsts.get(incoming.row.f ?? incoming.row.k) !== incoming,
  );
  return { firsts: [...firsts.values()], copies };
};

/**
 * Replaces the stored copy of a message (`entry`) with `row`; the old copy becomes a fact of the
 * log.
 */
const replaceEntry = (entry: Entry, row: EntryRow, changes: Changes): void => {
  const copy = toReceivedFact(entry);
  changes.deletes.push(entry.k);
  changes.puts.push(row);
  if (copy !== undefined) changes.displaced.push(copy);
};

/** Adds the changes for an entry whose message is stored as `found`. */
const takeKnown = ({ fact, row }: Incoming, found: Found, k: string, changes: Changes): void => {
  if (found.kind === 'unreadable') {
    if (found.isNewer) changes.copies.push(fact);
    else {
      changes.deletes.push(k);
      changes.puts.push(row);
    }
    return;
  }
  const { entry } = found;
  const isEarlier = fact.timetoken < entry.row.timetoken;
  const isEcho = fact.timetoken === entry.row.timetoken && entry.isEcholess;
  if (isEarlier || isEcho) replaceEntry(entry, row, changes);
  else changes.copies.push(fact);
};

/**
 * Adds the changes for refused entries. Returns those whose position belongs to another message:
 * they are known to be at another position, or were never in this log.
 */
const takeRefused = async (
  db: UserDatabase,
  refused: readonly Incoming[],
  changes: Changes,
): Promise<ReadonlySet<Incoming>> => {
  const atPosition = await db.entries.bulkGet(refused.map(({ row }) => row.k));
  const misplaced = new Set<Incoming>();
  const rest: Incoming[] = [];
  for (const [i, incoming] of refused.entries()) {
    const stored = atPosition[i];
    const found = stored && toFound(stored);
    const isSame = stored?.f === incoming.row.f;
    if (found === undefined) rest.push(incoming);
    else if (found.kind === 'unreadable' && !found.isNewer) {
      // The damaged row was fetched again. Its message may also be stored elsewhere.
      changes.deletes.push(incoming.row.k);
      rest.push(incoming);
    } else if (!isSame) misplaced.add(incoming);
  }
  const identities = rest.map(({ row }) => row.f ?? '');
  const known = await findByIdentity(db, identities);
  for (const [i, incoming] of rest.entries()) {
    const stored = known[i];
    if (stored === undefined || stored.k === incoming.row.k) changes.puts.push(incoming.row);
    else takeKnown(incoming, toFound(stored), stored.k, changes);
  }
  return misplaced;
};

const write = async (
  db: UserDatabase,
  { deletes, puts, displaced }: Pick<Changes, 'deletes' | 'puts' | 'displaced'>,
): Promise<void> => {
  await Promise.all([
    deletes.length > 0 && db.entries.bulkDelete(deletes),
    puts.length > 0 && db.entries.bulkPut(puts),
    addFacts(db, displaced),
  ]);
};

/**
 * Stores received entries, each message once, at the smallest position of its copies; the other
 * copies become facts of the log. The write itself detects known entries. Runs in a transaction
 * over `entries` and `log`, and requests the additions synchronously.
 */
export const storeReceived = async (
  db: UserDatabase,
  facts: readonly Received[],
): Promise<Placed> => {
  if (facts.length === 0) return { stored: [], addedCount: 0 };
  const { firsts, copies } = splitCopies(toDistinct(facts));
  const added = await addRows(
    db,
    'entries',
    firsts.map(({ row }) => row),
  );
  const isWhole = added.refused.size === 0 && copies.length === 0;
  if (isWhole) {
    return { stored: firsts.map(({ fact }) => fact), addedCount: firsts.length };
  }
  const changes = toNoChanges();
  const refused = firsts.filter((_, i) => added.refused.has(i));
  const misplaced = await takeRefused(db, refused, changes);
  const misplacedMessages = new Set([...misplaced].map(({ row }) => row.f ?? row.k));
  const [further, again] = [
    copies.filter(({ row }) => !misplacedMessages.has(row.f ?? row.k)),
    copies.filter(({ row }) => misplacedMessages.has(row.f ?? row.k)),
  ];
  await write(db, changes);
  const logged = await addFacts(db, [...changes.copies, ...further.map(({ fact }) => fact)]);
  const stored = [...firsts.filter((first) => !misplaced.has(first)), ...further];
  // The first copy of these messages had the position of another message.
  const rest = await storeReceived(
    db,
    again.map(({ fact }) => fact),
  );
  const replaced = changes.puts.length;
  return {
    stored: [...stored.map(({ fact }) => fact), ...rest.stored],
    addedCount: firsts.length - refused.length + replaced + logged.length + rest.addedCount,
  };
};

/**
 * Stores outgoing messages that the engine has acknowledged but not returned yet. `before` is the
 * stored row, if there is one; its position is greater.
 */
export const storeAcknowledged = async (
  db: UserDatabase,
  rows: readonly { readonly row: MessageRow; readonly before: Entry | undefined }[],
): Promise<void> => {
  const changes = toNoChanges();
  for (const { row, before } of rows) {
    const stored = toEntryRow(row, true);
    if (before === undefined) changes.puts.push(stored);
    else replaceEntry(before, stored, changes);
  }
  await write(db, changes);
};
