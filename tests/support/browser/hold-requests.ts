import type { Page } from 'playwright-core';

/** Holds the requests of a page that match, until they are released. */
export const holdRequests = async (page: Page, requests: string) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: asked, resolve: recordAsked } = Promise.withResolvers<void>();
  await page.route(requests, async (route) => {
    recordAsked();
    await released;
    await route.continue();
  });
  return {
    /** Resolves with the first of them. */
    asked,
    /** Sends those that wait, and lets all later ones pass. */
    release: (): void => release(),
  };
};
