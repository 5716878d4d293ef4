import type { CDPSession, Page } from 'playwright-core';

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/**
 * The page's session for protocol calls that the driver lacks. Only one, and never detached:
 * detaching would also undo what other sessions emulate, such as being offline.
 */
export const getSession = (page: Page): Promise<CDPSession> => {
  const session = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, session);
  return session;
};
