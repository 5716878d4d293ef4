import { useSyncExternalStore } from 'react';

import { createListeners } from '#domain/listeners.ts';

export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

/** A temporary note at the edge of the page; errors at the top, others at the bottom. */
export interface Toast {
  readonly id: number;
  /**
   * `info`: an action has succeeded; `notice`: the user did nothing, but something is due, or a
   * colleague acted.
   */
  readonly kind: 'error' | 'info' | 'notice';
  readonly text: string;
  /** An action that is available while the toast is shown. */
  readonly action?: ToastAction | undefined;
}

/** More at a time would cover the thread; the oldest are removed first. */
const TOASTS_MAX = 4;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = createListeners();

const replace = (next: readonly Toast[]): void => {
  toasts = next;
  listeners.emit();
};

/**
 * Shows a toast; the same text of the same kind restarts instead of appearing twice, unless it
 * offers an action: two of them undo different things.
 */
export const showToast = (kind: Toast['kind'], text: string, action?: ToastAction): void => {
  lastId += 1;
  const others = toasts.filter(
    (toast) => toast.kind !== kind || toast.text !== text || toast.action !== undefined,
  );
  replace([...others, { id: lastId, kind, text, action }].slice(-TOASTS_MAX));
};

export const closeToast = (id: number): void => {
  replace(toasts.filter((toast) => toast.id !== id));
};

export const closeToasts = (): void => {
  replace([]);
};

export const listToasts = (): readonly Toast[] => toasts;

export const useToasts = (): readonly Toast[] =>
  useSyncExternalStore(listeners.add, listToasts, listToasts);
