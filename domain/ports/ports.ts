import type { DeviceStore, KnownStore, OwnKeys } from './device.ts';
import type { AppError } from '../errors.ts';
import type { LinkStatus } from '../link-status.ts';
import type { Locks } from './locks.ts';
import type { Random } from './random.ts';
import type { Updates } from './updates.ts';
import type { Fact } from '../events.ts';
import type { Result } from '../result.ts';
import type { RoomKey } from '../rooms.ts';
import type { LogEntry, WirePayload } from '../schemas/message.ts';
import type { Producer } from '../schemas/producer.ts';
import type { SessionApi } from './session.ts';
import type { Team } from '../schemas/team.ts';
import type { StaffApi } from './staff.ts';
import type { Timetoken } from '../timetoken.ts';

/**
 * The world as the machines see it. Adapters in src/adapters (network, browser) and db
 * (storage) implement these; tests bring memory twins. Nothing here throws or rejects:
 * failures are `Result`s.
 */

/** The part of AbortSignal that the ports use, so that machines need no DOM. */
export interface Cancellation {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Ends a subscription; calling it twice is harmless. */
export type Unsubscribe = () => void;

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface Ids {
  /** A new UUIDv7. */
  next(): string;
}

/** What the stream of an engine reports. */
export type StreamSignal =
  /** Entries in rising order, at most 100. Everything up to their last is now delivered. */
  | { readonly type: 'entries'; readonly entries: readonly LogEntry[] }
  /**
   * The stream is alive and has delivered everything up to `cursor`. Below the position the
   * stream was opened from, the log is another one, or an older state of it.
   */
  | { readonly type: 'beat'; readonly cursor: Timetoken }
  /** Some of what came up to now may have been left out; the rooms' histories hold it. */
  | { readonly type: 'gap' }
  /** The stream ended; no further signal follows. Reconnecting is the caller's business. */
  | { readonly type: 'ended'; readonly error: AppError };

/** One page of a room, oldest first; `full` when it holds as many entries as were asked. */
export interface HistoryPage {
  readonly entries: readonly LogEntry[];
  readonly full: boolean;
}

/** The realtime engine, hosted or embedded. */
export interface Realtime {
  /**
   * Whether a message published again under its id is stored once. Where it is not, an
   * unanswered one has to be looked up before it is repeated.
   */
  readonly idempotent: boolean;
  /** Publishes once under the session's identity. */
  publish(
    room: RoomKey,
    payload: WirePayload,
    cancel: Cancellation,
  ): Promise<Result<Timetoken, AppError>>;
  /** Opens one stream over all rooms of the user, from after `cursor` (none: from now). */
  openStream(cursor: Timetoken | undefined, onSignal: (signal: StreamSignal) => void): Unsubscribe;
  /** The newest `count` (1–100) entries strictly between `after` and `before`. */
  readHistory(
    query: {
      readonly room: RoomKey;
      readonly count: number;
      readonly before?: Timetoken;
      readonly after?: Timetoken;
    },
    cancel: Cancellation,
  ): Promise<Result<HistoryPage, AppError>>;
  /** How many entries each room holds after the given timetoken. */
  countSince(
    since: ReadonlyMap<RoomKey, Timetoken>,
    cancel: Cancellation,
  ): Promise<Result<ReadonlyMap<RoomKey, number>, AppError>>;
  /** Forgets the access token, so that the next call gets a new one. */
  renewToken(): void;
}

/** What is known of a room's log: disjoint ranges in rising order, and whether they start it. */
export interface Coverage {
  readonly room: RoomKey;
  readonly ranges: readonly { readonly from: Timetoken; readonly to: Timetoken }[];
  readonly reachedStart: boolean;
}

/** An own message on its way; `seq` is the order of acceptance. */
export interface OutboxItem {
  readonly id: string;
  readonly room: RoomKey;
  readonly seq: number;
  readonly text: string;
  readonly uid: string;
  /** ms since the epoch */
  readonly at: number;
  readonly state: 'queued' | 'failed';
  /** Tried already: if it arrived, the room's log holds it after this. */
  readonly attemptedAfter?: Timetoken;
  /** Shown with a failed message. */
  readonly reason?: string;
}

/** The signed-in user's store on this device: facts in, projections out. */
export interface Store {
  /**
   * Appends facts and updates every projection in one durable transaction. Facts already
   * known are skipped. With `fence`, nothing is written unless that token is still the
   * newest (`fenced`). The value is how many facts were new.
   */
  append(facts: readonly Fact[], fence?: number): Promise<Result<number, AppError>>;
  /** Rooms with queued messages, now and at every change. */
  watchQueuedRooms(listener: (rooms: readonly RoomKey[]) => void): Unsubscribe;
  /** Keeps the user's keys with the data. */
  keepKeys(own: OwnKeys): Promise<Result<KnownStore, AppError>>;
  hasKeys(): Promise<Result<boolean, AppError>>;
  /** Everything written here that is not sent yet, refused messages too, in order of acceptance. */
  listUnsent(): Promise<Result<readonly OutboxItem[], AppError>>;
  /** Whether a text was begun in any other tab. */
  hasDrafts(exceptTab: string): Promise<Result<boolean, AppError>>;
  /** The oldest queued message of a room. */
  findNextQueued(room: RoomKey): Promise<Result<OutboxItem | undefined, AppError>>;
  findCoverage(room: RoomKey): Promise<Result<Coverage | undefined, AppError>>;
  /** Coverage of every room seen so far. */
  listCoverage(): Promise<Result<readonly Coverage[], AppError>>;
  /** Timetoken of the oldest of the newest `count` stored messages older than `before`. */
  findOlder(
    room: RoomKey,
    count: number,
    before: Timetoken,
  ): Promise<Result<{ readonly from: Timetoken; readonly count: number } | undefined, AppError>>;
  /** Rooms of all fetched clients, in the order of the list, now and when it changes. */
  watchRooms(listener: (rooms: readonly RoomKey[]) => void): Unsubscribe;
  /** When teams were last fetched, ms since the epoch. */
  findTeamsFetchedAt(): Promise<Result<number | undefined, AppError>>;
  saveTeams(teams: readonly Team[], fetchedAt: number): Promise<Result<void, AppError>>;
  saveProducers(producers: readonly Producer[], fetchedAt: number): Promise<Result<void, AppError>>;
  /** Becomes leader by taking the next fencing token. */
  takeFence(tabId: string, at: number): Promise<Result<number, AppError>>;
  /**
   * Leader's heartbeat with what its connection is doing, and where its stream stands once it
   * does; `fenced` when replaced.
   */
  beat(
    fence: number,
    at: number,
    link: LinkStatus,
    cursor?: Timetoken,
  ): Promise<Result<void, AppError>>;
  /** Where the last stream of this browser stood. */
  findCursor(): Promise<Result<Timetoken | undefined, AppError>>;
  /**
   * Mends messages that lost their place and forgets history beyond what this device keeps,
   * never what is not sent. The value is how many messages went; `fenced` when replaced. `now` in ms.
   */
  prune(fence: number, now: number): Promise<Result<number, AppError>>;
  /**
   * Forgets what is known of every room, not the messages: the engine's log is not the one
   * it was known of. `fenced` when replaced.
   */
  forgetCoverage(fence: number): Promise<Result<void, AppError>>;
  /** The last heartbeat, now and at every change. */
  watchLeader(listener: (leader: LeaderRow | undefined) => void): Unsubscribe;
  /** The data was deleted from outside: this store is of no more use. */
  onLost(listener: () => void): Unsubscribe;
  close(): void;
}

export interface LeaderRow {
  readonly fence: number;
  readonly tabId: string;
  readonly at: number;
  readonly link: LinkStatus;
  /** Up to there everything came with the stream, in whatever tab it was. */
  readonly cursor?: Timetoken;
}

/** Opens the store of one user. */
export type OpenStore = (uid: string) => Promise<Result<Store, AppError>>;

/** What the browser says about network and visibility. */
export interface Surroundings {
  isOnline(): boolean;
  isVisible(): boolean;
  /** `shown` also after a return from the back-forward cache. */
  watch(listener: (change: 'online' | 'offline' | 'shown' | 'hidden') => void): Unsubscribe;
}

/** Client-side log (spec §7 `_log`): codes such as CLIENT_FETCH_ERROR. Never fails. */
export interface ClientLog {
  write(
    level: 'error' | 'warn' | 'debug',
    code: string,
    details: Readonly<Record<string, unknown>>,
  ): void;
}

/** The world of the machines. */
export interface Ports {
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly realtime: Realtime;
  readonly sessionApi: SessionApi;
  readonly staffApi: StaffApi;
  readonly openStore: OpenStore;
  readonly device: DeviceStore;
  readonly locks: Locks;
  readonly surroundings: Surroundings;
  readonly updates: Updates;
  /** Asks the browser never to clear this device's data by itself; false when it may. */
  readonly requestDurability: () => Promise<boolean>;
  readonly clientLog: ClientLog;
  /** This tab, for the leader row. */
  readonly tabId: string;
}
