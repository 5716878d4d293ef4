import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { hasStoreFlag } from '#tests/support/page/indexed-db-dump.ts';
import { endNoLongDelay } from '#tests/support/page/long-delays.ts';
import { getSession } from '#tests/support/page/session.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const ROOM = '/chat/c_001/general';
const MESSAGE = '[data-message-id]';
/** The form responds. */
const SUBMIT = 'form button:enabled[type=submit]';

let server: ServerProcess;
let user: User;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

declare global {
  var loadedBefore: readonly string[] | undefined;
}

/** Runs in the page: lists what has loaded when the frame begins in which `selector` is shown. */
const watchFor = (selector: string): void => {
  const note = (): void => {
    globalThis.loadedBefore = performance.getEntriesByType('resource').map(({ name }) => name);
  };
  const look = new MutationObserver(() => {
    if (document.querySelector(selector) === null) return;
    look.disconnect();
    requestAnimationFrame(note);
  });
  look.observe(document, { childList: true, subtree: true, attributes: true });
};

/** The names of the scripts and style sheets that a page had loaded when it showed `selector`. */
const listLoaded = async (page: Page): Promise<readonly string[]> => {
  await page.waitForFunction(() => globalThis.loadedBefore !== undefined);
  const loaded = await page.evaluate(() => globalThis.loadedBefore ?? []);
  return loaded
    .filter((name) => /\/assets\/.*\.(?:js|css)$/.test(name))
    .map((url) => basename(url));
};

/** Bytes after gzip, of the files with an ending. */
const weigh = async (names: readonly string[], ending: string): Promise<number> => {
  const chosen = [...new Set(names)].filter((name) => name.endsWith(ending));
  const contents = await Promise.all(chosen.map((name) => readFile(`dist/assets/${name}`)));
  return contents.reduce((sum, content) => sum + gzipSync(content, { level: 9 }).length, 0);
};

const expectWeight = async (
  names: readonly string[],
  budget: { readonly js: number; readonly css: number },
): Promise<void> => {
  const weight = { js: await weigh(names, '.js'), css: await weigh(names, '.css') };
  console.info(`${weight.js} B JS, ${weight.css} B CSS: ${names.join(' ')}`);
  expect(weight.js).toBeGreaterThan(60_000);
  expect(weight.js).toBeLessThanOrEqual(budget.js);
  expect(weight.css).toBeLessThanOrEqual(budget.css);
};

/** Without the hash of eight characters, each of which may be a hyphen. */
const toPart = (name: string): string => name.replace(/-.{8}(?<ending>\.\w+)$/, '$<ending>');

test('the sign-in page loads no more than its budget, and neither database nor menus', async () => {
  // Late parts would load after 3 s without content.
  await user.page().addInitScript(endNoLongDelay);
  await user.page().addInitScript(watchFor, SUBMIT);
  await user.visit('/login');
  const names = await listLoaded(user.page());
  expect(names.map(toPart)).not.toContain('desk.js');
  expect(names.map(toPart)).not.toContain('screens.js');
  await expectWeight(names, { js: 126_600, css: 7_700 });
});

test('a conversation on this device loads no more than its budget, and no menus', async () => {
  await user.startOver();
  await user.signInByForm(PRODUCER, ROOM);
  await toRoomPage(user.page()).region.locator(MESSAGE).first().waitFor();
  await user.page().waitForFunction(hasStoreFlag);
  // Late parts would load after 3 s without content.
  await user.page().addInitScript(endNoLongDelay);
  await user.page().addInitScript(watchFor, MESSAGE);
  await user.page().reload();
  const names = await listLoaded(user.page());
  expect(names.map(toPart)).toContain('desk.js');
  expect(names.map(toPart)).not.toContain('screens.js');
  // The imports use the requests that the page made for the code cache.
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  // The work of this tab once it leads.
  expect(names.map(toPart)).not.toContain('background.js');
  // This includes everything that accepts a message, however early the network is lost.
  await expectWeight(names, { js: 203_000, css: 11_700 });
  await user.page().getByRole('button', { name: 'User menu' }).click();
  await user.page().getByRole('menuitem', { name: 'Settings' }).waitFor();
});

declare global {
  var shownWithColumns: readonly boolean[] | undefined;
}

/** Runs in the page: records the parts that are present when the column appears. */
const watchColumn = ([column, ...parts]: readonly [string, ...string[]]): void => {
  const look = new MutationObserver(() => {
    if (document.querySelector(column) === null) return;
    look.disconnect();
    globalThis.shownWithColumns = parts.map((part) => document.querySelector(part) !== null);
  });
  look.observe(document, { childList: true, subtree: true });
};

test('a conversation on this device appears together with the clients and the columns', async () => {
  const page = user.page();
  const [rooms, client] = ['nav[aria-label="Rooms"]', 'nav[aria-label="Clients"] li a'];
  await page.addInitScript(watchColumn, [rooms, MESSAGE, client] as const);
  await page.reload();
  await page.waitForFunction(() => globalThis.shownWithColumns !== undefined);
  expect(await page.evaluate(() => globalThis.shownWithColumns)).toEqual([true, true]);
});

declare global {
  var storageCalls: string[];
}

/** Runs in the page: lists its calls for databases. */
const noteStorage = (): void => {
  globalThis.storageCalls = [];
  for (const name of ['databases', 'open'] as const) {
    const apply = (target: object, self: unknown, args: unknown[]): unknown => {
      globalThis.storageCalls.push(name);
      return Reflect.apply(target as () => unknown, self, args);
    };
    const method = new Proxy(IDBFactory.prototype[name], { apply });
    Object.assign(IDBFactory.prototype, { [name]: method });
  }
};

/** Holds every response; `has` waits for paths, and `release` answers those that match. */
const holdAll = async () => {
  const held = new Map<string, Route>();
  await user.page().route('**/*', (route) => {
    held.set(new URL(route.request().url()).pathname, route);
  });
  const has = (...parts: readonly RegExp[]): Promise<void> =>
    waitFor(`requests ${parts.join(' ')}`, () =>
      parts.every((part) => [...held.keys()].some((path) => part.test(path))),
    );
  const release = async (part: RegExp): Promise<void> => {
    const chosen = [...held].filter(([path]) => part.test(path));
    for (const [path] of chosen) held.delete(path);
    await Promise.all(chosen.map(([, route]) => route.continue()));
  };
  return { has, release, list: () => [...held.keys()] };
};

/** The next start gets every part from the network. */
const clearParts = async (): Promise<void> => {
  const session = await getSession(user.page());
  const storageTypes = 'service_workers';
  await session.send('Storage.clearDataForOrigin', { origin: server.address, storageTypes });
  await user.page().evaluate(async () => {
    const parts = (await caches.keys()).filter((name) => name.startsWith('workbox-'));
    await Promise.all(parts.map((name) => caches.delete(name)));
  });
  await session.send('Network.clearBrowserCache');
};

test('a start without a cache takes three requests in a row, does not wait for the answer about the user, and accepts a message', async () => {
  await clearParts();
  await user.page().addInitScript(noteStorage);
  const { has, release, list } = await holdAll();
  const opened = user.page().goto(`${server.address}${ROOM}`);
  await has(/^\/chat/);
  await release(/^\/chat/);
  await has(/entry-.*js$/, /react-.*js$/, /core-.*js$/, /zod-.*js$/, /core-.*css$/);
  await release(/entry-|core-.*css/);
  // The small entry requests them while the page's own code is still on its way.
  await has(/desk-.*js$/, /desk-.*css$/);
  // Meanwhile the browser opens the files of the databases, because the guard of the disk is there.
  await expect
    .poll(() => user.page().evaluate(() => globalThis.storageCalls))
    .toEqual(['databases']);
  await release(/core-|react-|zod-|rolldown-/);
  // In parallel, each of them before the signed-in page's code or any other is answered.
  await has(/^\/api\/auth\/session$/, /^\/api\/config$/);
  await release(/^\/assets/);
  await toRoomPage(user.page()).region.locator(MESSAGE).first().waitFor();
  expect(list()).toEqual(expect.arrayContaining(['/api/auth/session', '/api/config']));
  // The network may be lost now: nothing that loads later is needed.
  const room = toRoomPage(user.page());
  await room.send('accepted at once');
  const toState = () => room.message('accepted at once').getAttribute('data-state');
  // Once this page leads, it is an attempt that waits for the answers.
  await expect.poll(toState).toMatch(/^(?:queued|sending)$/);
  await user.page().unrouteAll({ behavior: 'ignoreErrors' });
  await opened;
});

test.each(['desk-*.css', 'desk-*.js', 'core-*.js'])(
  'a start without %s reloads the page by itself',
  async (part) => {
    await user.startOver();
    await user.signInByForm(PRODUCER, ROOM);
    const room = toRoomPage(user.page());
    await room.region.locator(MESSAGE).first().waitFor();
    await clearParts();
    let starts = 0;
    user.page().on('framenavigated', () => {
      starts += 1;
      // The code that needed the part failed, and reported that.
      if (starts === 2) user.problems.take();
    });
    await user
      .page()
      .route(`**/assets/${part}`, (route) => (starts < 2 ? route.abort() : route.fallback()));
    // The reload may come while the session is stored.
    user.problems.allow(/CLIENT_SESSION_ERROR/);
    await user.visit(ROOM);
    await room.region.locator(MESSAGE).first().waitFor();
    expect(starts).toBe(2);
    expect(await room.composer.evaluate((field) => getComputedStyle(field).resize)).toBe('none');
  },
);
