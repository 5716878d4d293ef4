import {
  type MessageRow,
  parseMessageKey,
  toMessageKey,
  unescapePublisher,
} from '#domain/project/rows.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { isRoomKey, type RoomKey } from '#domain/rooms.ts';
import { parseTimetoken, type Timetoken } from '#domain/timetoken.ts';

/**
 * How a message is stored, once: with short field names, and without redundant fields. Its key `k`
 * is the room and the position, so that a thread is one key range. `f` is the room, the publisher
 * and the id; it is unique, so that the write itself refuses a further copy. A message without an
 * id has no `f` and stores its publisher in `p`. `t` is the text, `u` the text of an unreadable
 * entry; `n` and `a` are the name and the avatar of the sender, absent if empty; `v` is the version
 * of the row. The key of an outgoing message that the engine has acknowledged but not returned yet
 * ends with its id, because another entry of the room may have the same position.
 */

/** The first code unit of packed digits; none of them is a separator or a surrogate. */
const UNIT_FIRST = 0x1_00;
const UNIT_BITS = 15n;
const UNIT_SIZE = 1n << UNIT_BITS;
/** Code units of a packed 17-digit position, and of a packed UUID. */
const POSITION_UNITS = 4;
const UUID_UNITS = 9;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const UUID_DASHES = [8, 13, 18, 23];
/** Prefix of an id that is not a UUID. */
const PLAIN = '=';

/** Packs a number; packed texts have the same order as their numbers. */
const pack = (number: bigint, units: number): string => {
  let rest = number;
  let packed = '';
  for (let n = 0; n < units; n += 1) {
    packed = String.fromCharCode(UNIT_FIRST + Number(rest % UNIT_SIZE)) + packed;
    rest /= UNIT_SIZE;
  }
  return packed;
};

/** The inverse of `pack`; undefined for other text. */
const unpack = (packed: string): bigint | undefined => {
  let number = 0n;
  for (let n = 0; n < packed.length; n += 1) {
    const digit = BigInt(packed.charCodeAt(n) - UNIT_FIRST);
    if (digit < 0n || digit >= UNIT_SIZE) return undefined;
    number = number * UNIT_SIZE + digit;
  }
  return number;
};

const packId = (id: string): string =>
  UUID.test(id) ? pack(BigInt(`0x${id.replaceAll('-', '')}`), UUID_UNITS) : PLAIN + id;

const unpackId = (packed: string): string | undefined => {
  if (packed.startsWith(PLAIN)) return packed.slice(PLAIN.length);
  const number = packed.length === UUID_UNITS ? unpack(packed) : undefined;
  let id = number?.toString(16).padStart(32, '0');
  for (const dash of UUID_DASHES) id = id && `${id.slice(0, dash)}-${id.slice(dash)}`;
  return id !== undefined && UUID.test(id) ? id : undefined;
};

/** The key of a received entry, and the prefix of all keys at its position. */
export const toPositionKey = (room: RoomKey, timetoken: Timetoken): string =>
  `${room}|${pack(BigInt(timetoken), POSITION_UNITS)}`;

/** A key after all keys that begin with `key`. */
export const afterAll = (key: string): string => `${key}\uffff`;

/** The parts of an entry's key. */
export interface Position {
  readonly room: RoomKey;
  readonly timetoken: Timetoken;
  /** Set for an outgoing message that the engine has not returned yet. */
  readonly id: string | undefined;
}

/**
 * The inverse of `toPositionKey`, also for keys that end with an id; undefined for anything else.
 */
export const parsePositionKey = (key: unknown): Position | undefined => {
  const [room = '', ...rest] = typeof key === 'string' ? key.split('|') : [];
  const position = rest.join('|');
  const number = unpack(position.slice(0, POSITION_UNITS));
  const timetoken = parseTimetoken(number?.toString().padStart(17, '0'));
  const isWhole = isRoomKey(room) && timetoken !== undefined && position.length >= POSITION_UNITS;
  if (!isWhole) return undefined;
  if (position.length === POSITION_UNITS) return { room, timetoken, id: undefined };
  const id = unpackId(position.slice(POSITION_UNITS));
  return id === undefined ? undefined : { room, timetoken, id };
};

/** The `f` of a message, from its row key; undefined if it has no id. */
export const toIdentity = (messageKey: string): string | undefined => {
  const [room, publisher, ...id] = messageKey.split('|');
  return id.length === 0 ? undefined : `${room}|${publisher}|${packId(id.join('|'))}`;
};

/** The row key of a message, from its `f`; undefined for anything else. */
export const toRowKey = (identity: unknown): string | undefined => {
  const [room, publisher, ...packed] = typeof identity === 'string' ? identity.split('|') : [];
  const id = packed.length === 0 ? undefined : unpackId(packed.join('|'));
  return id === undefined ? undefined : `${room}|${publisher}|${id}`;
};

/** A stored message. */
export interface Entry {
  /** Its key. */
  readonly k: string;
  readonly row: MessageRow;
  /** The engine has acknowledged it, but not returned it yet. */
  readonly isEcholess: boolean;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isOptional = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === 'string';

/** What a search and the dashboard need of a message; `key` is its storage key. */
export type MessageText = Pick<
  MessageRow,
  'key' | 'room' | 'timetoken' | 'publisher' | 'clientName'
> & {
  /** Undefined if the entry is unreadable. */
  readonly text: string | undefined;
};

/**
 * The parser for all stored messages at once: does not unpack their ids, which takes most of the
 * time of `parseEntry`. Undefined for entries that cannot be shown.
 */
export const parseText = (stored: unknown): MessageText | undefined => {
  const { k, f, p, n = '', t, u }: Partial<Record<string, unknown>> = Object(stored);
  const position = parsePositionKey(k);
  const escaped = isText(f) ? f.split('|', 2)[1] : undefined;
  const publisher = f === undefined ? p : escaped && unescapePublisher(escaped);
  const isWhole = isText(k) && isText(n) && isText(t ?? u) && isText(publisher);
  if (position === undefined || !isWhole) return undefined;
  const { room, timetoken } = position;
  return { key: k, room, timetoken, publisher, clientName: n, text: isText(t) ? t : undefined };
};

/**
 * The parser of stored messages. It uses no schema, because it parses every message of a thread.
 */
export const parseEntry = (stored: unknown): Result<Entry, string> => {
  const { k, f, p, n, a, t, u }: Partial<Record<string, unknown>> = { ...Object(stored) };
  const position = parsePositionKey(k);
  const text = t ?? u;
  if (!isText(k) || position === undefined) return fail('no position');
  if (!isText(text) || !isOptional(n) || !isOptional(a)) return fail('no message');
  const { room, timetoken } = position;
  const key = f === undefined ? toMessageKey(room, '', undefined, timetoken) : toRowKey(f);
  const parts = key === undefined ? undefined : parseMessageKey(key);
  const publisher = parts !== undefined && 'publisher' in parts ? parts.publisher : p;
  if (key === undefined || parts?.room !== room || !isText(publisher)) return fail('no identity');
  const kind = t === undefined ? 'unreadable' : 'message';
  const sender = { clientName: n ?? '', clientAvatar: a ?? '' };
  const row = { key, room, timetoken, publisher, kind, text, ...sender } as const;
  return ok({ k, row, isEcholess: position.id !== undefined });
};
