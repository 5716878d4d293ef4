import { deleteEnded, type SqlStoreDeps } from '../denied/denied-store.ts';
import { deriveKey } from '../kernel/secret.ts';
import type { SessionStore } from './session-store.ts';

/**
 * One statement for all records is one commit. An existing record changes in `seen` and `secret`, and
 * ends later if the limit was raised; after a lower one its cookie may still last as long as before.
 */
const SAVE = `
  INSERT INTO open_session (handle, uid, sid, device, since, seen, until, secret)
  SELECT value ->> 'handle', value ->> 'uid', value ->> 'mark', value ->> 'device',
    value ->> 'since', value ->> 'seen', value ->> 'until', ?2 FROM json_each(?1) WHERE true
  ON CONFLICT (handle) DO UPDATE
    SET seen = excluded.seen, secret = excluded.secret, until = max(until, excluded.until)
`;

const toFingerprint = (secret: string): string =>
  Buffer.from(deriveKey(secret, 'fingerprint in the list of sessions')).toString('base64url');

/**
 * Open sessions in the embedded database, table `open_session`. Those of another secret are not
 * listed but stay until they expire: that secret may be restored.
 */
export const createSqlSessionStore = (
  deps: SqlStoreDeps,
  secret: string,
  previous = secret,
): SessionStore => {
  const { sql, mustBeInPlace } = deps;
  const current = toFingerprint(secret);
  const earlier = toFingerprint(previous);
  deleteEnded(deps, 'open_session', 0, () => {
    sql.prepare("UPDATE open_session SET secret = ? WHERE secret = ''").run(current);
  });
  const save = sql.prepare(SAVE);
  const list = sql.prepare(`
    SELECT handle, sid, device, since, seen, until FROM open_session
    WHERE uid = ? AND secret IN (?, ?)
  `);
  const remove = sql.prepare(
    'DELETE FROM open_session WHERE uid = ? AND handle IN (SELECT value FROM json_each(?))',
  );
  return {
    save: async (records) => {
      mustBeInPlace();
      save.run(JSON.stringify(records), current);
    },
    list: async (uid) =>
      list.all(uid, current, earlier).map((row) => ({
        handle: String(row['handle']),
        mark: String(row['sid']),
        device: String(row['device']),
        since: Number(row['since']),
        seen: Number(row['seen']),
        until: Number(row['until']),
      })),
    remove: async (uid, handles) => {
      remove.run(uid, JSON.stringify(handles));
    },
  };
};
