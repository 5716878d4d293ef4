import type { UserStore } from '#db/user/user-store.ts';
import type { AppError } from '#domain/errors.ts';
import type { ClientLog } from '#domain/ports/browser.ts';
import type { Result } from '#domain/result.ts';

import { findDrafts, hasDrafts, putDrafts, watchDrafts } from './drafts.ts';

/** What a keeper needs of the page. */
interface KeeperPorts {
  readonly tabId: string;
  /** Ids of the open tabs of this browser. */
  readonly openTabs: { list(): Promise<ReadonlySet<string>> };
  readonly openStore: (uid: string) => Promise<Result<UserStore, AppError>>;
  readonly clientLog: ClientLog;
}

/** The last moments at which a page still runs; what it stores then may not get through. */
const onPutAside = (listener: () => void): void => {
  window.addEventListener('pagehide', listener);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') listener();
  });
};

/** Keeps what is typed in this tab in its user's store, so that it outlives a reload or a crash. */
export class DraftKeeper {
  readonly #ports: KeeperPorts;
  #place: { readonly uid: string; readonly store: UserStore } | undefined;
  /** Something changed since the last write began. */
  #isStale = false;
  /** Something changed that no write has stored yet. */
  #isUnsaved = false;
  #isFollowing = false;
  #isFailing = false;

  constructor(ports: KeeperPorts) {
    this.#ports = ports;
    watchDrafts(() => {
      this.#isStale = true;
      this.#isUnsaved = true;
      if (!this.#isFollowing) void this.#follow();
    });
    onPutAside(() => {
      if (this.#isUnsaved) void this.keep();
    });
  }

  /** Opens a store, brings back what tabs that are gone had begun, and keeps drafts there. */
  readonly openStore: KeeperPorts['openStore'] = async (uid) => {
    const { tabId, openTabs, openStore } = this.#ports;
    const [opened, open] = await Promise.all([openStore(uid), openTabs.list()]);
    if (!opened.ok) return opened;
    const store = opened.value;
    const taken = await store.takeDrafts(tabId, open);
    if (taken.ok) putDrafts(uid, taken.value);
    this.#place = { uid, store };
    if (hasDrafts()) void this.keep();
    return opened;
  };

  /** Stores what is typed now; false when that is not possible. */
  readonly keep = async (): Promise<boolean> => {
    this.#isStale = false;
    if (this.#place === undefined) return !hasDrafts();
    const { uid, store } = this.#place;
    const saved = await store.saveDrafts(this.#ports.tabId, findDrafts(uid));
    if (!saved.ok && !this.#isFailing && !store.database.isEnded) {
      this.#ports.clientLog.write('warn', 'DRAFT_UNSAVED', { kind: saved.error.kind });
    }
    this.#isFailing = !saved.ok;
    if (saved.ok && !this.#isStale) this.#isUnsaved = false;
    return saved.ok || !hasDrafts();
  };

  /** Stores every change at once, or when the one before is stored: a page may go at any time. */
  async #follow(): Promise<void> {
    this.#isFollowing = true;
    while (this.#isStale) await this.keep();
    this.#isFollowing = false;
  }
}
