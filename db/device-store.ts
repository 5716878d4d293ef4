import type { DeviceStore } from '#domain/ports.ts';
import { sessionSchema } from '#domain/schemas/session.ts';

import { type DatabaseOptions, DeviceDatabase } from './database.ts';
import { attempt } from './storage-errors.ts';
import { ROW_VERSION, SESSIONS } from './tables.ts';
import { write } from './write.ts';

/**
 * The last verified session of this device, for an offline start. One nobody can read
 * counts as none; it stays until the next sign-in replaces it.
 */
export const createDeviceStore = (options: DatabaseOptions = {}): DeviceStore => {
  const db = new DeviceDatabase(options);
  return {
    findSession: () =>
      attempt(db, async () => {
        const row = await db.sessions.get(SESSIONS.last);
        if (row === undefined) return undefined;
        const parsed = sessionSchema.safeParse(row.session);
        if (parsed.success) return parsed.data;
        db.clientLog.write('error', 'STORED_ROW_UNREADABLE', { table: 'sessions' });
        return undefined;
      }),
    saveSession: (session) =>
      attempt(db, () =>
        write(db, [db.sessions], async () => {
          await db.sessions.put({ key: SESSIONS.last, session, v: ROW_VERSION });
        }),
      ),
    clearSession: () =>
      attempt(db, async () => {
        await db.sessions.delete(SESSIONS.last);
      }),
  };
};
