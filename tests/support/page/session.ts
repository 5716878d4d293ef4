import type { CDPSession, Page } from 'playwright-core';

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/**
 * The page's session for what the driver has no words for. One, and never detached: that would
 * also take back what other sessions emulate, such as being offline.
 */
export const getSession = (page: Page): Promise<CDPSession> => {
  const session = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, session);
  return session;
};
