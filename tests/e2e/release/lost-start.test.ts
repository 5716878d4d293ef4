import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { getSession } from '#tests/support/page/session.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

const ROOM = '/chat/c_001/general';

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

/** The next start gets every part from the network. */
const clearParts = async (): Promise<void> => {
  const session = await getSession(user.page());
  // With this mark, missing caches mean that the disk was full (disk.ts).
  await user.page().evaluate(() => localStorage.removeItem('replay-desk-disk'));
  const storageTypes = 'service_workers,cache_storage';
  await session.send('Storage.clearDataForOrigin', { origin: server.address, storageTypes });
  await session.send('Network.clearBrowserCache');
};

test.each(['desk-*.css', 'desk-*.js', 'core-*.js'])(
  'a start without %s reloads the page by itself',
  async (part) => {
    await user.startOver();
    await user.signIn(PRODUCER, ROOM);
    const room = toRoomPage(user.page());
    await room.region.locator('[data-message-id]').first().waitFor();
    await clearParts();
    let starts = 0;
    user.page().on('framenavigated', () => {
      starts += 1;
      // Whatever needed the part failed, and said so.
      if (starts === 2) user.problems.take();
    });
    await user
      .page()
      .route(`**/assets/${part}`, (route) => (starts < 2 ? route.abort() : route.fallback()));
    // The reload may come while the session is stored.
    user.problems.allow(/CLIENT_SESSION_ERROR/);
    await user.visit(ROOM);
    await room.region.locator('[data-message-id]').first().waitFor();
    expect(starts).toBe(2);
    expect(await room.composer.evaluate((field) => getComputedStyle(field).resize)).toBe('none');
  },
);
