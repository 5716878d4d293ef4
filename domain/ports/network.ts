import type { AppError } from '../errors.ts';
import type { Result } from '../result.ts';
import type { RoomKey } from '../rooms.ts';
import type { LogEntry, WirePayload } from '../schemas/message.ts';
import type { OpenSessions } from '../schemas/open-session.ts';
import type { Producer } from '../schemas/producer.ts';
import type { Session } from '../schemas/session.ts';
import type { Team } from '../schemas/team.ts';
import type { Timetoken } from '../timetoken.ts';
import type { OwnKeys } from './device.ts';
import type { Unsubscribe } from './kit.ts';

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
    cancel: AbortSignal,
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
    cancel: AbortSignal,
  ): Promise<Result<HistoryPage, AppError>>;
  /** How many entries each room holds after the given timetoken. */
  countSince(
    since: ReadonlyMap<RoomKey, Timetoken>,
    cancel: AbortSignal,
  ): Promise<Result<ReadonlyMap<RoomKey, number>, AppError>>;
  /** Forgets the access token, so that the next call gets a new one. */
  renewToken(): void;
}

/** The session endpoints. */
export interface SessionApi {
  /** The session, or undefined when the server says there is none. */
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
  /** The keys of the signed-in user; `unauthenticated` where the session is not `uid`'s. */
  getKeys(uid: string, cancel: AbortSignal): Promise<Result<OwnKeys, AppError>>;
  /** Tells the other tabs that the session changed (spec §4). */
  announceChange(): void;
  /** Another tab announced a change. */
  onChange(listener: () => void): Unsubscribe;
}

/** The staff endpoints. */
export interface StaffApi {
  getTeams(cancel: AbortSignal): Promise<Result<readonly Team[], AppError>>;
  /** Never fails: errors are swallowed and nothing is returned (spec §7). */
  getProducers(cancel: AbortSignal): Promise<readonly Producer[]>;
}

/** The list of the user's sessions on the server, and the end of others than this one. */
export interface OpenSessionsApi {
  list(cancel: AbortSignal): Promise<Result<OpenSessions, AppError>>;
  end(handle: string, cancel: AbortSignal): Promise<Result<void, AppError>>;
  endOthers(cancel: AbortSignal): Promise<Result<void, AppError>>;
}
