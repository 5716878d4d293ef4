import type { ScannedMessage } from '#db/read/scan-messages.ts';
import {
  type DashboardFigures,
  type FiguresQuery,
  toDashboardFigures,
} from '#domain/dashboard/figures.ts';
import { type People, type Sender, toSender, toSenderLabel } from '#domain/rules/sender.ts';
import { isStaff, toStaff } from '#domain/rules/waiting.ts';
import { type RoomKey, splitRoomKey } from '#domain/rooms.ts';
import { type Team, toFullName } from '#domain/schemas/team.ts';
import { findRanges, toExcerpt } from '#domain/text/found-text.ts';
import { hasWords } from '#domain/text/search.ts';
import { foldSpaced, isPlace, type SearchQuery } from '#domain/text/search-query.ts';
import { toVisible } from '#domain/visible-text.ts';

import type { Directory, Neighbour, SearchAnswer, SearchCoverage, SearchHit } from './protocol.ts';

/** A message with its text for comparison, once that was needed: the dashboard compares none. */
interface Entry extends ScannedMessage {
  folded?: string;
}

/** An unreadable message has no text: it is counted, but not searched. */
type Searched = Entry & { readonly text: string };

interface RoomEntries {
  /** Oldest first, each once, unless `isMixed`. */
  entries: Entry[];
  /** Some were added out of order, replaced or removed since. */
  isMixed: boolean;
}

const isSearched = (entry: Entry): entry is Searched => entry.text !== undefined;

const toFolded = (entry: Searched): string => {
  if (entry.folded !== undefined) return entry.folded;
  const folded = foldSpaced(entry.text);
  // Most are the same: one text in memory instead of two.
  entry.folded = folded === entry.text ? entry.text : folded;
  return entry.folded;
};

const NOBODY: Directory = {
  user: { uid: '' },
  teams: [],
  staff: undefined,
};
const ME = 'me';

const byTime = (a: Entry, b: Entry): number => {
  if (a.timetoken === b.timetoken) return a.key < b.key ? -1 : 1;
  return a.timetoken < b.timetoken ? -1 : 1;
};

/** The number of entries before the first one that is not before `entry`. */
const findIndex = (entries: readonly Entry[], entry: Entry): number => {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = entries[middle];
    if (at !== undefined && byTime(at, entry) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The first entry with a text, starting at `from`. */
const findSearched = (
  entries: readonly Entry[],
  from: number,
  step: 1 | -1,
): Searched | undefined => {
  for (let at = from; ; at += step) {
    const entry = entries[at];
    if (entry === undefined || isSearched(entry)) return entry;
  }
};

/** A test of rooms that is made once for each. */
const oncePerRoom = (test: (room: RoomKey) => boolean): ((room: RoomKey) => boolean) => {
  const known = new Map<RoomKey, boolean>();
  return (room) => {
    const answer = known.get(room) ?? test(room);
    known.set(room, answer);
    return answer;
  };
};

/** All messages of a user in memory, searched one by one: 100,000 take a few milliseconds. */
export class MessageIndex {
  readonly #entries = new Map<string, Entry>();
  /** The entries with a text, oldest first; undefined after a change. */
  #order: readonly Searched[] | undefined;
  readonly #rooms = new Map<RoomKey, RoomEntries>();
  #directory = NOBODY;
  /** The listed clients; undefined until they are known. */
  #teams: ReadonlyMap<string, Team> | undefined;

  setDirectory(directory: Directory): void {
    this.#directory = directory;
    this.#teams = new Map(directory.teams.map((team) => [team.client_id, team]));
  }

  put(messages: readonly ScannedMessage[]): void {
    for (const message of messages) {
      if (message.oldKey !== undefined) this.#removeOne(message.oldKey);
      this.#removeOne(message.key);
      this.#entries.set(message.key, message);
      const room = this.#rooms.get(message.room) ?? { entries: [], isMixed: false };
      this.#rooms.set(message.room, room);
      const last = room.entries.at(-1);
      room.isMixed ||= last !== undefined && byTime(last, message) > 0;
      room.entries.push(message);
    }
    this.#order = undefined;
  }

  /** Removes messages; without keys, all. */
  remove(keys?: readonly string[]): void {
    if (keys === undefined) {
      this.#entries.clear();
      this.#rooms.clear();
    }
    for (const key of keys ?? []) this.#removeOne(key);
    this.#order = undefined;
  }

  /** The newest messages that meet a query, and how many do; none of clients who were removed. */
  search(query: SearchQuery, limit: number): Pick<SearchAnswer, 'hits' | 'total'> {
    const order = this.#inOrder();
    const isWanted = this.#toFilter(query);
    const found: Searched[] = [];
    let total = 0;
    for (let i = order.length - 1; i >= 0; i -= 1) {
      const entry = order[i];
      if (entry === undefined || entry.timetoken < query.after) break;
      if (!isWanted(entry)) continue;
      total += 1;
      if (found.length < limit) found.push(entry);
    }
    return { hits: found.map((entry) => this.#toHit(entry, query)), total };
  }

  /** The figures of the dashboard, from all messages with listed clients. */
  count(query: FiguresQuery): DashboardFigures {
    const { user, staff: list } = this.#directory;
    const staff = toStaff(user.uid, list);
    const listed = [...this.#rooms.keys()].filter((room) => this.#isListed(room));
    const messages = listed.map((room) => [room, this.#inRoom(room)] as const);
    return toDashboardFigures(messages, ({ publisher }) => isStaff(publisher, staff), query);
  }

  coverage(isWhole: boolean): SearchCoverage {
    const order = this.#inOrder();
    return { messages: order.length, since: order[0]?.timetoken, isWhole };
  }

  #removeOne(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    const room = this.#rooms.get(entry.room);
    if (room !== undefined) room.isMixed = true;
  }

  #inOrder(): readonly Searched[] {
    // Removed entries leave the memory as well.
    if (this.#order === undefined) for (const room of this.#rooms.keys()) this.#inRoom(room);
    this.#order ??= [...this.#entries.values()].filter(isSearched).sort(byTime);
    return this.#order;
  }

  /** The entries of a room, oldest first. */
  #inRoom(room: RoomKey): readonly Entry[] {
    const known = this.#rooms.get(room);
    if (known?.isMixed === true) {
      const isCurrent = (entry: Entry): boolean => this.#entries.get(entry.key) === entry;
      known.entries = [...new Set(known.entries)].filter(isCurrent).sort(byTime);
      known.isMixed = false;
    }
    return known?.entries ?? [];
  }

  #isListed(room: RoomKey): boolean {
    return this.#teams?.has(splitRoomKey(room).clientId) ?? true;
  }

  #findTeam(room: RoomKey): Team {
    const { clientId } = splitRoomKey(room);
    const unlisted = { client_id: clientId, client: { first_name: '', last_name: '' } };
    return this.#teams?.get(clientId) ?? unlisted;
  }

  #toSender(entry: Entry): Sender {
    const { user, staff } = this.#directory;
    const people: People = { user, staff, team: this.#findTeam(entry.room) };
    return toSender(entry, people);
  }

  #toFilter({ terms, from, in: places, before }: SearchQuery): (entry: Searched) => boolean {
    const isInPlace = oncePerRoom(
      (room) =>
        this.#isListed(room) &&
        (places.length === 0 || isPlace(places, this.#findTeam(room), splitRoomKey(room).roomId)),
    );
    const isBy = (entry: Entry): boolean => {
      const { role, name } = this.#toSender(entry);
      return from.every((part) => (part === ME ? role === 'own' : hasWords(name, [part])));
    };
    return (entry) =>
      entry.timetoken < before &&
      terms.every((term) => toFolded(entry).includes(term)) &&
      isInPlace(entry.room) &&
      (from.length === 0 || isBy(entry));
  }

  #toNeighbour(entry: Searched | undefined): Neighbour | undefined {
    if (entry === undefined) return undefined;
    const { text } = toExcerpt({ text: toVisible(entry.text), ranges: [] });
    return { sender: toSenderLabel(this.#toSender(entry)), text };
  }

  #toHit(entry: Searched, { terms }: SearchQuery): SearchHit {
    const { key, room, timetoken, text } = entry;
    const around = this.#inRoom(room);
    const index = findIndex(around, entry);
    return {
      key,
      room,
      client: toFullName(this.#findTeam(room)),
      at: timetoken,
      sender: this.#toSender(entry),
      excerpt: toExcerpt({ text: toVisible(text), ranges: findRanges(text, terms) }),
      before: this.#toNeighbour(findSearched(around, index - 1, -1)),
      after: this.#toNeighbour(findSearched(around, index + 1, 1)),
    };
  }
}
