import { oncePer } from '../once-per.ts';
import { type Team, toFullName } from '../schemas/team.ts';
import { compareTimetokens, type Timetoken, TIMETOKEN_ZERO } from '../timetoken.ts';

/** Which clients the list shows, in the order of the choices. */
export const FILTERS = ['all', 'waiting', 'unread', 'mine'] as const;
export type Filter = (typeof FILTERS)[number];

/** How the clients are ordered. */
const ORDERS = ['activity', 'name'] as const;
export type Order = (typeof ORDERS)[number];

/** The key of the order's mark in the user log (see domain/schemas/marks.ts). */
export const ORDER_KEY = 'setting:order';

/**
 * The user's settings for the client list: the order is shared by all of the user's devices, the
 * filter applies to one.
 */
export interface InboxChoice {
  readonly filter: Filter;
  readonly order: Order;
}

export const DEFAULT_INBOX: InboxChoice = { filter: 'all', order: 'activity' };

export const isFilter = (value: unknown): value is Filter =>
  FILTERS.some((filter) => filter === value);

export const isOrder = (value: unknown): value is Order => ORDERS.some((order) => order === value);

/** The position of the newest entry in each client's rooms, by client id. */
export type NewestByClient = ReadonlyMap<string, Timetoken>;

const NAMES = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/** Kept with the list, which changes rarely: sorting names takes long. */
const sortByName = oncePer((teams: readonly Team[]): readonly Team[] => {
  const named = teams.map((team) => ({ team, name: toFullName(team) }));
  return named.toSorted((a, b) => NAMES.compare(a.name, b.name)).map(({ team }) => team);
});

/** Newest first, by position; clients without one follow in the order of the list. */
const sortByPosition = (teams: readonly Team[], positions: NewestByClient): readonly Team[] => {
  const place = ({ client_id }: Team): Timetoken => positions.get(client_id) ?? TIMETOKEN_ZERO;
  return teams.toSorted((a, b) => compareTimetokens(place(b), place(a)));
};

/** Orders clients: by name, or those with the newest entries first. */
export const orderTeams = (
  teams: readonly Team[],
  order: Order,
  newest: NewestByClient,
): readonly Team[] => (order === 'name' ? sortByName(teams) : sortByPosition(teams, newest));

/**
 * Moves pinned clients to the front, without changing the order among them or among the others; the
 * list itself if none is pinned.
 */
export const pinFirst = (teams: readonly Team[], pinned: ReadonlySet<string>): readonly Team[] => {
  if (pinned.size === 0) return teams;
  const isPinned = ({ client_id }: Team): boolean => pinned.has(client_id);
  return [...teams.filter(isPinned), ...teams.filter((team) => !isPinned(team))];
};
