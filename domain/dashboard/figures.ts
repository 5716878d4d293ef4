import { type RoomKey, splitRoomKey } from '../rooms.ts';
import type { BusinessHours, PeriodDays } from '../schemas/dashboard.ts';
import { type Timetoken, TIMETOKEN_ZERO, toEpochMs } from '../timetoken.ts';
import { toMidnight, toWorkingMs } from './working-time.ts';

/** One message, as the figures need it. */
export interface CountedMessage {
  readonly room: RoomKey;
  readonly timetoken: Timetoken;
  readonly isByStaff: boolean;
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

/** The counters for a message or for the start of a wait. */
interface Counters {
  readonly total: Counter;
  readonly client: Counter | undefined;
}

class Board {
  readonly #query: FiguresQuery;
  readonly #from: number;
  readonly #before: number;
  /** The end of the previous period. */
  readonly #until: number;
  readonly #total = new Counter();
  readonly #earlier = new Counter();
  readonly #clients = new Map<string, Counter>();
  /** The end of today: the clock of this device may be behind the engine's. */
  readonly #end: number;
  readonly #days: { readonly start: number; received: number; sent: number }[];
  readonly #hours = Array.from({ length: WEEK_DAYS }, () =>
    Array.from({ length: DAY_HOURS }, () => 0),
  );
  /** The starts of waits, which are measured once they are answered. */
  readonly #waiting = new Map<RoomKey, number>();
  /** The times since which rooms need a reply. */
  readonly #open = new Map<RoomKey, number>();

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

  /** Expects the messages of one room in order. */
  add({ room, timetoken, isByStaff }: CountedMessage): void {
    const at = toEpochMs(timetoken);
    const { clientId } = splitRoomKey(room);
    const counters = this.#findCounters(at, clientId);
    const since = this.#waiting.get(room);
    if (isByStaff && since !== undefined) {
      this.#addWait(since, at, clientId);
      this.#waiting.delete(room);
    }
    if (!isByStaff && since === undefined) this.#waiting.set(room, at);
    if (isByStaff) this.#open.delete(room);
    else if (!this.#open.has(room) && timetoken > (this.#query.done?.get(room) ?? TIMETOKEN_ZERO)) {
      this.#open.set(room, at);
    }
    for (const counter of counters ? [counters.total, counters.client] : []) {
      if (counter === undefined) continue;
      counter[isByStaff ? 'sent' : 'received'] += 1;
      if (!isByStaff) counter.clients.add(clientId);
    }
    if (counters?.client !== undefined) this.#addDay(at, isByStaff);
  }

  toFigures(): DashboardFigures {
    const waiting = this.#listWaiting();
    const ids = new Set([...this.#clients.keys(), ...waiting.keys()]);
    return {
      total: this.#total.toTotal(),
      before: this.#earlier.toTotal(),
      days: this.#days,
      hours: this.#hours,
      clients: Array.from(ids, (clientId) => ({
        clientId,
        ...(this.#clients.get(clientId) ?? new Counter()).toFigures(),
        waitingSince: waiting.get(clientId),
      })),
    };
  }

  #findCounters(at: number, clientId: string): Counters | undefined {
    if (at >= this.#end) return undefined;
    if (at < this.#from) {
      const isEarlier = at >= this.#before && at < this.#until;
      return isEarlier ? { total: this.#earlier, client: undefined } : undefined;
    }
    const client = this.#clients.get(clientId) ?? new Counter();
    this.#clients.set(clientId, client);
    return { total: this.#total, client };
  }

  #addWait(since: number, at: number, clientId: string): void {
    const counters = this.#findCounters(since, clientId);
    const wait = toWorkingMs(since, at, this.#query.hours);
    counters?.total.waits.push(wait);
    counters?.client?.waits.push(wait);
  }

  #addDay(at: number, isByStaff: boolean): void {
    const day = this.#days.findLast(({ start }) => start <= at);
    if (day !== undefined) day[isByStaff ? 'sent' : 'received'] += 1;
    if (isByStaff) return;
    const date = new Date(at);
    const row = this.#hours[(date.getDay() + WEEK_DAYS - 1) % WEEK_DAYS];
    const hour = date.getHours();
    if (row !== undefined) row[hour] = (row[hour] ?? 0) + 1;
  }

  #listWaiting(): ReadonlyMap<string, number> {
    const waiting = new Map<string, number>();
    for (const [room, since] of this.#open) {
      const { clientId } = splitRoomKey(room);
      waiting.set(clientId, Math.min(waiting.get(clientId) ?? since, since));
    }
    return waiting;
  }
}

/**
 * The figures of the dashboard. A wait begins with a client's message after one by staff and ends
 * with the next one by staff, in the same room; it belongs to the period in which it began. A mark
 * that no reply is needed does not change the measured waits: only the last such mark of a room is
 * known. The messages of a room are oldest first. A message of tomorrow or later (a wrong clock) is not counted.
 */
export const toDashboardFigures = (
  messages: Iterable<CountedMessage>,
  query: FiguresQuery,
): DashboardFigures => {
  const board = new Board(query);
  for (const message of messages) board.add(message);
  return board.toFigures();
};
