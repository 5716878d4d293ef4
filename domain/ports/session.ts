import type { OwnKeys } from './device.ts';
import type { AppError } from '../errors.ts';
import type { Cancellation, Unsubscribe } from './ports.ts';
import type { Result } from '../result.ts';
import type { Session } from '../schemas/session.ts';

/** The session endpoints. */
export interface SessionApi {
  /** The session, or undefined when the server says there is none. */
  getSession(cancel: Cancellation): Promise<Result<Session | undefined, AppError>>;
  /** Signs in; the value is the url to go to (already checked to be of this origin). */
  signIn(
    credentials: {
      readonly email: string;
      readonly password: string;
      readonly callbackUrl: string;
    },
    cancel: Cancellation,
  ): Promise<Result<string, AppError>>;
  signOut(cancel: Cancellation): Promise<Result<void, AppError>>;
  /** The keys of the signed-in user; `unauthenticated` where the session is not `uid`'s. */
  getKeys(uid: string, cancel: Cancellation): Promise<Result<OwnKeys, AppError>>;
  /** Tells the other tabs that the session changed (spec §4). */
  announceChange(): void;
  /** Another tab announced a change. */
  onChange(listener: () => void): Unsubscribe;
}
