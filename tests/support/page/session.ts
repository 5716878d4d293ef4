import type { CDPSession, Page } from 'playwright-core';

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/**
 * The page's session for protocol calls that the driver lacks. There is only one, and it is never
 * detached: detaching would also undo the emulation of other sessions, such as being offline.
 */
export const getSession = (page: Page): Promise<CDPSession> => {
  const session = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, session);
  return session;
};

/** Gives a page a time zone in which it is about noon, so that no day ends during a test. */
export const moveToNoon = async (page: Page): Promise<void> => {
  const hours = 12 - new Date().getUTCHours();
  // The names of these zones have the opposite sign.
  const timezoneId = `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
  await (await getSession(page)).send('Emulation.setTimezoneOverride', { timezoneId });
};
