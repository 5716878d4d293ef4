import type { AppError } from './errors.ts';
import type { OutboxItem } from './ports.ts';
import type { Result } from './result.ts';
import type { Session } from './schemas/session.ts';

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

/** What this device has for somebody who signs in. */
export interface Returning {
  /** Data of an earlier sign-out is still to be deleted. */
  readonly isLeaving: boolean;
  /** Messages that user left unsent, in order of acceptance. */
  readonly kept: readonly OutboxItem[];
  /** `SignOuts.turn` at the time. */
  readonly turn: number;
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
   * Puts the unsent messages of somebody who left aside and deletes everything else of
   * theirs. `storage` while another tab holds on to it.
   */
  finishDeparture(uid: string): Promise<Result<void, AppError>>;
  findReturning(uid: string): Promise<Result<Returning, AppError>>;
  /**
   * The messages put aside are in their author's outbox again; they stay aside where somebody
   * signed out since `turn`, since they may have been put there once more.
   */
  dropKept(uid: string, turn: number): Promise<Result<void, AppError>>;
}
