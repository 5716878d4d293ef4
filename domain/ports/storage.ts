import type { AppError } from '../errors.ts';
import type { Fact } from '../events.ts';
import type { LinkStatus } from '../link-status.ts';
import type { Coverage, LeaderRow, OutboxItem } from '../project/rows.ts';
import type { RoomCoverage, Streamed, Interval } from '../project/segments.ts';
import type { Result } from '../result.ts';
import type { RoomKey } from '../rooms.ts';
import type { LogState, MarkSet } from '../project/log-state.ts';
import type { MarkLogName } from '../schemas/mark-log.ts';
import type { ChangedMark, Choices } from '../schemas/marks.ts';
import type { MarkedUnread } from '../schemas/unread-mark.ts';
import type { Producer } from '../schemas/producer.ts';
import type { Team } from '../schemas/team.ts';
import type { Timetoken } from '../timetoken.ts';
import type { KnownStore, OwnKeys } from './device.ts';
import type { Unsubscribe } from './kit.ts';

/** The start of the interval that a stream delivers without leaving anything out. */
export interface StreamOpening {
  /** Everything after this position is delivered. */
  readonly after: Timetoken;
  /** Nothing is missing between the end of the last stream and this one. */
  readonly resumes: boolean;
  /** The stream was requested from here on; its engine may leave something out before `after`. */
  readonly requested?: Timetoken | undefined;
  /** The rooms of the stream; without it, all of the user's, now and later. */
  readonly rooms?: readonly RoomKey[] | undefined;
  /** The previous stream of this tab delivered everything up to here. */
  readonly upTo?: Timetoken | undefined;
}

/** All data that determines the coverage of any room. */
export interface AllCoverage extends Streamed {
  /** The coverage by the history pages read, for each room with any. */
  readonly pages: ReadonlyMap<RoomKey, Coverage>;
  /** The rooms of which this device stores an entry. */
  readonly stored: ReadonlySet<RoomKey>;
  /**
   * The rooms of the stream: those that its engine names, else all that are known to this device.
   */
  readonly rooms: readonly RoomKey[];
  /** The same without those of removed clients, whose history cannot be read. */
  readonly readable: readonly RoomKey[];
  /** The engine names the rooms: the stream has no other. */
  readonly isNamed: boolean;
}

/** The marks of this device that belong in one log of marks. */
export interface LocalMarks extends MarkSet {
  /** Facts with a greater number are newer. */
  readonly last: number;
}

/** A change of one mark of a room. */
export type MarkChange = ChangedMark & { readonly room: RoomKey };

/** The positions up to which rooms were read; undefined for the newest stored entry. */
export type ReadPositions = ReadonlyMap<RoomKey, Timetoken | undefined>;

/** See `MarkedUnread`; without `upTo` the newest stored entry. */
export type UnreadPosition = Pick<MarkedUnread, 'from'> & Partial<MarkedUnread>;
export type UnreadPositions = ReadonlyMap<RoomKey, UnreadPosition>;

/** Where unread messages may be missing: between two positions, both exclusive. */
export interface UnreadGap {
  readonly after: Timetoken;
  readonly before: Timetoken;
  /** The device has no earlier entry of the room that was read as a page or from the stream. */
  readonly isLowest: boolean;
}

/** Some stored messages of a room: the first and the last of them. */
export interface StoredSlice {
  readonly from: Timetoken;
  readonly to: Timetoken;
  readonly count: number;
}

/** The signed-in user's store on this device: facts in, projections out. */
export interface Store {
  /**
   * Appends facts and updates every projection in one transaction, which is durable unless
   * every fact can be fetched again or, without `fence`, is a read position. Known facts are
   * skipped. With `fence`, nothing is written unless that token is the newest (`fenced`). The value
   * is the number of new facts.
   */
  append(facts: readonly Fact[], fence?: number): Promise<Result<number, AppError>>;
  /** Rooms with queued messages, now and at every change. */
  watchQueuedRooms(listener: (rooms: readonly RoomKey[]) => void): Unsubscribe;
  /** Whether the disk is full, now and whenever that may have changed. */
  watchSpace(listener: (isFull: boolean) => void): Unsubscribe;
  /** Stores the user's keys with the data. */
  saveKeys(own: OwnKeys): Promise<Result<KnownStore, AppError>>;
  hasKeys(): Promise<Result<boolean, AppError>>;
  /** All unsent messages written here, including refused ones, in order of acceptance. */
  listUnsent(): Promise<Result<readonly OutboxItem[], AppError>>;
  /**
   * When the newest unsent draft of the other tabs was stored, ms since the epoch; undefined without
   * one.
   */
  findOtherDrafts(exceptTab: string): Promise<Result<number | undefined, AppError>>;
  /** The oldest queued message of a room. */
  findNextQueued(room: RoomKey): Promise<Result<OutboxItem | undefined, AppError>>;
  /** The coverage of a room by its own pages and by the stream. */
  findCoverage(room: RoomKey): Promise<Result<RoomCoverage | undefined, AppError>>;
  /** The known coverage of all rooms, from one transaction. */
  findAllCoverage(): Promise<Result<AllCoverage, AppError>>;
  /**
   * Opens a segment of the stream, or continues the last one if the stream resumes from a position
   * in it. `fenced` when replaced.
   */
  openSegment(fence: number, opening: StreamOpening): Promise<Result<void, AppError>>;
  /** Closes the open segment at `upTo`; `fenced` when replaced. */
  closeSegment(fence: number, upTo: Timetoken): Promise<Result<void, AppError>>;
  /**
   * Joins the segments around a gap in which every room of the stream is complete. `fenced` when
   * replaced.
   */
  joinSegments(fence: number, gap: Interval): Promise<Result<void, AppError>>;
  /**
   * Drops the coverage of a room before `from`, where retention keeps nothing. `fenced` when
   * replaced.
   */
  dropBefore(fence: number, room: RoomKey, from: Timetoken): Promise<Result<void, AppError>>;
  /**
   * Timetokens of the oldest and the newest of the newest `count` stored messages older than
   * `before`.
   */
  findOlder(
    room: RoomKey,
    count: number,
    before: Timetoken,
  ): Promise<Result<StoredSlice | undefined, AppError>>;
  /**
   * Rooms of all fetched clients, now and when they change: first those that the user has taken,
   * marked as unread, or wants to be reminded of, then in the order of the list.
   */
  watchRooms(listener: (rooms: readonly RoomKey[]) => void): Unsubscribe;
  /** Rooms whose unread messages cannot be counted without another page, now and at changes. */
  watchUnreadGaps(listener: (gaps: ReadonlyMap<RoomKey, UnreadGap>) => void): Unsubscribe;
  /** When teams were last fetched, ms since the epoch. */
  findTeamsFetchedAt(): Promise<Result<number | undefined, AppError>>;
  saveTeams(teams: readonly Team[], fetchedAt: number): Promise<Result<void, AppError>>;
  saveProducers(producers: readonly Producer[], fetchedAt: number): Promise<Result<void, AppError>>;
  /** Becomes leader by taking the next fencing token. */
  takeFence(tabId: string, at: number): Promise<Result<number, AppError>>;
  /**
   * Writes the leader's heartbeat with the link status and, once known, the stream position;
   * `fenced` when replaced.
   */
  writeHeartbeat(
    fence: number,
    at: number,
    link: LinkStatus,
    cursor?: Timetoken,
  ): Promise<Result<void, AppError>>;
  /** The position of the last stream of this browser. */
  findCursor(): Promise<Result<Timetoken | undefined, AppError>>;
  /**
   * Moves messages that an earlier version stored, and prunes history beyond the limits, never
   * unsent messages. The value is the number of pruned messages; `fenced` when replaced. `now` in
   * ms.
   */
  prune(fence: number, now: number): Promise<Result<number, AppError>>;
  /**
   * Clears the coverage of every room, the segments of the stream and the states of the logs of
   * marks, but keeps the messages and the read positions: the engine's log is a different one.
   * `fenced` when replaced.
   */
  forgetCoverage(fence: number): Promise<Result<void, AppError>>;
  /** Records marks for rooms, all or nothing; see `Mark`. */
  recordMarks(changes: readonly MarkChange[]): Promise<Result<void, AppError>>;
  /**
   * Records the user's choices, all or nothing: `choose` returns the changed choices, given the
   * current ones. A choice that is already stored changes nothing.
   */
  recordChoices(choose: (before: Choices) => Choices): Promise<Result<void, AppError>>;
  /**
   * The positions after which entries of rooms may be unread; undefined until it is known where the
   * user's reading began.
   */
  findReadUpTo(
    rooms: readonly RoomKey[],
  ): Promise<Result<ReadonlyMap<RoomKey, Timetoken> | undefined, AppError>>;
  /**
   * The facts that record these read positions, as of now: they do not end a mark that is made
   * later.
   */
  findRead(positions: ReadPositions): Promise<Result<readonly Fact[], AppError>>;
  /**
   * Marks parts of rooms as unread, all or nothing. A room without entries there stays as it is.
   */
  recordUnread(positions: UnreadPositions): Promise<Result<void, AppError>>;
  /**
   * The marks of this device for a log of marks, with the read positions of the facts after `since`
   * (without it: of all), and the number of the last fact.
   */
  listLocalMarks(
    log: MarkLogName,
    since: number | undefined,
  ): Promise<Result<LocalMarks, AppError>>;
  /** Calls the listener now and whenever a mark was stored on this device, in any tab. */
  watchLocalMarks(log: MarkLogName, listener: () => void): Unsubscribe;
  /** The state of a log of marks as last read. */
  findLogState(log: MarkLogName): Promise<Result<LogState, AppError>>;
  /**
   * Stores the state of a log of marks, and adds the marks of other devices to those of this
   * device. `fenced` when replaced.
   */
  saveLogState(fence: number, log: MarkLogName, state: LogState): Promise<Result<void, AppError>>;
  /** The last heartbeat, now and at every change. */
  watchLeader(listener: (leader: LeaderRow | undefined) => void): Unsubscribe;
  /** Calls the listener when the data was deleted from outside: this store is unusable then. */
  onLost(listener: () => void): Unsubscribe;
  close(): void;
}

export type OpenStore = (uid: string) => Promise<Result<Store, AppError>>;
