import { v7 } from 'uuid';

import type { HistoryPage, Realtime } from '#domain/ports/network.ts';
import type { Result } from '#domain/result.ts';
import { type RoomKey, toRoomKey } from '#domain/rooms.ts';
import type { LogEntry, WirePayload } from '#domain/schemas/message.ts';
import type { Timetoken } from '#domain/timetoken.ts';

export const CALLS = ['publish', 'history', 'counts', 'stream'] as const;
export type Call = (typeof CALLS)[number];

/** The ways in which a call may fail in transit. */
export type Trouble =
  /** 429 */
  | 'busy'
  /** 5xx */
  | 'failing'
  /** A page of the network instead of an answer. */
  | 'portal'
  | 'malformed'
  /** Starts, and never ends. */
  | 'stalled'
  | 'expired'
  | 'refused'
  /** The engine processes it; its response never arrives. */
  | 'lost'
  /** The engine receives it twice. */
  | 'doubled';

/** A running engine with two staff members, each on their own connection. */
export interface EngineUnderTest {
  readonly staff: { readonly uid: string; readonly realtime: Realtime };
  /** The first one's other device. */
  readonly second: { readonly realtime: Realtime };
  readonly other: { readonly uid: string; readonly realtime: Realtime };
  /** Client ids with empty rooms; every case takes one. */
  takeClientId(): string;
  /** The network between the first of the two and the engine. */
  readonly wire: { break(call: Call, trouble: Trouble): void; heal(): void };
  /** Runs a case; an engine with virtual time advances it meanwhile. */
  readonly run?: (work: () => Promise<void>) => Promise<void>;
  close(): Promise<void>;
}

export const never = new AbortController().signal;

export const toPayload = (text: string, id: string = v7()): WirePayload => ({
  text,
  clientName: 'Replay Harness',
  clientAvatar: '',
  id,
});

export const mustGet = <T>(result: Result<T, unknown>): T => {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.error)}`);
  return result.value;
};

export const toTexts = (entries: readonly LogEntry[]): readonly string[] =>
  entries.map(({ message }) => (message as WirePayload).text);

export const toTimetokens = (entries: readonly LogEntry[]) =>
  entries.map(({ timetoken }) => timetoken);

/** Number of messages a reader shows: copies fold by publisher and id. */
export const countShown = (entries: readonly LogEntry[]): number =>
  new Set(entries.map(({ publisher, message }) => `${publisher} ${(message as WirePayload).id}`))
    .size;

export const isRising = (timetokens: readonly Timetoken[]): boolean =>
  timetokens.every((timetoken, index) => index === 0 || timetoken > timetokens[index - 1]!);

export const countUp = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `message ${index + 1}`);

/** Texts that break naive transports. */
export const UNICODE = [
  'Zoë’s “clip” — naïve café',
  'مرحبا، أين المقطع؟',
  '👩‍👩‍👧‍👦 🏳️‍🌈 🇬🇷',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢',
  '\u202Ereversed\u202C',
  'line one\nline two\r\nline three\u2028four',
  'nul \u0000 and bell \u0007',
  'data: injected\n\nevent: beat\ndata: {}',
  '"quotes" \\ back\\slash',
  '𝕳𝖊𝖑𝖑𝖔 — 你好 — ｈｅｌｌｏ',
];

const CROWD = 25;

/** The tools of a case. */
export interface Harness {
  readonly engine: EngineUnderTest;
  readonly realtime: Realtime;
  readonly room: RoomKey;
  readonly rooms: readonly [RoomKey, RoomKey, RoomKey];
  publish(text: string, room?: RoomKey): Promise<Timetoken>;
  publishAll(texts: readonly string[], room?: RoomKey): Promise<readonly Timetoken[]>;
  /** Many concurrently, in any order. */
  publishCrowd(texts: readonly string[]): Promise<readonly Timetoken[]>;
  history(
    count: number,
    bounds?: { readonly before?: Timetoken; readonly after?: Timetoken },
  ): Promise<HistoryPage>;
}

export const openHarness = (engine: EngineUnderTest): Harness => {
  const { realtime } = engine.staff;
  const clientId = engine.takeClientId();
  const room = toRoomKey(clientId, 'team');
  const publish: Harness['publish'] = async (text, into = room) =>
    mustGet(await realtime.publish(into, toPayload(text), never));
  return {
    engine,
    realtime,
    room,
    rooms: [room, toRoomKey(clientId, 'general'), toRoomKey(clientId, 'producers')],
    publish,
    async publishAll(texts, into = room) {
      const timetokens: Timetoken[] = [];
      for (const text of texts) timetokens.push(await publish(text, into));
      return timetokens;
    },
    async publishCrowd(texts) {
      const timetokens: Timetoken[] = [];
      for (let from = 0; from < texts.length; from += CROWD) {
        const some = texts.slice(from, from + CROWD).map((text) => publish(text));
        timetokens.push(...(await Promise.all(some)));
      }
      return timetokens;
    },
    history: async (count, bounds = {}) =>
      mustGet(await realtime.readHistory({ room, count, ...bounds }, never)),
  };
};

/** One case of the contract. */
export type Case = (harness: Harness) => Promise<void>;
