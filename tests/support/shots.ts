/**
 * Takes pictures of every screen in every state, for every device, light and dark: `npm run shots`
 * writes them to shots/, two of them to docs/ for the README, and two to public/ for the browser's
 * install dialog. Arguments select screens by a part of their name.
 */
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import sharp from 'sharp';

import { startFaultyServer } from './scenes/faulty-server.ts';
import { ALL_SCREENS } from './screens/all-screens.ts';
import { DEVICES, setColorScheme } from './screens/device.ts';
import { type Screen, type Stage, visitScreens } from './screens/screen.ts';

const FOLDER = 'shots';
const README_PICTURES = [
  ['room-1440x900-light', 'chat-desktop'],
  ['message-queued-390x844-dark', 'chat-phone'],
] as const;
const INSTALL_PICTURES = [
  { screen: 'clients-expanded', size: '1440x900', to: 'desktop' },
  { screen: 'unread-columns', size: '390x844', to: 'phone' },
] as const;
const INSTALL_FOLDER = 'public/screenshots';
const SCHEMES = ['light', 'dark'] as const;

const shoot = async ({ name }: Screen, { user, device }: Stage): Promise<void> => {
  const page = user.page();
  for (const colorScheme of SCHEMES) {
    await setColorScheme(page, colorScheme);
    await page.screenshot({ path: join(FOLDER, `${name}-${device.name}-${colorScheme}.png`) });
  }
};

const wanted = process.argv.slice(2);
const screens = ALL_SCREENS.filter(
  ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
);
await mkdir(FOLDER, { recursive: true });
const backend = await startFaultyServer();
try {
  for (const device of DEVICES) {
    for (const problem of await visitScreens(backend, device, screens, shoot))
      console.error(problem);
  }
  if (wanted.length === 0) {
    await mkdir('docs', { recursive: true });
    for (const [from, to] of README_PICTURES) {
      await copyFile(join(FOLDER, `${from}.png`), join('docs', `${to}.png`));
    }
  }
  await mkdir(INSTALL_FOLDER, { recursive: true });
  for (const { screen, size, to } of INSTALL_PICTURES) {
    if (!screens.some(({ name }) => name === screen)) continue;
    await sharp(join(FOLDER, `${screen}-${size}-light.png`))
      .webp({ quality: 80, effort: 6 })
      .toFile(join(INSTALL_FOLDER, `${to}.webp`));
  }
} finally {
  await backend.dispose();
}
// The shared browser would keep this process running.
process.exit();
