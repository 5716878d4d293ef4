/**
 * Tables of the embedded database, one step per version. Steps are only appended and never
 * edited once shipped: a folder does not run a step twice.
 */
export const MIGRATIONS: readonly string[] = [
  `
  -- Staff who may sign in. password_hash is an argon2id string with its own parameters.
  CREATE TABLE staff_account (
    uid TEXT PRIMARY KEY,
    email TEXT NOT NULL UNIQUE COLLATE NOCASE,
    password_hash TEXT NOT NULL,
    name TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('producer', 'team'))
  ) STRICT, WITHOUT ROWID;

  -- Clients of the service, listed in the order of their ids.
  CREATE TABLE client (
    client_id TEXT PRIMARY KEY,
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Signed-out sessions; "until" is ms since the epoch, when the cookie expires by itself.
  CREATE TABLE denied_session (
    sid TEXT PRIMARY KEY,
    until INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- The log of all rooms, append only. room is {client id}/{room id}, so that another
  -- channel template changes no row. timetoken rises strictly over the whole log, which
  -- makes one of them a cursor over all rooms; it is TEXT because it exceeds 2^53.
  -- ordinal is the position within the room, from 1: counts are a difference of two.
  -- message is the payload's JSON, last because it may fill pages of its own.
  CREATE TABLE log (
    timetoken TEXT NOT NULL UNIQUE CHECK (length(timetoken) = 17),
    room TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    publisher TEXT NOT NULL,
    id TEXT NOT NULL,
    message TEXT NOT NULL,
    UNIQUE (room, publisher, id)
  ) STRICT;
  CREATE UNIQUE INDEX log_by_room ON log (room, timetoken, ordinal);
  `,
  `
  -- Where people are signed in, as they may see it. handle names a session in public; device is
  -- its browser in plain words; since, seen and until are ms since the epoch.
  CREATE TABLE open_session (
    handle TEXT PRIMARY KEY,
    uid TEXT NOT NULL,
    sid TEXT NOT NULL,
    device TEXT NOT NULL,
    since INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    until INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX open_session_by_uid ON open_session (uid);
  `,
  `
  -- Marks that the devices of one user share; uid '' is the staff log. Append only but for the
  -- oldest entries, which are deleted. timetoken rises strictly within a log; id is the sender's.
  -- payload is JSON, last because it may fill pages of its own.
  CREATE TABLE own_log (
    uid TEXT NOT NULL,
    timetoken TEXT NOT NULL CHECK (length(timetoken) = 17),
    id TEXT NOT NULL,
    payload TEXT NOT NULL,
    PRIMARY KEY (uid, timetoken),
    UNIQUE (uid, id)
  ) STRICT;
  `,
  `
  -- Under which secret the session was last used: a fingerprint, or empty if it is not known.
  ALTER TABLE open_session ADD COLUMN secret TEXT NOT NULL DEFAULT '';
  `,
];
