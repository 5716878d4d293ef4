/** Runs in the page: toasts with an action never close by themselves, however slow the machine is. */
export const keepActionToasts = (): void => {
  const start = window.setTimeout.bind(window);
  const startOthers = (task: () => void, ms = 0): number => (ms === 10_000 ? 0 : start(task, ms));
  Object.assign(window, { setTimeout: startOthers });
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
