import '../globals.ts';
import 'fake-indexeddb/auto';

import { IDBDatabase, IDBTransaction } from 'fake-indexeddb';

import { findOwner } from './disk.ts';
import type { RawConnection, RawTransaction } from './raw-indexeddb.ts';

/**
 * Makes every step of the storage a task of its tab, so that a frozen tab's storage waits and a
 * dead one's never continues. Imported once, for its effect.
 */

const transactions = IDBTransaction.prototype as unknown as RawTransaction;
const connections = IDBDatabase.prototype as unknown as RawConnection;
const original = {
  start: Reflect.get(transactions, '_start'),
  dispatchEvent: Reflect.get(connections, 'dispatchEvent'),
  transaction: Reflect.get(connections, 'transaction'),
};

/** A full disk refuses the commit. */
const isRefused = (transaction: RawTransaction, isFull: boolean): boolean =>
  isFull && isWriting(transaction) && transaction._requests.length === 0;

const isWriting = ({ mode, _rollbackLog }: RawTransaction): boolean =>
  mode === 'readwrite' && _rollbackLog.length > 0;

transactions._start = function startOwned(this: RawTransaction): void {
  const owner = findOwner(this.db);
  if (owner === undefined || this._state === 'finished') {
    original.start.call(this);
    return;
  }
  const { lane, disk } = owner;
  if (disk.scheduler.current !== lane) {
    this._started = true;
    disk.scheduler.soon(lane, () => this._start());
    return;
  }
  if (isRefused(this, disk.isFull)) {
    this._abort('QuotaExceededError');
    return;
  }
  const isWrite = isWriting(this);
  original.start.call(this);
  if (isWrite && isFinished(this) && !this.error) disk.onCommit(this.db.name, this._scope);
};

const isFinished = ({ _state }: RawTransaction): boolean => _state === 'finished';

/** The notice of another tab's upgrade is a task of the notified tab. */
connections.dispatchEvent = function dispatchOwned(this: RawConnection, event): boolean {
  const owner = findOwner(this);
  if (event.type !== 'versionchange' || owner === undefined) {
    return original.dispatchEvent.call(this, event);
  }
  owner.disk.scheduler.soon(owner.lane, () => original.dispatchEvent.call(this, event));
  return true;
};

/** The browser decides which transaction runs next, not a tab. */
connections.transaction = function beginOwned(this: RawConnection, ...args): RawTransaction {
  const begin = (): RawTransaction => original.transaction.apply(this, args);
  return findOwner(this)?.disk.scheduler.as(undefined, begin) ?? begin();
};
