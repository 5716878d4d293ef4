import { deleteEnded, type SqlStoreDeps } from '../denied/denied-store.ts';
import type { SessionStore } from './session-store.ts';

/**
 * One statement for all records is one commit. An existing record changes in `seen`, and ends later
 * if the limit was raised; after a lower one its cookie may still last as long as before.
 */
const SAVE = `
  INSERT INTO open_session (handle, uid, sid, device, since, seen, until)
  SELECT value ->> 'handle', value ->> 'uid', value ->> 'mark', value ->> 'device',
    value ->> 'since', value ->> 'seen', value ->> 'until' FROM json_each(?) WHERE true
  ON CONFLICT (handle) DO UPDATE
    SET seen = excluded.seen, until = max(until, excluded.until)
`;

/** Open sessions in the embedded database, table `open_session`; a start deletes expired ones. */
export const createSqlSessionStore = (deps: SqlStoreDeps): SessionStore => {
  const { sql, mustBeInPlace } = deps;
  deleteEnded(deps, 'open_session');
  const save = sql.prepare(SAVE);
  const list = sql.prepare(
    'SELECT handle, sid, device, since, seen, until FROM open_session WHERE uid = ?',
  );
  const remove = sql.prepare(
    'DELETE FROM open_session WHERE uid = ? AND handle IN (SELECT value FROM json_each(?))',
  );
  return {
    save: async (records) => {
      mustBeInPlace();
      save.run(JSON.stringify(records));
    },
    list: async (uid) =>
      list.all(uid).map((row) => ({
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
