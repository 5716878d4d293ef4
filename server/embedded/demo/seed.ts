import type { DatabaseSync } from 'node:sqlite';

import { hashPassword } from '../password.ts';
import { DEMO_ACCOUNTS, DEMO_CLIENTS } from './people.ts';

/** True when the demo accounts are in the database. */
export const hasDemoData = (sql: DatabaseSync): boolean =>
  sql.prepare('SELECT 1 FROM staff_account WHERE uid = ?').get(DEMO_ACCOUNTS[0].uid) !== undefined;

/**
 * The way to fill an empty database with the demo accounts, clients and conversations,
 * inside the caller's transaction. A database with accounts is left as it is.
 */
export const prepareDemoData = async (): Promise<(sql: DatabaseSync) => void> => {
  const hashes = await Promise.all(DEMO_ACCOUNTS.map(({ password }) => hashPassword(password)));
  return (sql) => {
    if (sql.prepare('SELECT 1 FROM staff_account LIMIT 1').get() !== undefined) return;
    const account = sql.prepare(
      'INSERT INTO staff_account (uid, email, password_hash, name, role) VALUES (?, ?, ?, ?, ?)',
    );
    for (const [index, { uid, email, name, role }] of DEMO_ACCOUNTS.entries()) {
      account.run(uid, email, hashes[index] ?? '', name, role);
    }
    const client = sql.prepare(
      'INSERT INTO client (client_id, first_name, last_name) VALUES (?, ?, ?)',
    );
    for (const { client_id, client: names } of DEMO_CLIENTS) {
      client.run(client_id, names.first_name, names.last_name);
    }
  };
};
