import type { BrowserContext, Page } from 'playwright-core';

import { csrfAnswerSchema } from '#domain/schemas/session.ts';

import { type BrowserKind, createBrowser } from './process.ts';
import { getSession } from '../page/session.ts';
import { type ProblemWatch, watchProblems } from '../page/problems.ts';
import type { ServerProcess } from '../process/server-process.ts';
import { waitFor } from '../wait-for.ts';

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** A demo account. */
export interface Account {
  readonly email: string;
  readonly password: string;
  readonly uid: string;
}

export const PRODUCER: Account = {
  email: 'producer@example.com',
  password: 'producer',
  uid: 'u_producer',
};
export const TEAM: Account = { email: 'team@example.com', password: 'teammate', uid: 'u_team' };

/** A user with a separate browser. */
export interface User {
  readonly problems: ProblemWatch;
  /** The folder of a whole browser's profile. */
  readonly profile: string;
  /** The page in the foreground. */
  page(): Page;
  /** Its path. */
  path(): string;
  /** Opens another tab in the foreground. */
  openTab(): Promise<Page>;
  /**
   * One empty tab in a browser that has cached only the shell of the page: equal to a new browser
   * for tests that do not depend on the first visit, and cheaper.
   */
  startOver(): Promise<void>;
  /** Goes to a path of the server. */
  visit(path: string): Promise<void>;
  /**
   * Signs in by a request, and opens a page. After a sign-out use the form, which waits until the
   * server knows of it.
   */
  signIn(account: Account, path?: string): Promise<void>;
  /** Signs in through the form, from the requested page. */
  signInByForm(account: Account, path?: string): Promise<void>;
  goOffline(): Promise<void>;
  goOnline(): Promise<void>;
  closeBrowser(): Promise<void>;
  killBrowser(): Promise<void>;
  /** Reopens the browser on the same profile, online or offline. */
  openBrowser(state?: { readonly offline: boolean }): Promise<void>;
  dispose(): Promise<void>;
}

/**
 * Waits until a worker controls the page: requests made while the first one takes control may
 * bypass `Page.route`. Fails with the states of the workers.
 */
export const waitForWorker = async (page: Page): Promise<void> => {
  try {
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  } catch (error) {
    const states = await page.evaluate(async () => {
      const found = await navigator.serviceWorker.getRegistration();
      return [found?.installing, found?.waiting, found?.active].map((worker) => worker?.state);
    });
    throw new Error(`no worker controls the page: ${JSON.stringify(states)}`, { cause: error });
  }
};

/** Fills and submits the sign-in form of a demo server, once it shows the demo account. */
export const submitSignIn = async (page: Page, account: Omit<Account, 'uid'>): Promise<void> => {
  const email = page.getByRole('textbox', { name: 'Email' });
  await waitFor('the demo account in the form', async () => {
    return (await email.inputValue()) !== '';
  });
  await email.fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
};

/** Sends what the sign-in form would send. Fails unless the session cookie was set. */
const postSignIn = async (
  context: BrowserContext,
  address: string,
  { email, password }: Account,
): Promise<void> => {
  const { request } = context;
  const { csrfToken } = csrfAnswerSchema.parse(
    await (await request.get(`${address}/api/auth/csrf`)).json(),
  );
  const answer = await request.post(`${address}/api/auth/callback/credentials`, {
    headers: { origin: address },
    form: { email, password, csrfToken, callbackUrl: '/', json: 'true' },
  });
  if (!answer.ok()) throw new Error(`signing in was answered with ${answer.status()}`);
};

/** Opens a new browser for one user, its profile in `parent` or in the temp folder. */
export const createUser = async (
  server: Pick<ServerProcess, 'address'>,
  kind: BrowserKind = 'page',
  parent?: string,
): Promise<User> => {
  const browser = await createBrowser(kind, parent);
  const problems = watchProblems();
  let context: BrowserContext;
  let page: Page;

  const front = async (next: Page): Promise<Page> => {
    page = next;
    await page.setViewportSize(DESKTOP);
    return page;
  };
  const openBrowser = async (state = { offline: false }): Promise<void> => {
    context = await browser.open();
    problems.attach(context);
    await context.setOffline(state.offline);
    await front(context.pages()[0] ?? (await context.newPage()));
  };
  const visit = async (path: string): Promise<void> => {
    await page.goto(`${server.address}${path}`);
  };

  await openBrowser();
  return {
    problems,
    get profile() {
      return browser.profile;
    },
    page: () => page,
    path: () => new URL(page.url()).pathname,
    openTab: async () => front(await context.newPage()),
    startOver: async () => {
      const known = context.pages();
      await front(await context.newPage());
      // Writes of a closed tab to localStorage may arrive after the clearing below; a tab that
      // has gone elsewhere writes nothing any more.
      await Promise.all(known.map((tab) => tab.goto('about:blank')));
      await Promise.all(known.map((tab) => tab.close()));
      // Late reports of the closed tabs belong to the previous test.
      problems.take();
      problems.allowNothing();
      await context.setOffline(false);
      await context.clearCookies();
      const session = await getSession(page);
      const storageTypes = 'indexeddb,local_storage';
      await session.send('Storage.clearDataForOrigin', { origin: server.address, storageTypes });
    },
    visit,
    signIn: async (account, path = '/') => {
      await postSignIn(context, server.address, account);
      await visit(path);
      // A new page has the pointer in its corner, over the navigation, which expands.
      await page.mouse.move(DESKTOP.width / 2, DESKTOP.height / 2);
      await waitForWorker(page);
    },
    signInByForm: async (account, path = '/') => {
      await visit(path);
      await waitForWorker(page);
      await submitSignIn(page, account);
      await page.waitForURL((url) => url.pathname === path);
    },
    goOffline: () => context.setOffline(true),
    goOnline: () => context.setOffline(false),
    closeBrowser: () => browser.close(),
    killBrowser: () => browser.kill(),
    openBrowser,
    dispose: () => browser.dispose(),
  };
};
