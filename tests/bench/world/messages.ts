import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

import { ROOM_IDS, type RoomKey, splitRoomKey, toRoomKey } from '#domain/rooms.ts';
import { fromEpochMs, nextTimetoken, type Timetoken, toEpochMs } from '#domain/timetoken.ts';

/** One message of the synthetic conversations. */
export interface BenchMessage {
  readonly room: RoomKey;
  readonly timetoken: Timetoken;
  readonly publisher: string;
  readonly id: string;
  readonly text: string;
  /** Position in its room, starting at 1. */
  readonly ordinal: number;
}

/** Conversations of 300 rooms; the same for every run, except for their times. */
export interface Conversations {
  readonly rooms: readonly RoomKey[];
  readonly messages: readonly BenchMessage[];
  /** The last message of each room. */
  readonly newest: ReadonlyMap<RoomKey, BenchMessage>;
  /** The first message of each room. */
  readonly oldest: ReadonlyMap<RoomKey, BenchMessage>;
}

const CLIENTS = 100;
const DAY_MS = 86_400_000;
/** Within the time for which every message is kept. */
const AGE_DAYS = 30;
const HOUR_MS = 3_600_000;
const WORDS =
  'goal offside replay camera angle corner keeper cut clip delivery kick whistle half referee shoulder late early seen ready sent again before after slow wide close line post bar foul card throw minute second first last'.split(
    ' ',
  );
const WORDS_MIN = 4;
const WORDS_MAX = 20;

/** Words in a different order for every message: repeated texts would be compressed. */
const toWords = (n: number): string => {
  let state = n + 1;
  const next = (limit: number): number => {
    // A linear congruential generator, whose high bits are random enough.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const count = WORDS_MIN + next(WORDS_MAX - WORDS_MIN);
  return Array.from({ length: count }, () => WORDS[next(WORDS.length)]).join(' ');
};

/** An id like those of the product (UUIDv7), the same for every message of a run. */
const toUuid = (timetoken: Timetoken, n: number): string => {
  const time = toEpochMs(timetoken).toString(16).padStart(12, '0');
  const random = createHash('sha256').update(`${n}`).digest('hex');
  const parts = [time.slice(0, 8), time.slice(8), `7${random.slice(0, 3)}`];
  return [...parts, `8${random.slice(3, 6)}`, random.slice(6, 18)].join('-');
};

/** Client ids `c_001` to `c_100`, or more. */
export const toClientIds = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => `c_${String(n + 1).padStart(3, '0')}`);

/** The number of the first client that benches write to; earlier clients stay unchanged. */
const FIRST_WRITTEN = 69;

/** Clients into whose rooms a bench may write, one per sample. */
export const toWrittenIds = (samples: number): readonly string[] =>
  toClientIds(FIRST_WRITTEN + samples).slice(FIRST_WRITTEN);

/** The beginning of a message's text, which occurs in no other message. */
const toMark = (room: RoomKey, ordinal: number): string => `${room} no. ${ordinal}:`;

/** The mark in a message's text. */
export const markOf = ({ room, ordinal }: BenchMessage): string => toMark(room, ordinal);

/** `count` messages over the last month: one in 50 in the first room, the others evenly. */
export const createConversations = (count: number): Conversations => {
  const rooms = toClientIds(CLIENTS).flatMap((id) => ROOM_IDS.map((room) => toRoomKey(id, room)));
  const [newest, oldest] = [new Map<RoomKey, BenchMessage>(), new Map<RoomKey, BenchMessage>()];
  const ordinals = new Map<RoomKey, number>();
  const end = Date.now() - HOUR_MS;
  let last: Timetoken | undefined;
  const messages = Array.from({ length: count }, (_, n): BenchMessage => {
    const room = rooms[n % 50 === 0 ? 0 : 1 + (n % (rooms.length - 1))] ?? 'c_001/team';
    const ordinal = (ordinals.get(room) ?? 0) + 1;
    ordinals.set(room, ordinal);
    const due = fromEpochMs(end - AGE_DAYS * DAY_MS * (1 - n / count));
    last = last !== undefined && due <= last ? nextTimetoken(last) : due;
    const message = {
      room,
      timetoken: last,
      publisher: n % 3 === 0 ? 'u_team' : `client:${splitRoomKey(room).clientId}`,
      id: toUuid(last, n),
      text: `${toMark(room, ordinal)} ${toWords(n)}`,
      ordinal,
    };
    newest.set(room, message);
    if (ordinal === 1) oldest.set(room, message);
    return message;
  });
  return { rooms, messages, newest, oldest };
};

/** Replaces clients and log of an embedded server's database. */
export const fillServer = (
  data: DatabaseSync,
  clientIds: readonly string[],
  messages: readonly BenchMessage[],
): void => {
  data.exec('BEGIN; DELETE FROM log; DELETE FROM client');
  const client = data.prepare('INSERT INTO client VALUES (?, ?, ?)');
  for (const id of clientIds) client.run(id, `Client ${id.slice(2)}`, 'Bench');
  const entry = data.prepare(
    'INSERT INTO log (timetoken, room, ordinal, publisher, id, message) VALUES (?, ?, ?, ?, ?, ?)',
  );
  for (const { timetoken, room, ordinal, publisher, id, text } of messages) {
    const message = JSON.stringify({ text, clientName: 'Bench', clientAvatar: '', id });
    entry.run(timetoken, room, ordinal, publisher, id, message);
  }
  data.exec('COMMIT');
};
