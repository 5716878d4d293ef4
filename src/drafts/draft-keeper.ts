import type { UserStore } from '#db/user/user-store.ts';
import type { AppError } from '#domain/errors.ts';
import type { ClientLog } from '#domain/ports/browser.ts';
import type { Ids } from '#domain/ports/kit.ts';
import type { Result } from '#domain/result.ts';

import { findDrafts, hasDrafts, putDrafts, watchDrafts } from './drafts.ts';

interface Opened {
  readonly uid: string;
  readonly store: UserStore;
}

/** The parts of the page that a keeper uses. */
interface KeeperPorts {
  readonly tabId: string;
  readonly ids: Ids;
  /** Ids of the open tabs of this browser. */
  readonly openTabs: { list(): Promise<ReadonlySet<string>> };
  readonly openStore: (uid: string) => Promise<Result<UserStore, AppError>>;
  readonly clientLog: ClientLog;
}

/** Stores the drafts of this tab in the user's store, so that they survive a reload or a crash. */
export class DraftKeeper {
  readonly #ports: KeeperPorts;
  #opened: Opened | undefined;
  /** Number of stores requested: only the last one is used, whichever opens last. */
  #requests = 0;
  /** A draft changed since the last write began. */
  #isStale = false;
  /** A draft changed and no write has stored it yet. */
  #isUnsaved = false;
  #isFollowing = false;
  /** Pending while the drafts of closed tabs are read. */
  #restoring: Promise<void> | undefined;
  #isFailing = false;

  constructor(ports: KeeperPorts) {
    this.#ports = ports;
    watchDrafts(() => {
      this.#isStale = true;
      this.#isUnsaved = true;
      if (!this.#isFollowing) void this.#follow();
    });
    // A page that is left still runs for a moment; a write started then may be lost.
    const save = (): void => {
      if (this.#isUnsaved) void this.keep();
    };
    window.addEventListener('pagehide', save);
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) save();
      // It may be shown because another tab was closed.
      else if (this.#opened && !this.#restoring) this.#begin(this.#opened, false);
    });
  }

  /**
   * Opens a store and stores drafts there. The drafts of closed tabs are restored meanwhile: no
   * start waits for them.
   */
  readonly openStore: KeeperPorts['openStore'] = async (uid) => {
    this.#requests += 1;
    const request = this.#requests;
    const opened = await this.#ports.openStore(uid);
    if (!opened.ok || request !== this.#requests) return opened;
    const isFirst = this.#opened?.uid !== uid;
    this.#opened = { uid, store: opened.value };
    this.#begin(this.#opened, isFirst);
    return opened;
  };

  /** Restores the drafts of closed tabs; writes of this tab's drafts wait for it. */
  #begin(opened: Opened, isFirst: boolean): void {
    const restoring = this.#restore(opened, isFirst);
    this.#restoring = restoring;
    void restoring.then(() => {
      if (this.#restoring === restoring) this.#restoring = undefined;
      if (hasDrafts() && !this.#isFollowing) void this.keep();
    });
  }

  /** Stores the drafts now; false if that is not possible. */
  readonly keep = async (): Promise<boolean> => {
    // Until they are read, the row of this tab must not be written.
    if (this.#restoring !== undefined) await this.#restoring;
    this.#isStale = false;
    // After a session has ended, stored drafts remain; a sign-out has deleted them.
    if (!this.#opened || this.#opened.store.database.isEnded) {
      return !this.#isUnsaved || !hasDrafts();
    }
    const { uid, store } = this.#opened;
    const saved = await store.saveDrafts(this.#ports.tabId, findDrafts(uid));
    if (!this.#isFailing) this.#report('DRAFT_UNSAVED', store, saved);
    this.#isFailing = !saved.ok;
    if (saved.ok && !this.#isStale) this.#isUnsaved = false;
    return saved.ok || !hasDrafts();
  };

  /** Logs a failure, unless the store was closed meanwhile. */
  #report(code: string, { database }: UserStore, result: Result<unknown, AppError>): void {
    if (result.ok || database.isEnded) return;
    this.#ports.clientLog.write('warn', code, { kind: result.error.kind });
  }

  /**
   * Text typed in the same room meanwhile stays; the other draft waits until the page is started or
   * shown the next time. Never rejects: every write of drafts waits for this.
   */
  async #restore({ uid, store }: Opened, isFirst: boolean): Promise<void> {
    const { tabId, openTabs, ids, clientLog } = this.#ports;
    try {
      // They are newer than those of tabs that were closed meanwhile.
      const own = isFirst ? undefined : findDrafts(uid);
      if (own?.size && !(await store.saveDrafts(tabId, own)).ok) return;
      const taken = await store.takeDrafts(tabId, await openTabs.list());
      this.#report('DRAFTS_UNREAD', store, taken);
      if (!taken.ok || store.database.isEnded) return;
      const displaced = putDrafts(uid, taken.value, own);
      if (displaced.size > 0)
        this.#report('DRAFT_UNSAVED', store, await store.saveDrafts(ids.next(), displaced));
    } catch (error) {
      clientLog.write('error', 'TASK_FAILED', { task: 'drafts', error: String(error) });
    }
  }

  /** Stores every change at once, or after the previous write: a page may close at any time. */
  async #follow(): Promise<void> {
    this.#isFollowing = true;
    while (this.#isStale) await this.keep();
    this.#isFollowing = false;
  }
}
