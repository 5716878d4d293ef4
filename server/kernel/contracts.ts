import type { Producer } from '#domain/schemas/producer.ts';
import type { User } from '#domain/schemas/session.ts';
import type { Team } from '#domain/schemas/team.ts';

/** The seams inside the server, so that each side can be replaced by a hosted one. */

/** Staff accounts. */
export interface Accounts {
  /**
   * The account of an address and password, or undefined. Unknown addresses cost the same
   * work as wrong passwords, so that the answer time tells nothing.
   */
  verify(email: string, password: string): Promise<User | undefined>;
  hasAny(): boolean;
}

/** Staff data as the product API serves it. */
export interface StaffData {
  listTeams(): readonly Team[];
  listProducers(): readonly Producer[];
}

/** Who a request comes from. */
export interface SessionIdentity {
  readonly user: User;
  /** Session id; new at every sign-in, kept by refreshes, denied for good at sign-out. */
  readonly sid: string;
  /** ms since the epoch */
  readonly expires: number;
  /** The product API's own token for this user, where its `/auth` gave one; never shown to a page. */
  readonly upstreamToken?: string | undefined;
}

/** A user whose credentials were right, with the product API's token where it gave one. */
export type SignedIn = Pick<SessionIdentity, 'user' | 'upstreamToken'>;

export interface Sessions {
  /** The valid, not denied session of a request's cookie. */
  read(request: Request): Promise<SessionIdentity | undefined>;
  isDenied(sid: string): boolean;
  /** Called with the session id whenever one is signed out. Returns the way to stop. */
  onDenied(listener: (sid: string) => void): () => void;
}
