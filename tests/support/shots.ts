/**
 * Pictures of the main screens, each at a desktop's and a phone's size, light and dark:
 * `npm run shots` writes them into shots/, and two of them into docs/ for the README.
 */
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { toRoomPage } from './page-room.ts';
import { toShellPage } from './page-shell.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { createUser, DESKTOP, PHONE, PRODUCER, type User } from './user.ts';

const FOLDER = 'shots';
const README_PICTURES = [
  ['chat-desktop-light', 'chat-desktop'],
  ['offline-phone-dark', 'chat-phone'],
] as const;
const SCHEMES = ['light', 'dark'] as const;
/** Ends with the size that pages are driven in. */
const SIZES = [
  ['phone', PHONE],
  ['desktop', DESKTOP],
] as const;

/** Runs in the page: until fonts are there, two frames are drawn and nothing moves. */
const settle = async (): Promise<void> => {
  await document.fonts.ready;
  const frame = (): Promise<unknown> => new Promise((drawn) => requestAnimationFrame(drawn));
  await frame();
  await frame();
  await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
  await frame();
};

/** One picture of the page in front for every size and scheme. */
const shoot = async (user: User, name: string): Promise<void> => {
  const page = user.page();
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    for (const [sizeName, size] of SIZES) {
      await page.setViewportSize(size);
      await page.mouse.move(size.width / 2, 0);
      await page.evaluate(settle);
      await page.screenshot({ path: join(FOLDER, `${name}-${sizeName}-${colorScheme}.png`) });
    }
  }
};

const shootAll = async (server: ServerProcess, user: User): Promise<void> => {
  const room = toRoomPage(user.page());
  const shell = toShellPage(user.page());
  await user.visit('/login');
  await user.page().getByRole('button', { name: 'Sign In' }).waitFor();
  await shoot(user, 'login');

  await user.signIn(PRODUCER, '/chat/c_001/team');
  await room.region.locator('[data-message-id]').first().waitFor();
  await shoot(user, 'chat');

  await user
    .page()
    .route(`${server.address}/api/realtime/publish`, (route) =>
      route.fulfill({ status: 400, contentType: 'application/json', body: '{}' }),
    );
  await room.send('The goal clip is ready, should I send it to the club as well?');
  await room.region.locator('[data-state="failed"]').waitFor();
  await shoot(user, 'failed');
  await room.region.getByRole('button', { name: 'Delete' }).click();
  await user.page().unroute(`${server.address}/api/realtime/publish`);

  await user.page().getByRole('alert').waitFor({ state: 'hidden' });
  await user.goOffline();
  await shell.connection.filter({ hasText: 'Offline' }).waitFor();
  await room.send('Cutting the second half on the train, it goes out with the next signal.');
  await room.send('Kick-off times for Saturday are in the sheet.');
  await shoot(user, 'offline');
};

await mkdir(FOLDER, { recursive: true });
await mkdir('docs', { recursive: true });
const server = await startServer();
const user = await createUser(server);
try {
  await shootAll(server, user);
  for (const [from, to] of README_PICTURES) {
    await copyFile(join(FOLDER, `${from}.png`), join('docs', `${to}.png`));
  }
} finally {
  await user.dispose();
  await server.dispose();
}
