import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { toRoomPage } from '#tests/support/page/room.ts';
import { toShellPage } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

const ROOM = '/chat/c_005/general';

declare global {
  var headingTops: Record<string, number[]> | undefined;
}

let server: ServerProcess;
let here: User;
let there: User;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.dispose());
beforeEach(async () => {
  [here, there] = await Promise.all([createUser(server), createUser(server)]);
  // The answer to the ended browser.
  there.problems.allow(/status of 401/);
  await there.signInByForm(PRODUCER, ROOM);
  await toRoomPage(there.page()).composer.waitFor();
  await here.signInByForm(PRODUCER, '/settings');
});
afterEach(async () => {
  const problems = [...here.problems.take(), ...there.problems.take()];
  await Promise.all([here.dispose(), there.dispose()]);
  expect(problems).toEqual([]);
});

const findList = (user: User) => {
  const region = user.page().getByRole('region', { name: 'Sessions' });
  return {
    rows: region.getByRole('listitem'),
    own: region.getByRole('listitem').filter({ hasText: 'This device' }),
    others: region.getByRole('listitem').filter({ hasNotText: 'This device' }),
    alone: region.getByText("You're signed in on this device only."),
    endAll: region.getByRole('button', { name: 'Sign out all others', exact: true }),
  };
};

const isLogin = (url: URL): boolean => url.pathname === '/login';

test('a session ended in the settings of one browser ends the other at once', async () => {
  const list = findList(here);
  await list.others.waitFor();
  expect(await list.own.innerText()).toMatch(/Chrome on .*This device/s);
  await list.others.getByRole('button', { name: 'Sign out', exact: true }).click();
  await there.page().waitForURL(isLogin);
  await expect.poll(() => toRoomPage(there.page()).region.count()).toBe(0);
  await list.alone.waitFor();
  await expect.poll(() => list.rows.count()).toBe(1);
  await here.page().reload();
  await list.alone.waitFor();
  await list.own.getByRole('button', { name: 'Sign out', exact: true }).click();
  await here.page().waitForURL(isLogin);
});

test('the sessions arrive without moving the rest of the page', async () => {
  await findList(here).own.waitFor();
  await here.page().addInitScript(() => {
    const tops: Record<string, number[]> = {};
    globalThis.headingTops = tops;
    new MutationObserver(() => {
      // A line about the connection may move the whole page.
      const page = document.querySelector('main')?.getBoundingClientRect().top ?? 0;
      for (const heading of document.querySelectorAll('main :is(h1, h2)')) {
        const list = (tops[heading.textContent] ??= []);
        const top = Math.round((heading.getBoundingClientRect().top - page) * 100);
        if (list.at(-1) !== top) list.push(top);
      }
    }).observe(document, { subtree: true, childList: true });
  });
  await here.page().reload();
  await findList(here).own.waitFor();
  const tops = await here.page().evaluate(() => globalThis.headingTops ?? {});
  expect(Object.keys(tops).toSorted()).toEqual(['Notifications', 'Sessions', 'Settings']);
  for (const each of Object.values(tops)) expect(each).toHaveLength(1);
});

test('unsent messages of the ended browser wait there for their author', async () => {
  const room = toRoomPage(there.page());
  there.problems.allow(/ERR_INTERNET_DISCONNECTED|Failed to load resource|CLIENT_FETCH_ERROR/);
  await there.goOffline();
  await room.send('written while the session was ended');
  const list = findList(here);
  await list.endAll.click();
  await list.alone.waitFor();
  await there.goOnline();
  await there.page().waitForURL(isLogin);
  await there.signInByForm(PRODUCER, ROOM);
  const sent = there.page().locator('[data-state="sent"][data-own="true"]');
  await room.message('written while the session was ended').and(sent).waitFor();
  await toShellPage(here.page()).main.waitFor();
  expect(await room.message('written while the session was ended').count()).toBe(1);
});
