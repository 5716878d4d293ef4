import { REQUEST_TIMEOUT_MS } from '#domain/limits.ts';
import type { PageWork } from '#domain/ports/browser.ts';
import { isWriting } from '#src/ui/focus.ts';
import { listToasts } from '#src/ui/toasts/toast-store.ts';

/** How often a tab checks its pending work before a reload, ms. */
const CHECK_EVERY_MS = 100;
/** How long a tab must be idle before it reloads by itself, ms. */
const QUIET_MS = 2000;

export interface PageWorkSources {
  readonly isSending: () => boolean;
  readonly hasDrafts: () => boolean;
  /** Messages that a full disk could not store are shown: they are lost with the page. */
  readonly isHolding: () => boolean;
  /** Stores the drafts; false if that is not possible. */
  readonly keepDrafts: () => Promise<boolean>;
}

/** Calls `onDone` once `isDone` held for `quietMs` without a break, or after `maxMs`. */
const watchUntil = (
  isDone: () => boolean,
  { quietMs = 0, maxMs = Infinity },
  onDone: () => void,
): (() => void) => {
  const startedAt = performance.now();
  let doneSince: number | undefined;
  const timer = setInterval(() => check(), CHECK_EVERY_MS);
  const check = (): void => {
    const now = performance.now();
    doneSince = isDone() ? (doneSince ?? now) : undefined;
    const isOver = doneSince !== undefined && now - doneSince >= quietMs;
    if (!isOver && now - startedAt < maxMs) return;
    clearInterval(timer);
    onDone();
  };
  check();
  return () => clearInterval(timer);
};

/**
 * Work of this tab that a reload would interrupt. A queued message is not part of it: the outbox
 * keeps it, and the next page sends it.
 */
export const createPageWork = ({
  isSending,
  hasDrafts,
  isHolding,
  keepDrafts,
}: PageWorkSources): PageWork => ({
  finish: async () => {
    await new Promise<void>((resolve) => {
      watchUntil(() => !isSending(), { maxMs: REQUEST_TIMEOUT_MS }, resolve);
    });
    return keepDrafts();
  },
  watchQuiet: (listener) =>
    watchUntil(
      // A reload would remove a toast before it is read, and with it the only way to undo.
      () =>
        !isSending() &&
        !hasDrafts() &&
        !isWriting() &&
        !isHolding() &&
        document.querySelector('dialog[open], [role=menu], progress') === null &&
        listToasts().length === 0,
      { quietMs: QUIET_MS },
      listener,
    ),
});
