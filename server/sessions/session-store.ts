/** One session as its person may see it. Times are ms since the epoch. */
export interface SessionRecord {
  /** Names it in public; says nothing about its id. */
  readonly handle: string;
  /** What the list of denied sessions knows it by. */
  readonly mark: string;
  /** In plain words, such as "Chrome on Windows". */
  readonly device: string;
  readonly since: number;
  readonly seen: number;
  /** When it ends however much it is used. */
  readonly until: number;
}

/** A record with whose session it is. */
export interface PersonalRecord extends SessionRecord {
  readonly uid: string;
}

/** Where open sessions are listed, for all instances. Every call rejects while it is down. */
export interface SessionStore {
  /** Adds records, and notes when known ones were seen. */
  save(records: readonly PersonalRecord[]): Promise<void>;
  list(uid: string): Promise<readonly SessionRecord[]>;
  remove(uid: string, handles: readonly string[]): Promise<void>;
}
