import type { Page, Route } from 'playwright-core';

/**
 * Hands the first attempt to publish this text to `handle`; everything else goes to the server,
 * because read positions are published as well. Do not call it while the page starts: Chromium may
 * not intercept the requests of a page that is starting while its first route is set.
 */
export const routeMessage = async (
  page: Page,
  text: string,
  handle: (route: Route) => Promise<void>,
): Promise<void> => {
  let isHandled = false;
  await page.route('**/api/realtime/publish', (route) => {
    if (isHandled || route.request().postData()?.includes(text) !== true) return route.fallback();
    isHandled = true;
    return handle(route);
  });
};

/** Refuses the first attempt to publish this text, like the server with a message it rejects. */
export const refuseMessage = (page: Page, text: string, error?: string): Promise<void> =>
  routeMessage(page, text, (route) => route.fulfill({ status: 400, json: { error } }));
