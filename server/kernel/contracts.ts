import type { Producer } from '#domain/schemas/producer.ts';
import type { User } from '#domain/schemas/session.ts';
import type { Team } from '#domain/schemas/team.ts';

/**
 * Interfaces between the parts of the server. A hosted service replaces the embedded data behind
 * `CheckCredentials` of `auth` and `StaffSource` of `proxy`.
 */

/** Staff accounts. */
export interface Accounts {
  /**
   * The account of an email and password, or undefined. Unknown addresses cost the same work as
   * wrong passwords, so that the response time reveals nothing.
   */
  verify(email: string, password: string): Promise<User | undefined>;
  /** Whether there is an account other than those of the given uids. */
  hasAny(except: ReadonlySet<string>): boolean;
}

/** Staff data as the product API returns it. */
export interface StaffData {
  listTeams(): readonly Team[];
  listProducers(): readonly Producer[];
}

/** Confirms accounts. Accounts that one authority confirmed are invalid under the other. */
export type Authority = 'embedded accounts' | 'product API';

/** The identity behind a request. */
export interface SessionIdentity {
  readonly user: User;
  /** Session id; new at every sign-in, unchanged by renewals, denied permanently at sign-out. */
  readonly sid: string;
  /** ms since the epoch */
  readonly expires: number;
  /** The product API's own token for this user, if it issued one; never sent to a page. */
  readonly upstreamToken?: string | undefined;
}

/** A user with correct credentials, with the product API's token if it returned one. */
export type SignedIn = Pick<SessionIdentity, 'user' | 'upstreamToken'>;

/** A session that a sign-in began. */
export interface BegunSession {
  /** Sessions of the same user that it ended, because there were too many. */
  readonly endedByLimit: number;
}

export interface Sessions {
  /** The valid, not denied session of a request's cookie. */
  read(request: Request): Promise<SessionIdentity | undefined>;
  isDenied(sid: string): boolean;
  /** Whether a user has no access, even with a session from before. */
  isRefused(uid: string): boolean;
  /** Called with the session id at every sign-out. Returns a function that stops it. */
  onDenied(listener: (sid: string) => void): () => void;
}
