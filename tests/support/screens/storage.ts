import { randomBytes } from 'node:crypto';

import type { Page } from 'playwright-core';

import { toUserDatabaseName } from '#db/schema/database.ts';
import { personalKeysSchema } from '#domain/schemas/personal-keys.ts';
import { limitQuota } from '#tests/support/browser/limited-storage.ts';
import { PRODUCER, submitSignIn, waitForWorker } from '#tests/support/browser/user.ts';
import { stopInTransaction } from '#tests/support/page/freeze.ts';
import { waitForStoreFlag } from '#tests/support/page/indexed-db-dump.ts';
import { getSession } from '#tests/support/page/session.ts';

import { openRoom, say } from './rooms.ts';
import type { Screen, Stage } from './screen.ts';

const ROOM = '/chat/c_005/team';
/** A page of the origin without the product's code. */
const BESIDE = '/manifest.webmanifest';
const KEYS = '**/api/auth/keys';
const SESSION = '**/api/auth/session';
const SESSIONS = '**/api/sessions';

const enterRoom = async ({ user, room }: Stage): Promise<void> => {
  await user.signIn(PRODUCER, ROOM);
  await room.region.locator('[data-message-id]').first().waitFor();
};

const waitForTitle = async ({ user }: Stage, name: string): Promise<void> => {
  await user.page().getByRole('heading', { name }).waitFor();
};

/** Signs out with an unsent message, which stays encrypted on this device. */
const signOutKeeping = async (stage: Stage): Promise<void> => {
  const page = stage.user.page();
  await stage.user.goOffline();
  await say(stage, 'Written just before I left.');
  await stage.shell.chooseFromUserMenu('Logout');
  await page.getByRole('button', { name: 'Keep until I sign in again' }).click();
  await page.waitForURL((url) => url.pathname === '/login');
  await stage.user.goOnline();
};

/** From now on the server has other keys, as after a change of its secret. */
const changeKeys = ({ user }: Stage) =>
  user.page().route(KEYS, async (route) => {
    const response = await route.fetch();
    const own = personalKeysSchema.parse(await response.json());
    const keys = own.keys.map(({ store }) => ({
      key: randomBytes(32).toString('base64url'),
      store,
    }));
    await route.fulfill({ response, json: { ...own, keys } });
  });

/** Runs in a page: from now on no database of a user opens, as after a fault of the disk. */
const refuseDatabases = (prefix: string): void => {
  const open = indexedDB.open.bind(indexedDB);
  Object.defineProperty(indexedDB, 'open', {
    value: (name: string, version?: number) => {
      if (!name.startsWith(prefix)) return open(name, version);
      throw new DOMException('Internal error opening backing store.', 'UnknownError');
    },
  });
};

/** Runs in a page: removes an element under React, as extensions that translate pages do. */
const removeContent = (): void => document.querySelector('main')?.firstElementChild?.remove();

/** Runs in a page: goes to another page like the browser's own buttons, without loading it. */
const goElsewhere = (): void => {
  history.pushState(null, '', '/deliveries');
  dispatchEvent(new PopStateEvent('popstate'));
};

/** Another tab of the origin, without the product's code. */
const openBeside = async ({ user, backend }: Stage): Promise<Page> => {
  const other = await user.page().context().newPage();
  await other.goto(`${backend.server.address}${BESIDE}`);
  return other;
};

/** The notices about this browser's storage above a page. */
const NOTICES: readonly Screen[] = [
  {
    name: 'storage-full',
    by: 'first-visit',
    show: async (stage) => {
      const page = stage.user.page();
      await enterRoom(stage);
      await limitQuota(stage.backend.server.address).fill(page);
      await page.getByText("This device's storage is full", { exact: true }).waitFor();
    },
  },
  {
    name: 'storage-lost',
    by: 'first-visit',
    show: async (stage) => {
      const { user, backend } = stage;
      await enterRoom(stage);
      await waitForStoreFlag(stage.user.page());
      await user.visit(BESIDE);
      const session = await getSession(user.page());
      const { address: origin } = backend.server;
      await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
      await openRoom(stage, ROOM);
      await user.page().getByText('Storage was lost').waitFor();
    },
  },
  {
    name: 'storage-unreadable',
    by: 'first-visit',
    show: async (stage) => {
      const { user } = stage;
      await enterRoom(stage);
      await waitForStoreFlag(stage.user.page());
      await signOutKeeping(stage);
      await changeKeys(stage);
      await submitSignIn(user.page(), PRODUCER);
      await user.page().waitForURL((url) => url.pathname !== '/login');
      await openRoom(stage, ROOM);
      await user.page().getByText("Kept messages can't be opened").waitFor();
    },
  },
];

/** Pages that show only an error. */
const FAILURES: readonly Screen[] = [
  {
    name: 'storage-failed-held',
    by: 'first-visit',
    show: async (stage) => {
      const { user } = stage;
      // The opening has timed out by then, which is logged.
      user.problems.allow(/TASK_TIMED_OUT/);
      await enterRoom(stage);
      await user.visit(BESIDE);
      await stopInTransaction(await openBeside(stage));
      await user.visit(ROOM);
      await waitForTitle(stage, "Waiting for this browser's storage");
    },
  },
  {
    name: 'storage-failed-full',
    by: 'first-visit',
    show: async (stage) => {
      const { user, backend } = stage;
      await enterRoom(stage);
      await user.visit(BESIDE);
      // The end of an earlier sign-out also waits for space.
      user.problems.allow(/SIGN_OUT_UNFINISHED/);
      // The page's own flag for a disk on which the browser closed its databases.
      await user.page().evaluate(() => localStorage.setItem('replay-desk-disk', 'full'));
      await limitQuota(backend.server.address).fill(user.page());
      await user.visit(ROOM);
      await waitForTitle(stage, "This device's storage is full");
    },
  },
  {
    name: 'storage-failed',
    by: 'first-visit',
    show: async (stage) => {
      const { user } = stage;
      await user.visit('/login');
      await user.page().evaluate(refuseDatabases, toUserDatabaseName(''));
      await submitSignIn(user.page(), PRODUCER);
      await waitForTitle(stage, 'Error occurred!');
    },
  },
  {
    name: 'page-stopped',
    by: 'first-visit',
    show: async (stage) => {
      const { user } = stage;
      user.problems.allow(/NotFoundError/);
      await enterRoom(stage);
      await user.page().evaluate(removeContent);
      await user.page().evaluate(goElsewhere);
      await user.page().getByText('This page stopped working').waitFor();
    },
  },
];

/** Sessions that the browser or the server does not keep. */
const SESSIONS_MISSING: readonly Screen[] = [
  {
    name: 'session-lost',
    by: 'first-visit',
    show: async ({ user }) => {
      const page = user.page();
      // The server's answer to a browser that sends no cookie.
      await page.route(SESSION, (route) => route.fulfill({ json: {} }));
      await user.visit('/login');
      await waitForWorker(page);
      await submitSignIn(page, PRODUCER);
      await page.getByText("This browser didn't keep your session").waitFor();
    },
  },
  {
    name: 'settings-unlisted',
    by: 'staff',
    show: async ({ user }) => {
      const json = { available: false, sessions: [] };
      await user.page().route(SESSIONS, (route) => route.fulfill({ json }));
      await user.visit('/settings');
      await user.page().getByText("can't list your sessions").waitFor();
    },
    leave: ({ user }) => user.page().unroute(SESSIONS),
  },
];

/** Screens for data that the browser or the server does not keep, and for a page that stopped. */
export const STORAGE: readonly Screen[] = [...NOTICES, ...FAILURES, ...SESSIONS_MISSING];
