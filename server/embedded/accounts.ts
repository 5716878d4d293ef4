import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

import type { User } from '#domain/schemas/session.ts';

import type { Accounts } from '../kernel/contracts.ts';
import { EMAIL_LENGTH_MAX } from '../kernel/limits.ts';
import { hashPassword, isPassword } from '../kernel/password.ts';

interface AccountRow {
  readonly uid: string;
  readonly email: string;
  readonly password_hash: string;
  readonly name: string;
  readonly role: 'producer' | 'team';
}

/** Accounts in the embedded database; email addresses are compared case-insensitively. */
export const createAccounts = async (sql: DatabaseSync): Promise<Accounts> => {
  const find = sql.prepare('SELECT * FROM staff_account WHERE email = ?');
  // Verified for unknown addresses, so that they cost the same as a wrong password.
  const dummyHash = await hashPassword(randomBytes(16).toString('hex'));
  const list = sql.prepare('SELECT uid FROM staff_account');
  return {
    hasAny: (except) => list.all().some(({ uid }) => !except.has(String(uid))),
    verify: async (email, password): Promise<User | undefined> => {
      const key = email.trim().slice(0, EMAIL_LENGTH_MAX + 1);
      const row = find.get(key) as unknown as AccountRow | undefined;
      const matches = await isPassword(row?.password_hash ?? dummyHash, password);
      if (row === undefined || !matches) return undefined;
      return { uid: row.uid, name: row.name, email: row.email, image: null, role: row.role };
    },
  };
};
