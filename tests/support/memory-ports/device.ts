import type { DeviceStore } from '#domain/ports/device.ts';
import type { AppError } from '#domain/errors.ts';
import type { OutboxItem } from '#domain/project/rows.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import type { Session } from '#domain/schemas/session.ts';

import type { MemoryDatabase } from './database.ts';

/** The data of one device outside its users' databases. */
export class MemoryDevice {
  session: Session | undefined;
  signOuts = 0;
  pending = false;
  readonly pendingPurges = new Map<string, readonly string[]>();
  readonly kept = new Map<string, readonly OutboxItem[]>();
  /** Users whose key does not decrypt their kept messages. */
  readonly unreadable = new Set<string>();
  /** Every access fails with this while set. */
  failure: AppError | undefined;
  readonly #databases: Map<string, MemoryDatabase>;

  constructor(databases: Map<string, MemoryDatabase>) {
    this.#databases = databases;
  }

  async #do<T>(work: () => T): Promise<Result<T, AppError>> {
    return this.failure === undefined ? ok(work()) : fail(this.failure);
  }

  #finish(uid: string): void {
    const discarded = this.pendingPurges.get(uid);
    if (discarded === undefined) return;
    const database = this.#databases.get(uid);
    const items = database?.items ?? [];
    const unsent = items.filter(({ id }) => !discarded.includes(id));
    if (unsent.length > 0) this.kept.set(uid, [...(this.kept.get(uid) ?? []), ...unsent]);
    this.#databases.delete(uid);
    this.pendingPurges.delete(uid);
    for (const notify of database?.lost ?? []) queueMicrotask(notify);
  }

  readonly store: DeviceStore = {
    findSession: () => this.#do(() => this.session),
    saveSession: (session, count) =>
      this.#do(() => {
        if (count !== this.signOuts) return false;
        this.session = session;
        return true;
      }),
    clearSession: () =>
      this.#do(() => {
        this.session = undefined;
      }),
    findSignOuts: () => this.#do(() => ({ count: this.signOuts, pending: this.pending })),
    signOut: ({ uid, discarded }) =>
      this.#do(() => {
        this.signOuts += 1;
        this.pending = true;
        this.pendingPurges.set(uid, discarded);
        this.session = undefined;
      }),
    confirmSignOut: () =>
      this.#do(() => {
        this.pending = false;
      }),
    listPendingPurges: () => this.#do(() => [...this.pendingPurges.keys()]),
    purgeUserData: (uid) => this.#do(() => this.#finish(uid)),
    openKept: (uid) =>
      this.#do(() => {
        const items = this.unreadable.has(uid) ? [] : (this.kept.get(uid) ?? []);
        const unreadable = this.unreadable.has(uid) ? 1 : 0;
        return {
          items,
          opened: items.length > 0 ? [1] : [],
          unreadable,
          signOuts: this.signOuts,
        };
      }),
    dropKept: (uid, { signOuts }) =>
      this.#do(() => {
        if (signOuts === this.signOuts) this.kept.delete(uid);
      }),
    discardKept: (uid) =>
      this.#do(() => {
        this.kept.delete(uid);
        this.unreadable.delete(uid);
      }),
  };
}
