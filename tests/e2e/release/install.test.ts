import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, type User, waitForWorker } from '#tests/support/browser/user.ts';

let server: ServerProcess;
let user: User;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server, 'whole');
  await user.visit('/login');
  await user.page().evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

test('the browser accepts the page as installable', async () => {
  const session = await user.page().context().newCDPSession(user.page());
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  expect(installabilityErrors).toEqual([]);
  const { errors, data } = await session.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  expect(JSON.parse(data ?? '')).toMatchObject({
    name: expect.stringContaining('Replay Desk'),
    display: 'standalone',
    icons: expect.arrayContaining([expect.objectContaining({ purpose: 'maskable' })]),
    shortcuts: [{ url: '/chat' }, { url: '/' }],
    display_override: ['standalone', 'minimal-ui'],
  });
});

test('a page that loaded without its worker is served by it without another reload', async () => {
  const session = await user.page().context().newCDPSession(user.page());
  // The page is loaded past the worker, as while the first worker activates.
  await session.send('Page.reload', { ignoreCache: true });
  await waitForWorker(user.page());
  await session.send('Network.clearBrowserCache');
  await user.goOffline();
  const asked = await user.page().evaluate(async () => (await fetch('/shell.html')).status);
  await user.goOnline();
  expect(asked).toBe(200);
});

/** The browser's requirements for a picture in its install dialog, CSS pixels. */
const SIDE_MIN = 320;
const SIDE_MAX = 3840;
const RATIO_MAX = 2.3;
const WEIGHT_MAX = 150_000;

test('the install dialog has a picture for wide and for narrow screens', async () => {
  const answer = await fetch(`${server.address}/manifest.webmanifest`);
  const { screenshots } = (await answer.json()) as {
    readonly screenshots: readonly Readonly<Record<string, string>>[];
  };
  expect(screenshots.map((picture) => picture['form_factor'])).toEqual(['wide', 'narrow']);
  for (const { src = '', type, sizes } of screenshots) {
    const file = await fetch(new URL(src, server.address));
    expect([file.status, file.headers.get('content-type')]).toEqual([200, type]);
    const bytes = await file.arrayBuffer();
    expect(bytes.byteLength).toBeLessThan(WEIGHT_MAX);
    const { format, width, height } = await sharp(bytes).metadata();
    expect([`image/${format}`, `${width}x${height}`]).toEqual([type, sizes]);
    const [short, long] = [Math.min(width, height), Math.max(width, height)];
    expect(short).toBeGreaterThanOrEqual(SIDE_MIN);
    expect(long).toBeLessThanOrEqual(SIDE_MAX);
    expect(long / short).toBeLessThanOrEqual(RATIO_MAX);
  }
});
