import * as z from 'zod/mini';

/** The three rooms of a client, in display order (spec §2). */
export const ROOM_IDS = ['team', 'general', 'producers'] as const;
export type RoomId = (typeof ROOM_IDS)[number];

export const ROOM_TITLES: Readonly<Record<RoomId, string>> = {
  team: 'Team',
  general: 'General',
  producers: 'Producers',
};

/** A room's key in this program: `{client id}/{room id}`, as in the route. */
export type RoomKey = `${string}/${RoomId}`;

const CLIENT_ID = /^[A-Za-z0-9_-]{1,64}$/;
const ROOM_KEY = /^[A-Za-z0-9_-]{1,64}\/(?:team|general|producers)$/;

export const isClientId = (value: unknown): value is string =>
  typeof value === 'string' && CLIENT_ID.test(value);

export const isRoomId = (value: unknown): value is RoomId =>
  ROOM_IDS.some((roomId) => roomId === value);

export const isRoomKey = (value: unknown): value is RoomKey =>
  typeof value === 'string' && ROOM_KEY.test(value);

export const roomKeySchema = z.custom<RoomKey>(isRoomKey, 'expected {client id}/{room id}');

export const toRoomKey = (clientId: string, roomId: RoomId): RoomKey => `${clientId}/${roomId}`;

export const splitRoomKey = (
  room: RoomKey,
): { readonly clientId: string; readonly roomId: RoomId } => {
  const slash = room.indexOf('/');
  return { clientId: room.slice(0, slash), roomId: room.slice(slash + 1) as RoomId };
};

/** Default channel of a room; the server may set another template with both placeholders. */
export const CHANNEL_TEMPLATE_DEFAULT = 'chat.{cid}.{rid}';

/** True when a template has both placeholders once and only characters valid in a channel. */
export const isChannelTemplate = (template: string): boolean =>
  template.split('{cid}').length === 2 &&
  template.split('{rid}').length === 2 &&
  !/[\s,:*/\\]/.test(template) &&
  !template.includes('{cid}{rid}') &&
  !template.includes('{rid}{cid}');

export const toChannel = (template: string, room: RoomKey): string => {
  const { clientId, roomId } = splitRoomKey(room);
  return template.replace('{cid}', clientId).replace('{rid}', roomId);
};

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** A regular expression of channels: the template with patterns in place of its placeholders. */
export const toChannelPattern = (template: string, cid: string, rid: string): string => {
  const pattern = escape(template)
    .replace(String.raw`\{cid\}`, () => cid)
    .replace(String.raw`\{rid\}`, () => rid);
  return `^${pattern}$`;
};

/** Whether two maps contain the same values for the same rooms. */
export const isSameByRoom = <T>(a: ReadonlyMap<RoomKey, T>, b: ReadonlyMap<RoomKey, T>): boolean =>
  a.size === b.size && [...a].every(([room, value]) => b.get(room) === value);

/** By template: a program uses one or two. */
const patterns = new Map<string, RegExp>();

const findPattern = (template: string): RegExp => {
  const known = patterns.get(template);
  if (known !== undefined) return known;
  const [cid, rid] = ['(?<cid>[A-Za-z0-9_-]{1,64})', '(?<rid>team|general|producers)'];
  const pattern = new RegExp(toChannelPattern(template, cid, rid));
  patterns.set(template, pattern);
  return pattern;
};

/** The inverse of `toChannel`; undefined for a channel that is not one of our rooms. */
export const parseChannel = (template: string, channel: string): RoomKey | undefined => {
  const groups = findPattern(template).exec(channel)?.groups;
  const clientId = groups?.['cid'];
  const roomId = groups?.['rid'];
  return clientId && isRoomId(roomId) ? toRoomKey(clientId, roomId) : undefined;
};

/** Stands for all rooms: a read position under it applies to each of them. */
export const ALL_ROOMS = '*';
