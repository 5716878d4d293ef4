import type { SignOuts } from '#domain/ports/device.ts';

import { type Factory, openExisting, toPromise } from '../schema/open-existing.ts';
import { DEVICE_DATABASE_NAME, SESSIONS, TABLES } from '../schema/tables.ts';
import { toSignOuts } from './sign-outs.ts';

/**
 * The reads of a start from the device database, without the library, which the sign-in page does
 * not need otherwise. Every method rejects if the database cannot be read or has an older schema;
 * the device store then reads instead, with its recovery.
 */
export class DeviceReads {
  readonly #factory: Factory;
  #opened: Promise<IDBDatabase | undefined> | undefined;

  constructor(factory: Factory) {
    this.#factory = factory;
  }

  /** The stored session, unparsed; undefined without one. */
  readonly findSession = (): Promise<unknown> =>
    this.#read(TABLES.sessions, async (tables) => {
      const row: unknown = await toPromise(tables(TABLES.sessions).get(SESSIONS.last));
      return typeof row === 'object' && row !== null && 'session' in row ? row.session : undefined;
    });

  readonly findSignOuts = async (): Promise<SignOuts> =>
    toSignOuts(
      (await this.#read(TABLES.signOuts, (tables) =>
        toPromise(tables(TABLES.signOuts).getAll()),
      )) ?? [],
    );

  readonly listPendingPurges = async (): Promise<readonly string[]> => {
    const keys = await this.#read(TABLES.departures, (tables) =>
      toPromise(tables(TABLES.departures).getAllKeys()),
    );
    return (keys ?? []).filter((key) => typeof key === 'string');
  };

  /** Closes the connection; a later read opens a new one. */
  readonly close = (): void => {
    const opened = this.#opened;
    this.#opened = undefined;
    void opened?.then(
      (database) => database?.close(),
      () => undefined,
    );
  };

  /** Runs in one transaction; undefined if there is no database. */
  async #read<T>(
    names: string | string[],
    work: (tables: (name: string) => IDBObjectStore) => Promise<T>,
  ): Promise<T | undefined> {
    this.#opened ??= this.#open();
    const database = await this.#opened;
    if (database === undefined) {
      // Another tab may create it at any time.
      this.#opened = undefined;
      return undefined;
    }
    const transaction = database.transaction(names, 'readonly');
    return work((name) => transaction.objectStore(name));
  }

  async #open(): Promise<IDBDatabase | undefined> {
    try {
      const database = await openExisting(this.#factory, DEVICE_DATABASE_NAME);
      // Another tab may upgrade or delete it, and the browser closes it on a full disk.
      database?.addEventListener('versionchange', this.close);
      database?.addEventListener('close', this.close);
      return database;
    } catch (error) {
      this.#opened = undefined;
      throw error;
    }
  }
}
