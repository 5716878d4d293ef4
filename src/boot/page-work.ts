import { REQUEST_TIMEOUT_MS } from '#domain/limits.ts';
import type { PageWork } from '#domain/ports/browser.ts';

/** How often a tab that is about to reload looks at what is under way in it, ms. */
const CHECK_EVERY_MS = 100;
/** So long nothing may be under way before a tab reloads unasked, ms. */
const QUIET_MS = 2000;

export interface PageWorkSources {
  readonly isSending: () => boolean;
  /** Something typed is neither sent nor given up. */
  readonly isTyping: () => boolean;
  /** Stores what is typed; false when that is not possible. */
  readonly keepDrafts: () => Promise<boolean>;
}

/** Whether the field that has the focus holds text: a form half filled in, or a search. */
export const isFilledIn = (focused: Element | null): boolean =>
  (focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement) &&
  focused.value !== '';

/** Calls `onDone` once `isDone` held for `quietMs` on end, or after `patienceMs`. */
const watchUntil = (
  isDone: () => boolean,
  { quietMs = 0, patienceMs = Infinity },
  onDone: () => void,
): (() => void) => {
  const startedAt = performance.now();
  let doneSince: number | undefined;
  const timer = setInterval(() => check(), CHECK_EVERY_MS);
  const check = (): void => {
    const now = performance.now();
    doneSince = isDone() ? (doneSince ?? now) : undefined;
    const isOver = doneSince !== undefined && now - doneSince >= quietMs;
    if (!isOver && now - startedAt < patienceMs) return;
    clearInterval(timer);
    onDone();
  };
  check();
  return () => clearInterval(timer);
};

/**
 * What a reload of this tab would interrupt. A message that only waits to be sent is none of
 * it: the outbox keeps it, and the page that comes next sends it.
 */
export const createPageWork = ({ isSending, isTyping, keepDrafts }: PageWorkSources): PageWork => ({
  settle: async () => {
    await new Promise<void>((resolve) => {
      watchUntil(() => !isSending(), { patienceMs: REQUEST_TIMEOUT_MS }, resolve);
    });
    return keepDrafts();
  },
  watchQuiet: (listener) =>
    watchUntil(() => !isSending() && !isTyping(), { quietMs: QUIET_MS }, listener),
});
