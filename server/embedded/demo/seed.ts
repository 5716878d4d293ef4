import type { DatabaseSync } from 'node:sqlite';

import { hashPassword } from '../../kernel/password.ts';
import { listDemoRows } from './conversations.ts';
import { DEMO_ACCOUNTS, DEMO_CLIENTS } from './people.ts';

export const hasDemoData = (sql: DatabaseSync): boolean =>
  sql.prepare('SELECT 1 FROM staff_account WHERE uid = ?').get(DEMO_ACCOUNTS[0].uid) !== undefined;

const addAccounts = (sql: DatabaseSync, hashes: readonly string[]): void => {
  const insert = sql.prepare(
    'INSERT INTO staff_account (uid, email, password_hash, name, role) VALUES (?, ?, ?, ?, ?)',
  );
  for (const [index, { uid, email, name, role }] of DEMO_ACCOUNTS.entries()) {
    insert.run(uid, email, hashes[index] ?? '', name, role);
  }
};

const addClients = (sql: DatabaseSync): void => {
  const insert = sql.prepare(
    'INSERT INTO client (client_id, first_name, last_name) VALUES (?, ?, ?)',
  );
  for (const { client_id, client } of DEMO_CLIENTS) {
    insert.run(client_id, client.first_name, client.last_name);
  }
};

const addConversations = (sql: DatabaseSync, now: number): void => {
  const insert = sql.prepare(
    'INSERT INTO log (timetoken, room, ordinal, publisher, id, message) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const ordinals = new Map<string, number>();
  for (const { timetoken, room, publisher, id, message } of listDemoRows(now)) {
    const ordinal = (ordinals.get(room) ?? 0) + 1;
    ordinals.set(room, ordinal);
    insert.run(timetoken, room, ordinal, publisher, id, message);
  }
};

const isEmpty = (sql: DatabaseSync): boolean =>
  ['staff_account', 'client', 'log'].every(
    (table) => sql.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined,
  );

/**
 * Returns a function that fills an empty database with the demo accounts, clients and
 * conversations, inside the caller's transaction. A database with any data is not changed.
 */
export const prepareDemoData = async (): Promise<(sql: DatabaseSync) => void> => {
  const now = Date.now();
  const hashes = await Promise.all(DEMO_ACCOUNTS.map(({ password }) => hashPassword(password)));
  return (sql) => {
    if (!isEmpty(sql)) return;
    addAccounts(sql, hashes);
    addClients(sql);
    addConversations(sql, now);
  };
};
