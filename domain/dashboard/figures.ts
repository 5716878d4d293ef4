import { type RoomKey, splitRoomKey } from '../rooms.ts';
import type { BusinessHours, PeriodDays } from '../schemas/dashboard.ts';
import { type Timetoken, TIMETOKEN_ZERO, toEpochMs } from '../timetoken.ts';
import { toMidnight } from '../rules/grouping.ts';
import { toWorkingMs } from './working-time.ts';

/** One message, as the figures need it. */
export interface CountedMessage {
  readonly timetoken: Timetoken;
}

/** The figures of a time span. */
export interface Figures {
  /** Messages by clients. */
  readonly received: number;
  /** Messages by staff. */
  readonly sent: number;
  /** Waits that began in the time span and were answered since. */
  readonly answers: number;
  /** The median and the 90th percentile of the answered waits, ms; undefined without any. */
  readonly median: number | undefined;
  readonly p90: number | undefined;
}

export interface ClientFigures extends Figures {
  readonly clientId: string;
  /** The start of the longest wait among the client's rooms, ms since the epoch. */
  readonly waitingSince: number | undefined;
  /** The room that waits so long. */
  readonly waitingRoom?: RoomKey | undefined;
}

export interface TotalFigures extends Figures {
  /** Clients who wrote. */
  readonly activeClients: number;
}

export interface DayFigures {
  /** Local midnight, ms since the epoch. */
  readonly start: number;
  readonly received: number;
  readonly sent: number;
}

export interface DashboardFigures {
  readonly total: TotalFigures;
  /** The figures of the previous time span of the same length. */
  readonly before: TotalFigures;
  readonly days: readonly DayFigures[];
  /** Messages received by weekday, Monday first, and by hour. */
  readonly hours: readonly (readonly number[])[];
  /** Clients with a message in the period or a room that waits. */
  readonly clients: readonly ClientFigures[];
}

export interface FiguresQuery {
  readonly days: PeriodDays;
  /** ms since the epoch */
  readonly now: number;
  /** Waits are counted within these hours only. */
  readonly hours?: BusinessHours | undefined;
  /** The positions up to which rooms need no reply: messages up to there do not wait. */
  readonly done?: ReadonlyMap<RoomKey, Timetoken> | undefined;
}

const DAY_HOURS = 24;
const WEEK_DAYS = 7;

/** The starts of the days: local midnights, today's last. */
const listDays = ({ days, now }: FiguresQuery): readonly number[] =>
  Array.from({ length: days }, (_, index) => toMidnight(now, index + 1 - days));

/**
 * The starts of the period and of the previous one, ms since the epoch. The previous period ends at
 * the current time of day, or every morning would look like a decline.
 */
export const toStarts = ({ days, now }: FiguresQuery): { from: number; before: number } => ({
  from: toMidnight(now, 1 - days),
  before: toMidnight(now, 1 - days - days),
});

/** The value that a share of the values does not exceed (nearest rank). */
const toPercentile = (rising: readonly number[], share: number): number | undefined =>
  rising[Math.max(0, Math.ceil(rising.length * share) - 1)];

/** Counts the messages and waits of one time span. */
class Counter {
  received = 0;
  sent = 0;
  readonly waits: number[] = [];
  readonly clients = new Set<string>();

  toFigures(): Figures {
    const waits = this.waits.toSorted((a, b) => a - b);
    const [median, p90] = [toPercentile(waits, 0.5), toPercentile(waits, 0.9)];
    return { received: this.received, sent: this.sent, answers: waits.length, median, p90 };
  }

  toTotal(): TotalFigures {
    return { ...this.toFigures(), activeClients: this.clients.size };
  }
}

class Board {
  readonly #query: FiguresQuery;
  readonly #from: number;
  readonly #before: number;
  /** The end of the previous period. */
  readonly #until: number;
  readonly #total = new Counter();
  readonly #earlier = new Counter();
  readonly #previous = [this.#earlier] as const;
  /** By client id: the counters of messages in the period. */
  readonly #clients = new Map<string, readonly [total: Counter, client: Counter]>();
  /** The end of today: the clock of this device may be behind the engine's. */
  readonly #end: number;
  readonly #days: { readonly start: number; received: number; sent: number }[];
  readonly #hours = Array.from({ length: WEEK_DAYS }, () =>
    Array.from({ length: DAY_HOURS }, () => 0),
  );
  /** By client id: the longest wait, ms since the epoch. */
  readonly #waiting = new Map<string, { readonly since: number; readonly room: RoomKey }>();

  constructor(query: FiguresQuery) {
    const { from, before } = toStarts(query);
    this.#query = query;
    this.#end = toMidnight(query.now, 1);
    this.#from = from;
    this.#before = before;
    const today = toMidnight(query.now);
    this.#until = Math.min(from, toMidnight(query.now, -query.days) + (query.now - today));
    this.#days = listDays(query).map((start) => ({ start, received: 0, sent: 0 }));
  }

  /** Counts the messages of a room, oldest first. */
  addRoom<Message extends CountedMessage>(
    room: RoomKey,
    messages: readonly Message[],
    isByStaff: (message: Message) => boolean,
  ): void {
    const { clientId } = splitRoomKey(room);
    const done = this.#query.done?.get(room) ?? TIMETOKEN_ZERO;
    /** The start of a wait, which is measured once it is answered. */
    let since: number | undefined;
    /** Since then the room needs a reply. */
    let waiting: number | undefined;
    for (const message of messages) {
      const at = toEpochMs(message.timetoken);
      const isSent = isByStaff(message);
      const counters = this.#findCounters(at, clientId);
      if (isSent) {
        if (since !== undefined) this.#addWait(since, at, clientId);
        since = undefined;
        waiting = undefined;
        for (const counter of counters) counter.sent += 1;
      } else {
        since ??= at;
        if (message.timetoken > done) waiting ??= at;
        for (const counter of counters) {
          counter.received += 1;
          counter.clients.add(clientId);
        }
      }
      if (this.#isInPeriod(at)) this.#addDay(at, isSent);
    }
    if (waiting === undefined || waiting >= (this.#waiting.get(clientId)?.since ?? Infinity))
      return;
    this.#waiting.set(clientId, { since: waiting, room });
  }

  toFigures(): DashboardFigures {
    const ids = new Set([...this.#clients.keys(), ...this.#waiting.keys()]);
    return {
      total: this.#total.toTotal(),
      before: this.#earlier.toTotal(),
      days: this.#days,
      hours: this.#hours,
      clients: Array.from(ids, (clientId) => ({
        clientId,
        ...(this.#clients.get(clientId)?.[1] ?? new Counter()).toFigures(),
        waitingSince: this.#waiting.get(clientId)?.since,
        waitingRoom: this.#waiting.get(clientId)?.room,
      })),
    };
  }

  #isInPeriod(at: number): boolean {
    return at >= this.#from && at < this.#end;
  }

  /** The counters for a message or for the start of a wait. */
  #findCounters(at: number, clientId: string): readonly Counter[] {
    if (!this.#isInPeriod(at)) return at >= this.#before && at < this.#until ? this.#previous : [];
    const known = this.#clients.get(clientId);
    if (known !== undefined) return known;
    const counters = [this.#total, new Counter()] as const;
    this.#clients.set(clientId, counters);
    return counters;
  }

  #addWait(since: number, at: number, clientId: string): void {
    const wait = toWorkingMs(since, at, this.#query.hours);
    for (const counter of this.#findCounters(since, clientId)) counter.waits.push(wait);
  }

  #addDay(at: number, isSent: boolean): void {
    const day = this.#days.findLast(({ start }) => start <= at);
    if (day !== undefined) day[isSent ? 'sent' : 'received'] += 1;
    if (isSent) return;
    const date = new Date(at);
    const row = this.#hours[(date.getDay() + WEEK_DAYS - 1) % WEEK_DAYS];
    const hour = date.getHours();
    if (row !== undefined) row[hour] = (row[hour] ?? 0) + 1;
  }
}

/**
 * The figures of the dashboard. A wait begins with a client's message after one by staff and ends
 * with the next one by staff, in the same room; it belongs to the period in which it began. A mark
 * that no reply is needed does not change the measured waits: only the last such mark of a room is
 * known. The messages of a room are oldest first. A message of tomorrow or later (a wrong clock) is
 * not counted.
 */
export const toDashboardFigures = <Message extends CountedMessage>(
  rooms: Iterable<readonly [RoomKey, readonly Message[]]>,
  isByStaff: (message: Message) => boolean,
  query: FiguresQuery,
): DashboardFigures => {
  const board = new Board(query);
  for (const [room, messages] of rooms) board.addRoom(room, messages, isByStaff);
  return board.toFigures();
};
