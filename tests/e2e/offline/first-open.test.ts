import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { toRoomPage } from '#tests/support/page/room.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, submitSignIn, TEAM } from '#tests/support/browser/user.ts';

let server: ServerProcess;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.dispose());

/** A page that closes while it creates its database stays frozen in the middle of that. */
test.each([0, 10, 20, 30, 40, 50, 60, 80])(
  'closing a page %i ms after the first sign-in does not block later pages',
  async (ms) => {
    const user = await createUser(server);
    await user.visit('/login');
    const page = user.page();
    await submitSignIn(page, TEAM);
    await page.waitForURL((url) => url.pathname !== '/login');
    await pause(ms);
    await user.visit('/chat/c_004/general');
    await toRoomPage(page).composer.waitFor();
    expect(await toRoomPage(page).region.count()).toBe(1);
    await user.dispose();
  },
);
