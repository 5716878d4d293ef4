import type { UserStore } from '#db/user-store.ts';
import { findDrafts, hasDrafts, putDrafts, watchDrafts } from '#src/chat/drafts.ts';

import type { PagePorts } from './compose-ports.ts';

/** Typing is stored this long after it began, ms. */
const SAVE_AFTER_MS = 150;

/** The last moments at which a page still runs; what it stores then may not get through. */
const onPutAside = (listener: () => void): void => {
  window.addEventListener('pagehide', listener);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') listener();
  });
};

/** Keeps what is typed in this tab in its user's store, so that it outlives a reload or a crash. */
export class DraftKeeper {
  readonly #ports: Pick<PagePorts, 'tabId' | 'openTabs' | 'clientLog' | 'openStore'>;
  #place: { readonly uid: string; readonly store: UserStore } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isFailing = false;

  constructor(ports: Pick<PagePorts, 'tabId' | 'openTabs' | 'clientLog' | 'openStore'>) {
    this.#ports = ports;
    watchDrafts(() => {
      this.#timer ??= setTimeout(() => void this.keep(), SAVE_AFTER_MS);
    });
    onPutAside(() => {
      if (this.#timer !== undefined) void this.keep();
    });
  }

  /** Opens a store, brings back what tabs that are gone had begun, and keeps drafts there. */
  readonly openStore: PagePorts['openStore'] = async (uid) => {
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
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#place === undefined) return !hasDrafts();
    const { uid, store } = this.#place;
    const saved = await store.saveDrafts(this.#ports.tabId, findDrafts(uid));
    if (!saved.ok && !this.#isFailing && !store.database.isEnded) {
      this.#ports.clientLog.write('warn', 'DRAFT_UNSAVED', { kind: saved.error.kind });
    }
    this.#isFailing = !saved.ok;
    return saved.ok || !hasDrafts();
  };
}
