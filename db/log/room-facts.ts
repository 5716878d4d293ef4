import type { WhereClause } from 'dexie';

import { type Envelope, OLD_PREFIXES, toKindPrefix, toRoomPrefix } from '#domain/envelope.ts';
import { ALL_ROOMS, isRoomKey, type RoomKey } from '#domain/rooms.ts';

import type { UserDatabase } from '../schema/database.ts';
import { REBUILD_CHUNK_SIZE } from '../schema/limits.ts';
import { afterAll } from '../facts/entry-row.ts';
import { toKnownEnvelopes } from '../facts/log-facts.ts';

export type FactScope = RoomKey | typeof ALL_ROOMS;

/** Kinds of facts whose key starts with their room. */
const ROOM_KINDS = ['copy', 'page', 'read'] as const;

/** The key prefixes of facts that are found by their room, in index order. */
const ROOM_PREFIXES = [
  toKindPrefix('copy'),
  OLD_PREFIXES.page,
  toKindPrefix('read'),
  OLD_PREFIXES.received,
];

/**
 * The ranges of the index around those kinds: facts about the user's messages, and about no room.
 */
const toOtherRanges = (): readonly (readonly [from: string, before: string])[] => {
  const starts = ['', ...ROOM_PREFIXES.map(afterAll)];
  return starts.map((from, i) => [from, ROOM_PREFIXES[i] ?? afterAll('')]);
};

/** The rooms that follow `prefix` in the keys of an index, before a separator. */
export const listKeyRooms = async (
  index: WhereClause<unknown>,
  prefix: string,
): Promise<readonly RoomKey[]> => {
  const rooms: RoomKey[] = [];
  for (let from = prefix; ;) {
    const [key]: readonly unknown[] = await index
      .between(from, afterAll(prefix), false)
      .limit(1)
      .keys();
    if (typeof key !== 'string') return rooms;
    const room = key.slice(prefix.length).split('|', 1)[0];
    if (isRoomKey(room)) rooms.push(room);
    from = isRoomKey(room) ? afterAll(`${prefix}${room}|`) : key;
  }
};

const addTo = <K, V>(sets: Map<K, Set<V>>, key: K, value: V): void => {
  const known = sets.get(key);
  if (known === undefined) sets.set(key, new Set([value]));
  else known.add(value);
};

/**
 * Finds the facts of one room after the other. Only the positions of facts about the user's
 * messages or no room are kept in memory, because their keys do not contain a room.
 */
export class RoomFacts {
  readonly #db: UserDatabase;
  readonly #byId = new Map<string, Set<number>>();
  readonly #ids = new Map<RoomKey, Set<string>>();
  readonly #roomless = new Set<number>();
  /** The log was read up to here. */
  #readTo = 0;

  constructor(db: UserDatabase) {
    this.#db = db;
  }

  /** Reads the positions that are kept in memory. */
  async read(): Promise<void> {
    const { log } = this.#db;
    [this.#readTo = 0] = await log.toCollection().reverse().limit(1).primaryKeys();
    for (const [start, before] of toOtherRanges()) {
      for (let from = start; ;) {
        const range = log.where('key').between(from, before, false, false);
        const rows = await range.limit(REBUILD_CHUNK_SIZE).toArray();
        for (const envelope of toKnownEnvelopes(rows)) this.#take(envelope);
        const last = rows.at(-1);
        if (last === undefined || rows.length < REBUILD_CHUNK_SIZE) break;
        from = last.key;
      }
    }
  }

  /** Adds the facts appended since then; call it in the transaction that projects the facts. */
  async catchUp(): Promise<void> {
    const rows = await this.#db.log.where('seq').above(this.#readTo).toArray();
    for (const envelope of toKnownEnvelopes(rows)) {
      this.#readTo = Math.max(this.#readTo, envelope.seq);
      this.#take(envelope);
    }
  }

  #take({ seq, fact }: Envelope): void {
    if ('publisher' in fact) return;
    if ('id' in fact) {
      addTo(this.#byId, fact.id, seq);
      if ('room' in fact) addTo(this.#ids, fact.room, fact.id);
    } else if (!('room' in fact)) {
      this.#roomless.add(seq);
    }
  }

  /** All rooms with facts, in a fixed order. */
  async listScopes(): Promise<readonly FactScope[]> {
    const { log, entries } = this.#db;
    const rooms = await Promise.all([
      ...ROOM_KINDS.map((kind) => listKeyRooms(log.where('key'), toKindPrefix(kind))),
      listKeyRooms(entries.where('k'), ''),
    ]);
    return [...new Set<FactScope>([ALL_ROOMS, ...this.#ids.keys(), ...rooms.flat()])].toSorted();
  }

  /** The facts of a room in the order of the log. */
  async listFacts(scope: FactScope): Promise<readonly Envelope[]> {
    const { log } = this.#db;
    const seqs = isRoomKey(scope)
      ? [...(this.#ids.get(scope) ?? [])].flatMap((id) => Array.from(this.#byId.get(id) ?? []))
      : [...this.#roomless];
    const parts = await Promise.all([
      log.bulkGet(seqs),
      ...ROOM_KINDS.map((kind) => log.where('key').startsWith(toRoomPrefix(kind, scope)).toArray()),
    ]);
    const stored = parts.flat().filter((row) => row !== undefined);
    return toKnownEnvelopes(stored)
      .filter(({ fact }) => !('room' in fact) || fact.room === scope)
      .toSorted((a, b) => a.seq - b.seq);
  }
}
