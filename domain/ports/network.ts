import type { AppError } from '../errors.ts';
import type { Result } from '../result.ts';
import type { RoomKey } from '../rooms.ts';
import type { MarkEntry, MarkPayload } from '../schemas/mark-log.ts';
import type { LogEntry, WirePayload } from '../schemas/message.ts';
import type { OpenSessions } from '../schemas/open-session.ts';
import type { Producer } from '../schemas/producer.ts';
import type { Session } from '../schemas/session.ts';
import type { Team } from '../schemas/team.ts';
import type { Timetoken } from '../timetoken.ts';
import type { OwnKeys } from './device.ts';
import type { Unsubscribe } from './kit.ts';

/** What an engine's stream reports. */
export type StreamSignal =
  /** Entries in ascending order, at most 100. Everything up to the last one is now delivered. */
  | { readonly type: 'entries'; readonly entries: readonly LogEntry[] }
  /**
   * The stream is alive and has delivered everything up to `cursor`. A cursor below the
   * position from which the stream was opened means another log, or an older state of it.
   */
  | { readonly type: 'beat'; readonly cursor: Timetoken }
  /**
   * Everything after `after` will be delivered, in these rooms. Earlier entries that were not
   * delivered may be missing; the rooms' histories have them. A `complete` engine sends it only if
   * something on the way was malformed, or of a channel that it does not know.
   */
  | {
      readonly type: 'opened';
      readonly after: Timetoken;
      readonly rooms?: readonly RoomKey[] | undefined;
    }
  /** The stream is alive: a part of something that will be delivered has arrived. */
  | { readonly type: 'progress' }
  /** The stream ended; no further signal follows. The caller decides whether to reconnect. */
  | { readonly type: 'ended'; readonly error: AppError };

/** One page of a log, oldest first; `full` if it has as many entries as requested. */
export interface LogPage<Entry> {
  readonly entries: readonly Entry[];
  readonly full: boolean;
}

/** One page of a room. */
export type HistoryPage = LogPage<LogEntry>;

/** The newest `count` (1–100) entries of a log strictly between `after` and `before`. */
export interface PageQuery {
  readonly count: number;
  readonly before?: Timetoken | undefined;
  readonly after?: Timetoken | undefined;
}

/** A page of a room. */
export interface HistoryQuery extends PageQuery {
  readonly room: RoomKey;
}

/** A log beside the rooms, through which devices exchange marks. */
export interface MarkLog {
  /** Publishes once; on an idempotent engine, a known `id` adds nothing. */
  publish(
    id: string,
    payload: MarkPayload,
    cancel: AbortSignal,
  ): Promise<Result<Timetoken, AppError>>;
  read(query: PageQuery, cancel: AbortSignal): Promise<Result<LogPage<MarkEntry>, AppError>>;
  /**
   * Calls the listener when the log grew while a stream is open, with the new entries if `read` may
   * lack them for some seconds. It may miss some growth.
   */
  watch(listener: (entries: readonly MarkEntry[]) => void): Unsubscribe;
}

/** The realtime engine, hosted or embedded. */
export interface Realtime {
  /**
   * Whether the engine stores a message once if it is published again under its id. If not, the
   * caller has to check the history before a retry.
   */
  readonly idempotent: boolean;
  /**
   * Whether a stream leaves nothing out: one opened from a cursor delivers everything after it, in
   * every room of the user, also of clients added later. If not, its `opened` signals contain the
   * position after which it does, a batch of 100 may have replaced older entries, and histories,
   * counts and logs of marks may lack the entries of the last seconds.
   */
  readonly complete: boolean;
  /** Publishes once under the session's identity. */
  publish(
    room: RoomKey,
    payload: WirePayload,
    cancel: AbortSignal,
  ): Promise<Result<Timetoken, AppError>>;
  /**
   * Opens one stream over all rooms of the user, starting after `cursor`. Without it, the stream
   * starts now; if the histories may lack the last messages, it delivers these first.
   */
  openStream(cursor: Timetoken | undefined, onSignal: (signal: StreamSignal) => void): Unsubscribe;
  readHistory(query: HistoryQuery, cancel: AbortSignal): Promise<Result<HistoryPage, AppError>>;
  /**
   * The newest page of each room, `HISTORY_PAGE_SIZE` entries, in one request. A room that the
   * answer omits has to be requested again: the answer would be too large, its page is unreadable,
   * or the user may not read it.
   */
  readNewest(
    rooms: readonly RoomKey[],
    cancel: AbortSignal,
  ): Promise<Result<ReadonlyMap<RoomKey, HistoryPage>, AppError>>;
  /** Number of entries in each room after the given timetoken; rooms not counted are omitted. */
  countSince(
    since: ReadonlyMap<RoomKey, Timetoken>,
    cancel: AbortSignal,
  ): Promise<Result<ReadonlyMap<RoomKey, number>, AppError>>;
  /** The user log, for the devices of the signed-in user; only they read and write it. */
  readonly own: MarkLog;
  /** The staff log, for all staff; nobody else reads or writes it. */
  readonly staff: MarkLog;
  /** Discards the access token, so that the next call requests a new one. */
  renewToken(): void;
}

export interface SessionApi {
  /** The session, or undefined if the server answers that there is none. */
  getSession(cancel: AbortSignal): Promise<Result<Session | undefined, AppError>>;
  /** Signs in; the value is the url to go to (already checked to be of this origin). */
  signIn(
    credentials: {
      readonly email: string;
      readonly password: string;
      readonly callbackUrl: string;
    },
    cancel: AbortSignal,
  ): Promise<Result<string, AppError>>;
  signOut(cancel: AbortSignal): Promise<Result<void, AppError>>;
  /** The keys of the signed-in user; `unauthenticated` if the session is not that of `uid`. */
  getKeys(uid: string, cancel: AbortSignal): Promise<Result<OwnKeys, AppError>>;
  /** Notifies the other tabs that the session changed (spec §4). */
  announceChange(): void;
  /** Calls the listener when another tab announced a change. */
  onChange(listener: () => void): Unsubscribe;
}

export interface StaffApi {
  getTeams(cancel: AbortSignal): Promise<Result<readonly Team[], AppError>>;
  /** An error is shown nowhere (spec §7). */
  getProducers(cancel: AbortSignal): Promise<Result<readonly Producer[], AppError>>;
}

/** The open sessions of the user, and how to end the others. */
export interface OpenSessionsApi {
  list(cancel: AbortSignal): Promise<Result<OpenSessions, AppError>>;
  end(handle: string, cancel: AbortSignal): Promise<Result<void, AppError>>;
  endOthers(cancel: AbortSignal): Promise<Result<void, AppError>>;
}
