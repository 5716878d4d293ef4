import type { MessageRow, OutboxItem } from '#domain/project/rows.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { RoomSummary } from '#domain/rules/waiting.ts';
import type { Team } from '#domain/schemas/team.ts';
import { toEpochMs } from '#domain/timetoken.ts';
import type { Section } from '#src/home/sections.ts';
import { type HomeData, toSections } from '#src/home/to-sections.ts';
import { at } from '#tests/support/facts.ts';

const NAMES = ['Maya Okafor', 'Søren Kjærgaard', "Aoife O'Sullivan"] as const;
const TEAMS = new Map(
  NAMES.map((name, n): [string, Team] => {
    const [first_name = '', last_name = ''] = name.split(' ');
    return [`c_${n + 1}`, { client_id: `c_${n + 1}`, client: { first_name, last_name } }];
  }),
);
export const [ONE, TWO, THREE, GONE] = ['c_1/team', 'c_2/general', 'c_3/team', 'c_9/team'] as const;

const toRow = (room: RoomKey, n: number): MessageRow => ({
  key: `${room}|@${n}`,
  room,
  timetoken: at(n),
  publisher: `client:${room.slice(0, 3)}`,
  kind: 'message',
  text: `text ${n}`,
  clientName: '',
  clientAvatar: '',
});
/** The newest entry of a room, and the start of its wait. */
export const toSummary = (room: RoomKey, n: number, since?: number): [RoomKey, RoomSummary] => [
  room,
  {
    last: toRow(room, n),
    newest: at(n),
    waitingSince: since === undefined ? undefined : at(since),
    reminder: undefined,
    isDone: false,
    assignee: undefined,
  },
];
/** A room that waits, with a reminder. */
export const remind = (room: RoomKey, due: number): [RoomKey, RoomSummary] => {
  const [, summary] = toSummary(room, 5, 4);
  return [room, { ...summary, reminder: { due: at(due), upTo: at(5) } }];
};
export const toItem = (room: RoomKey, over: Partial<OutboxItem> = {}): OutboxItem => ({
  id: `${room}-${over.state ?? 'queued'}`,
  room,
  seq: 1,
  text: 'an\nanswer',
  uid: 'u_me',
  at: toEpochMs(at(9)),
  state: 'queued',
  ...over,
});
export const toUnread = (rooms: readonly RoomKey[]): HomeData['unread'] =>
  new Map(rooms.map((room) => [room, { count: 2, first: at(1), newest: at(2) }]));

export const HOME_DATA: HomeData = {
  summaries: new Map(),
  teams: TEAMS,
  user: { uid: 'u_me', name: 'Jonas', email: null, image: null, role: 'team' },
  staff: undefined,
  unread: new Map(),
  items: [],
  drafts: new Map(),
  isOnline: true,
  visited: [],
  handled: new Map(),
  expanded: new Set(),
  now: toEpochMs(at(10)),
};
export const compose = (over: Partial<HomeData>): readonly Section[] =>
  toSections({ ...HOME_DATA, ...over });
export const toRooms = (
  sections: readonly Section[],
): Readonly<Record<string, readonly RoomKey[]>> =>
  Object.fromEntries(sections.map(({ name, entries }) => [name, entries.map(({ room }) => room)]));
