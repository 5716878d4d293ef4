import type { Updates } from '#domain/ports/browser.ts';

const nothing = (): void => undefined;

/** A browser without new versions of the page. */
export const NO_UPDATES: Updates = {
  watch: () => nothing,
  check: nothing,
  activate: nothing,
  reload: nothing,
};
