import {
  IconChecks,
  IconKeyboard,
  IconLogout,
  IconMessageSearch,
  IconPin,
} from '@tabler/icons-react';

import { ROOM_TITLES, type RoomKey, splitRoomKey } from '#domain/rooms.ts';
import { toMessagePath, toSearchPath } from '#domain/queries.ts';
import { toRoomPath } from '#domain/routes.ts';
import { type ClientHit, findClients } from '#domain/text/client-hits.ts';
import { toSenderLabel } from '#domain/rules/sender.ts';
import { findLastRoom } from '#domain/rules/room-navigation.ts';
import { hasWords, toWords } from '#domain/text/search.ts';
import { sumClientUnread, type UnreadByRoom } from '#domain/rules/unread.ts';
import { type Team, toFullName } from '#domain/schemas/team.ts';
import { compareTimetokens } from '#domain/timetoken.ts';
import type { SearchHit } from '#src/actors/search.ts';

export type Command = 'mark-all-read' | 'pin' | 'shortcuts' | 'sign-out';

/** The effect of an option: navigates to a path, or runs a command. */
export type Choice = { readonly to: string } | { readonly run: Command };

/** One thing to choose. */
export interface Option {
  readonly choice: Choice;
  readonly label: string;
  readonly unread: number;
}

/** One row: its subject and its options, the main option first. */
export type Entry =
  | {
      readonly kind: 'client';
      readonly id: string;
      readonly client: string;
      /** Undefined if the query names a room. */
      readonly main: Option | undefined;
      readonly rooms: readonly Option[];
    }
  | {
      readonly kind: 'room';
      readonly id: string;
      readonly client: string;
      readonly clientId: string;
      readonly main: Option;
    }
  | {
      readonly kind: 'message';
      readonly id: string;
      readonly hit: SearchHit;
      readonly main: Option;
    }
  | {
      readonly kind: 'choice';
      readonly id: string;
      readonly icon: typeof IconLogout;
      readonly main: Option;
    };

export interface Group {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** A page to navigate to. */
export interface Page {
  readonly to: string;
  readonly label: string;
  readonly icon: typeof IconLogout;
}

/** The data that the palette searches. */
export interface PaletteData {
  readonly pages: readonly Page[];
  readonly teams: readonly Team[];
  readonly unread: UnreadByRoom;
  /** Messages that match the query, newest first. */
  readonly messages: readonly SearchHit[];
  /** Newest first. */
  readonly visited: readonly RoomKey[];
  /** The path of the current page. */
  readonly here: string;
  /** "Pin Maya Okafor to the top"; undefined where no client is open. */
  readonly pin: string | undefined;
  /** The store is open, so a sign-out can find unsent messages. */
  readonly canSignOut: boolean;
}

const UNREAD_MAX = 5;
const RECENT_MAX = 5;
const CLIENTS_MAX = 30;

const toChoiceEntry = (choice: Choice, label: string, icon: typeof IconLogout): Entry => ({
  kind: 'choice',
  id: label,
  icon,
  main: { choice, label, unread: 0 },
});

const ALL_READ = toChoiceEntry({ run: 'mark-all-read' }, 'Mark all as read', IconChecks);
const HELP = toChoiceEntry({ run: 'shortcuts' }, 'Keyboard shortcuts', IconKeyboard);
const SIGN_OUT = toChoiceEntry({ run: 'sign-out' }, 'Sign out', IconLogout);

const toRoomOption = (room: RoomKey, unread: UnreadByRoom): Option => ({
  choice: { to: toRoomPath(room) },
  label: ROOM_TITLES[splitRoomKey(room).roomId],
  unread: unread.get(room)?.count ?? 0,
});

const toClientEntry = ({ team, rooms, isRoomNamed }: ClientHit, data: PaletteData): Entry => {
  const client = toFullName(team);
  const last = findLastRoom(team.client_id, data.visited);
  const unread = sumClientUnread(data.unread, team.client_id);
  return {
    kind: 'client',
    id: team.client_id,
    client,
    main: isRoomNamed ? undefined : { choice: { to: toRoomPath(last) }, label: client, unread },
    rooms: rooms.map((room) => toRoomOption(room, data.unread)),
  };
};

/** The messages that were found, and the link to all of them. */
const toMessageEntries = (query: string, hits: readonly SearchHit[]): readonly Entry[] => {
  if (hits.length === 0) return [];
  const all = toChoiceEntry(
    { to: toSearchPath(query) },
    'All matching messages',
    IconMessageSearch,
  );
  const found = hits.map((hit): Entry => {
    const { client, room, sender, excerpt } = hit;
    const label = `${client}, ${ROOM_TITLES[splitRoomKey(room).roomId]}, ${toSenderLabel(sender)}: ${excerpt.text}`;
    const main = { choice: { to: toMessagePath(room, hit.at) }, label, unread: 0 };
    return { kind: 'message', id: hit.key, hit, main };
  });
  return [...found, all];
};

/** Rooms of clients who are still in the list. */
const toRoomEntries = (
  group: string,
  rooms: readonly RoomKey[],
  data: PaletteData,
): readonly Entry[] =>
  rooms.flatMap((room) => {
    const { clientId } = splitRoomKey(room);
    const team = data.teams.find(({ client_id }) => client_id === clientId);
    if (team === undefined || toRoomPath(room) === data.here) return [];
    const main = toRoomOption(room, data.unread);
    return [{ kind: 'room', id: `${group} ${room}`, client: toFullName(team), clientId, main }];
  });

/**
 * The groups of the palette, without empty ones. Before a query: unread rooms, the rooms visited
 * last, up to 30 clients; then pages and commands.
 */
export const composeGroups = (query: string, data: PaletteData): readonly Group[] => {
  const words = toWords(query);
  const isWanted = ({ main }: Entry): boolean => main !== undefined && hasWords(main.label, words);
  const isFresh = (room: RoomKey): boolean => !data.unread.has(room);
  const commands = [
    ...(data.unread.size > 0 ? [ALL_READ] : []),
    ...(data.pin === undefined ? [] : [toChoiceEntry({ run: 'pin' }, data.pin, IconPin)]),
    HELP,
    ...(data.canSignOut ? [SIGN_OUT] : []),
  ];
  const pages = data.pages.map(({ to, label, icon }) => toChoiceEntry({ to }, label, icon));
  // The current room should not come first.
  const visited = data.visited.filter((room) => toRoomPath(room) !== data.here);
  const found = findClients(data.teams, query, { ...data, visited }, data.teams.length);
  // Many short queries are part of some room's title: clients with a matching name come first.
  const clients = found
    .toSorted((a, b) => Number(a.isRoomNamed) - Number(b.isRoomNamed))
    .slice(0, CLIENTS_MAX);
  const newestFirst = [...data.unread].toSorted(([, a], [, b]) =>
    compareTimetokens(b.newest, a.newest),
  );
  const unfiltered: readonly Group[] = [
    {
      title: 'Unread',
      entries: toRoomEntries(
        'unread',
        newestFirst.map(([room]) => room),
        data,
      ).slice(0, UNREAD_MAX),
    },
    {
      title: 'Recent',
      entries: toRoomEntries('recent', visited.filter(isFresh), data).slice(0, RECENT_MAX),
    },
  ];
  const groups: readonly Group[] = [
    ...(words.length === 0 ? unfiltered : []),
    { title: 'Clients', entries: clients.map((hit) => toClientEntry(hit, data)) },
    { title: 'Go to', entries: pages.filter(isWanted) },
    { title: 'Commands', entries: commands.filter(isWanted) },
    // Messages are last, because they arrive a moment later than the others.
    { title: 'Messages', entries: toMessageEntries(query, data.messages) },
  ];
  return groups.filter(({ entries }) => entries.length > 0);
};

/** The options of an entry, from left to right. */
export const listOptions = (entry: Entry): readonly Option[] => {
  const main = entry.main === undefined ? [] : [entry.main];
  return entry.kind === 'client' ? [...main, ...entry.rooms] : main;
};
