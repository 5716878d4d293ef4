import type { UserStore } from '#db/user/user-store.ts';
import type { AppError } from '#domain/errors.ts';
import type { ClientLog } from '#domain/ports/browser.ts';
import type { Ids } from '#domain/ports/kit.ts';
import type { Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';

import { findDrafts, hasDrafts, putDrafts, watchDrafts } from './drafts.ts';

/** The parts of the page that a keeper uses. */
interface KeeperPorts {
  readonly tabId: string;
  readonly ids: Ids;
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
  /** Number of stores requested: only the last one is used, whichever opens last. */
  #requests = 0;
  /** A draft changed since the last write began. */
  #isStale = false;
  /** A draft changed and no write has stored it yet. */
  #isUnsaved = false;
  #isFollowing = false;
  /** Pending while the drafts of closed tabs are read; this tab's row must not be written then. */
  #restoring: Promise<void> | undefined;
  /** Names the row for what is typed meanwhile; undefined once that is in this tab's row. */
  #early: string | undefined;
  /** Older drafts that gave way to typed ones and are not stored yet. */
  #displaced: ReadonlyMap<RoomKey, string> = new Map();
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

  /**
   * Opens a store and stores drafts there. The drafts of closed tabs are restored meanwhile: no
   * start waits for them.
   */
  readonly openStore: KeeperPorts['openStore'] = async (uid) => {
    this.#requests += 1;
    const request = this.#requests;
    const opened = await this.#ports.openStore(uid);
    if (!opened.ok || request !== this.#requests) return opened;
    const isFirst = this.#place?.uid !== uid;
    this.#place = { uid, store: opened.value };
    const early = this.#ports.ids.next();
    this.#early = early;
    if (isFirst) this.#displaced = new Map();
    const restoring = this.#restore(opened.value, uid, { isFirst, early });
    this.#restoring = restoring;
    void restoring.then(() => {
      if (this.#restoring !== restoring) return;
      this.#restoring = undefined;
      if (!hasDrafts()) return;
      this.#isStale = true;
      if (!this.#isFollowing) void this.#follow();
    });
    return opened;
  };

  /** Stores the drafts now; false if that is not possible. */
  readonly keep = async (): Promise<boolean> => {
    this.#isStale = false;
    if (this.#place === undefined) return !hasDrafts();
    const { uid, store } = this.#place;
    const saved = await this.#save(uid, store);
    if (!this.#isFailing) this.#report('DRAFT_UNSAVED', store, saved);
    this.#isFailing = !saved.ok;
    if (saved.ok && !this.#isStale) this.#isUnsaved = false;
    if (saved.ok && this.#displaced.size > 0) await this.#saveDisplaced(store);
    return saved.ok || !hasDrafts();
  };

  async #save(uid: string, store: UserStore): Promise<Result<void, AppError>> {
    const drafts = findDrafts(uid);
    const early = this.#early;
    if (this.#restoring !== undefined && early !== undefined) {
      return await store.saveDrafts(early, drafts);
    }
    const saved = await store.saveDrafts(this.#ports.tabId, drafts, early);
    if (saved.ok && this.#early === early) this.#early = undefined;
    return saved;
  }

  /** Stores older drafts for the next start; again after the next write if that fails. */
  async #saveDisplaced(store: UserStore): Promise<Result<void, AppError>> {
    const displaced = this.#displaced;
    this.#displaced = new Map();
    const saved = await store.saveDrafts(this.#ports.ids.next(), displaced);
    if (!saved.ok) this.#displaced = displaced;
    return saved;
  }

  /** Logs a failure, unless the store was closed meanwhile. */
  #report(code: string, { database }: UserStore, result: Result<unknown, AppError>): void {
    if (result.ok || database.isEnded) return;
    this.#ports.clientLog.write('warn', code, { kind: result.error.kind });
  }

  /**
   * Text typed in the same room meanwhile stays; the older draft waits for the next start. Never
   * rejects: what is typed meanwhile is moved to this tab's row afterwards.
   */
  async #restore(
    store: UserStore,
    uid: string,
    { isFirst, early }: { readonly isFirst: boolean; readonly early: string },
  ): Promise<void> {
    const { tabId, openTabs, clientLog } = this.#ports;
    try {
      const open = new Set([...(await openTabs.list()), early]);
      const taken = await store.takeDrafts(tabId, open);
      this.#report('DRAFTS_UNREAD', store, taken);
      if (!taken.ok || store.database.isEnded) return;
      const displaced = putDrafts(uid, taken.value);
      if (!isFirst || displaced.size === 0) return;
      this.#displaced = displaced;
      this.#report('DRAFT_UNSAVED', store, await this.#saveDisplaced(store));
    } catch (error) {
      clientLog.write('error', 'TASK_FAILED', { task: 'restoreDrafts', error: String(error) });
    }
  }

  /** Stores every change at once, or after the previous write: a page may close at any time. */
  async #follow(): Promise<void> {
    this.#isFollowing = true;
    while (this.#isStale) await this.keep();
    this.#isFollowing = false;
  }
}
