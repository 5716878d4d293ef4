import { afterAll, beforeAll, expect, test } from 'vitest';

import { BROWSERS } from '../../../vite.config.ts';
import { NEWER_APIS, type NewerApi, removeApis } from '#tests/support/page/newer-apis.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { openByShortcut, toShellPage } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

const PATHS = NEWER_APIS.map(({ path }) => path);

let server: ServerProcess;
let user: User;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
  await user.page().context().addInitScript(removeApis, PATHS);
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});

/** The oldest version of each browser that the page is built for. */
const OLDEST = new Map(
  BROWSERS.map((name) => [name.replace(/[\d.]+$/, ''), Number(/[\d.]+$/.exec(name)?.[0])]),
);

const isMissing = (api: NewerApi, browser: 'chrome' | 'firefox' | 'safari'): boolean =>
  (api[browser] ?? Infinity) > (OLDEST.get(browser) ?? 0);

test('every removed feature is missing in one of the oldest supported browsers', () => {
  expect([...OLDEST.keys()]).toEqual(['chrome', 'edge', 'firefox', 'safari']);
  const everywhere = NEWER_APIS.filter(
    (api) => !(['chrome', 'firefox', 'safari'] as const).some((name) => isMissing(api, name)),
  );
  expect(everywhere).toEqual([]);
});

test('sign-in, chat, search, room changes and sign-out work without them', async () => {
  await user.signInByForm(PRODUCER, '/chat/c_001/team');
  const page = user.page();
  const found = await page.evaluate(
    (paths) =>
      paths.filter((path) => {
        const value = path
          .split('.')
          .reduce<unknown>(
            (owner, step) =>
              Object(owner)[step.startsWith('@@') ? Reflect.get(Symbol, step.slice(2)) : step],
            globalThis,
          );
        return value !== undefined;
      }),
    PATHS,
  );
  expect(found).toEqual([]);
  const room = toRoomPage(page);
  const shell = toShellPage(page);
  await room.region.locator('[data-message-id]').first().waitFor();
  await room.send('Written with an old browser.');
  const written = room.message('Written with an old browser.');
  await written.and(room.region.locator('[data-state="sent"]')).waitFor();
  await room.fetchMore.click();
  await openByShortcut(page, 'Control+k');
  await page.getByRole('combobox').fill('watanabe general');
  await page.getByRole('option', { name: /watanabe/i, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${server.address}/chat/c_009/general`);
  for (const name of ['Home', 'Videos', 'Chat']) await shell.link(name).click();
  await page.reload();
  await shell.client('Maya Okafor').waitFor();
  await shell.chooseFromUserMenu('Logout');
  await page.getByRole('button', { name: 'Sign In' }).waitFor();
  expect(user.problems.take()).toEqual([]);
});
