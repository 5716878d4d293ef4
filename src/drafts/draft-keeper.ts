import type { UserStore } from '#db/user/user-store.ts';
import type { AppError } from '#domain/errors.ts';
import type { ClientLog } from '#domain/ports/browser.ts';
import type { Result } from '#domain/result.ts';

import { findDrafts, hasDrafts, putDrafts, watchDrafts } from './drafts.ts';

/** The parts of the page that a keeper uses. */
interface KeeperPorts {
  readonly tabId: string;
  /** Ids of the open tabs of this browser. */
  readonly openTabs: { list(): Promise<ReadonlySet<string>> };
  readonly openStore: (uid: string) => Promise<Result<UserStore, AppError>>;
  readonly clientLog: ClientLog;
}

/** The last moments in which a page still runs; a write started then may be lost. */
const onPutAside = (listener: () => void): void => {
  window.addEventListener('pagehide', listener);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') listener();
  });
};

/** Stores the drafts of this tab in the user's store, so that they survive a reload or a crash. */
export class DraftKeeper {
  readonly #ports: KeeperPorts;
  #place: { readonly uid: string; readonly store: UserStore } | undefined;
  /** A draft changed since the last write began. */
  #isStale = false;
  /** A draft changed and no write has stored it yet. */
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

  /** Opens a store, restores the drafts of closed tabs, and stores drafts there. */
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

  /** Stores the drafts now; false if that is not possible. */
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

  /** Stores every change at once, or after the previous write: a page may close at any time. */
  async #follow(): Promise<void> {
    this.#isFollowing = true;
    while (this.#isStale) await this.keep();
    this.#isFollowing = false;
  }
}
