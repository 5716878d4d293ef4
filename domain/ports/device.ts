import type { AppError } from '../errors.ts';
import type { OutboxItem } from '../project/rows.ts';
import type { Result } from '../result.ts';
import type { Session } from '../schemas/session.ts';
import type { SealingKey } from './sealing.ts';

/** A sign-out on this device, recorded until the data of its user is deleted. */
export interface PendingPurge {
  readonly uid: string;
  /** Ids of the unsent messages to delete; all others are kept. */
  readonly discarded: readonly string[];
}

export interface SignOuts {
  /** The number of sign-outs; each increases it. */
  readonly count: number;
  /** The server was not notified of the last one yet: the session counts as ended. */
  readonly pending: boolean;
}

/** The keys of one person, issued by the server; see `PersonalKeys`. */
export interface OwnKeys {
  /** The first key encrypts; the others only decrypt. */
  readonly keys: readonly SealingKey[];
  /** Names of this person's store, in the order of the keys. */
  readonly storeIds: readonly string[];
}

/** State of a store at the moment its user's keys arrived. */
export interface KnownStore {
  /** It had no keys before: it is new, or an earlier version of the page created it. */
  readonly isNew: boolean;
  readonly flag: StoreFlag | undefined;
}

/** Messages kept at sign-outs, as far as the keys decrypt them. */
export interface Kept {
  /** In order of acceptance. */
  readonly items: readonly OutboxItem[];
  /** Keys of the rows that contain them. */
  readonly opened: readonly number[];
  /** Number of sign-outs whose messages none of the keys decrypts. */
  readonly unreadable: number;
  /** `SignOuts.count` at the time. */
  readonly signOuts: number;
}

/**
 * State of one person's store, recorded outside IndexedDB: it exists without (`open`) or with
 * unsent messages (`unsent`), or it was deleted at a sign-out and messages are kept (`kept`).
 * No flag: no store.
 */
export type StoreFlag = 'open' | 'unsent' | 'kept';

/** Flags that survive a damaged IndexedDB. Linked by `OwnKeys.storeIds`; they never fail. */
export interface StoreFlags {
  find(storeId: string): StoreFlag | undefined;
  set(storeId: string, flag: StoreFlag): void;
  remove(storeId: string): void;
}

/**
 * Records outside IndexedDB that the stored session is outdated: the server ended it or confirmed
 * another user's, and that could not be stored. Never fails.
 */
export interface OutdatedFlag {
  isSet(): boolean;
  /** Replaces any other flag; returns the id of this one. */
  set(): string;
  /** Does nothing once another flag has replaced this one. */
  remove(id: string): void;
}

/** The disk under this browser's storage, measured without IndexedDB. Never fails. */
export interface Disk {
  /** Whether it was full, or may have been, and the databases have not been opened since. */
  wasFull(): Promise<boolean>;
  flag(): void;
  unflag(): void;
  /** Whether another 16 MB fit; true where that cannot be tested. */
  hasSpace(): Promise<boolean>;
}

/**
 * The data of this device outside a user's store: the last verified session and the unfinished
 * work of sign-outs. Each step of a sign-out is durable, so that an interrupted one is finished
 * at the next start.
 */
export interface DeviceStore {
  findSession(): Promise<Result<Session | undefined, AppError>>;
  /** Stores a session that the server confirmed; false if there was a sign-out since `count`. */
  saveSession(session: Session, count: number): Promise<Result<boolean, AppError>>;
  clearSession(): Promise<Result<void, AppError>>;
  findSignOuts(): Promise<Result<SignOuts, AppError>>;
  /**
   * Ends the session on this device in one transaction, with or without a network. Over the quota,
   * cached history of the user is deleted for it; `quota` if that does not suffice.
   */
  signOut(purge: PendingPurge): Promise<Result<void, AppError>>;
  /** Records that the server was notified of the sign-out. */
  confirmSignOut(): Promise<Result<void, AppError>>;
  /** Uids of users whose data still has to be deleted. */
  listPendingPurges(): Promise<Result<readonly string[], AppError>>;
  /**
   * Encrypts and keeps the unsent messages of a signed-out user, and deletes everything else of
   * theirs. Uses the keys in their store unless others are given. `storage` while another tab
   * holds the store, and if there is no key for unsent messages.
   */
  purgeUserData(uid: string, own?: OwnKeys): Promise<Result<void, AppError>>;
  openKept(uid: string, keys: OwnKeys['keys']): Promise<Result<Kept, AppError>>;
  /**
   * Deletes kept messages that are in their author's outbox again; not after another sign-out,
   * which may have kept them once more.
   */
  dropKept(uid: string, kept: Kept): Promise<Result<void, AppError>>;
  /** Deletes all kept messages of a person, decryptable or not. */
  discardKept(uid: string): Promise<Result<void, AppError>>;
}
