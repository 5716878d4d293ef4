import 'fake-indexeddb/auto';

import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';

import { type DatabaseOptions, UserDatabase } from '#db/schema/database.ts';
import { openUserStore, type UserStore } from '#db/user/user-store.ts';
import { createWebSealing } from '#src/adapters/browser/web-sealing.ts';
import type { ClientLog } from '#domain/ports/browser.ts';
import type { Clock } from '#domain/ports/kit.ts';

/** An entry of a store's client log. */
export interface LogLine {
  readonly level: string;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
}

const STILL: Clock = { now: () => 1_700_000_000_000 };

/** One device: its own IndexedDB and any number of tabs; its clock stands still by default. */
export const createDevice = (clock: Clock = STILL) => {
  const lines: LogLine[] = [];
  const clientLog: ClientLog = {
    write: (level, code, details) => void lines.push({ level, code, details }),
  };
  const factory = new IDBFactory();
  const options: DatabaseOptions = {
    indexedDB: { indexedDB: factory, IDBKeyRange },
    clientLog,
    clock,
    sealing: createWebSealing(),
  };
  return {
    lines,
    factory,
    options,
    /** Opens a store like a tab. */
    openTab: async (uid = 'u_me', { flags }: DatabaseOptions = {}): Promise<UserStore> => {
      const opened = await openUserStore(uid, { ...options, ...(flags && { flags }) });
      if (!opened.ok) throw new Error(JSON.stringify(opened.error));
      return opened.value;
    },
    /** The raw database, for inspecting it without the store. */
    openDatabase: (uid = 'u_me') => new UserDatabase(uid, options),
  };
};

export type Device = ReturnType<typeof createDevice>;
