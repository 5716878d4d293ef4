import type { Updates } from '#domain/ports/browser.ts';

const nothing = (): void => undefined;

/** A browser in which no new version of the page ever comes. */
export const NO_UPDATES: Updates = { watch: () => nothing, activate: nothing, reload: nothing };
