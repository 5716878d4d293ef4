/** Runs in the page: toasts never close by themselves, however slow the machine is. */
export const keepToasts = (): void => {
  const start = window.setInterval.bind(window);
  // Each toast counts its time in steps of 250 ms (src/ui/toasts/toast-cards.tsx).
  const startOthers = (task: () => void, ms = 0): number => (ms === 250 ? 0 : start(task, ms));
  Object.assign(window, { setInterval: startOthers });
};

/**
 * Runs in the page: delays of a second or more never end, so that late work does not run, however
 * slow the machine is.
 */
export const endNoLongDelay = (): void => {
  const start = window.setTimeout.bind(window);
  const startShort = (task: () => void, ms = 0): number => (ms < 1000 ? start(task, ms) : 0);
  Object.assign(window, { setTimeout: startShort });
};
