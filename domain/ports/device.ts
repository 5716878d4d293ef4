import type { AppError } from '../errors.ts';
import type { OutboxItem } from '../project/rows.ts';
import type { Result } from '../result.ts';
import type { Session } from '../schemas/session.ts';
import type { SealingKey } from './sealing.ts';

/** Somebody signs out on this device. */
export interface Departure {
  readonly uid: string;
  /** Ids of unsent messages that go with the rest; all others are kept. */
  readonly discarded: readonly string[];
}

/** The sign-outs of this device. */
export interface SignOuts {
  /** How many there were: it rises with each. */
  readonly turn: number;
  /** The server has not heard of the last one yet: the session counts as closed. */
  readonly owed: boolean;
}

/** One person's keys, handed out by the server; see `PersonalKeys`. */
export interface OwnKeys {
  /** The first one seals, the others only open. */
  readonly keys: readonly SealingKey[];
  /** Names of this person's store, by the keys' order. */
  readonly storeIds: readonly string[];
}

/** What a store was when its user's keys came. */
export interface KnownStore {
  /** It had no keys before: it was made anew, or by an earlier version of the page. */
  readonly isNew: boolean;
  readonly mark: StoreMark | undefined;
}

/** What this device has for somebody who signs in. */
export interface Returning {
  /** Data of an earlier sign-out is still to be deleted. */
  readonly isLeaving: boolean;
  /** Messages that user left unsent are put aside here. */
  readonly hasKept: boolean;
}

/** Messages put aside at sign-outs, as far as the keys open them. */
export interface Kept {
  /** In order of acceptance. */
  readonly items: readonly OutboxItem[];
  /** Rows that hold them. */
  readonly opened: readonly number[];
  /** Sign-outs whose messages none of the keys opens. */
  readonly unreadable: number;
  /** `SignOuts.turn` at the time. */
  readonly turn: number;
}

/**
 * What is known of one person's store outside IndexedDB: it exists, with unsent messages in it or
 * not; or it was deleted at a sign-out and messages are kept. Without a mark there is none.
 */
export type StoreMark = 'open' | 'unsent' | 'kept';

/** Marks outlive a damaged IndexedDB. They are named by `OwnKeys.storeIds` and never fail. */
export interface StoreMarks {
  find(storeId: string): StoreMark | undefined;
  set(storeId: string, mark: StoreMark): void;
  remove(storeId: string): void;
}

/** The disk under this browser's storage, seen from outside IndexedDB. Never fails. */
export interface Disk {
  /** It was full, and the databases were not opened since. */
  isMarked(): boolean;
  mark(): void;
  unmark(): void;
  /** Whether it takes 16 MB more; true where that cannot be tried. */
  hasRoom(): Promise<boolean>;
}

/**
 * What this device keeps outside a user's store: the last verified session, and what signing
 * out leaves to be done. The steps of a sign-out are durable one by one, so that whatever
 * was cut off is finished at the next start.
 */
export interface DeviceStore {
  findSession(): Promise<Result<Session | undefined, AppError>>;
  /** Keeps a session the server confirmed, unless somebody signed out since `turn`: then false. */
  saveSession(session: Session, turn: number): Promise<Result<boolean, AppError>>;
  clearSession(): Promise<Result<void, AppError>>;
  findSignOuts(): Promise<Result<SignOuts, AppError>>;
  /** Closes the session on this device, with or without a network, in one transaction. */
  signOut(departure: Departure): Promise<Result<void, AppError>>;
  /** The server knows of the sign-out. */
  settleSignOut(): Promise<Result<void, AppError>>;
  /** Users whose data is still to be deleted. */
  listDepartures(): Promise<Result<readonly string[], AppError>>;
  /**
   * Seals the unsent messages of somebody who left, puts them aside and deletes everything else
   * of theirs. The keys are those in their store unless others are given. `storage` while another
   * tab holds on to it, and where there is no key for what is unsent.
   */
  purgeUserData(uid: string, own?: OwnKeys): Promise<Result<void, AppError>>;
  findReturning(uid: string): Promise<Result<Returning, AppError>>;
  openKept(uid: string, keys: OwnKeys['keys']): Promise<Result<Kept, AppError>>;
  /**
   * The messages put aside are in their author's outbox again; they stay aside where somebody
   * signed out since, since they may have been put there once more.
   */
  dropKept(uid: string, kept: Kept): Promise<Result<void, AppError>>;
  /** Deletes all that is put aside for somebody, whether it can be opened or not. */
  discardKept(uid: string): Promise<Result<void, AppError>>;
}
