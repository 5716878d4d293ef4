/** One session as its owner may see it. Times are ms since the epoch. */
export interface SessionRecord {
  /** Identifies the session in public without revealing its id. */
  readonly handle: string;
  /** Identifies it in the list of denied sessions. */
  readonly mark: string;
  /** A readable name, such as "Chrome on Windows". */
  readonly device: string;
  readonly since: number;
  readonly seen: number;
  /** The latest possible end of all its cookies, however much it is used. */
  readonly until: number;
}

/** A record with its owner. */
export interface PersonalRecord extends SessionRecord {
  readonly uid: string;
}

/** The list of open sessions, for all instances. Every call rejects while it is down. */
export interface SessionStore {
  /** Adds records, and updates the last use and the end of known ones. */
  save(records: readonly PersonalRecord[]): Promise<void>;
  list(uid: string): Promise<readonly SessionRecord[]>;
  remove(uid: string, handles: readonly string[]): Promise<void>;
}
