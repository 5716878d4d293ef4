import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { KEPT_BUILDS_MAX } from '#server/static/previous-assets.ts';
import { send } from '#tests/support/server/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

/** An asset of the build with which the server starts. */
const FIRST = '/assets/main-abc123.js';

let server: WebServer;
let builds: number;
beforeEach(async () => {
  builds = 0;
  server = await startWebServer();
});
afterEach(() => server.dispose());

const kept = () => join(server.dataDir, 'page-assets', 'assets');

/**
 * Replaces the build by one with this single asset, like a build tool: it empties the folder first.
 */
const deploy = (asset: string): void => {
  builds += 1;
  rmSync(join(server.dist, 'assets'), { recursive: true });
  writeFileSync(join(server.dist, 'index.html'), `<div id="root">${asset}</div>`);
  mkdirSync(join(server.dist, 'assets'));
  writeFileSync(join(server.dist, 'assets', asset), `export const name = '${asset}';`);
  const later = Date.now() / 1000 + builds;
  utimesSync(join(server.dist, 'sw.js'), later, later);
};

const toStatus = async (path: string): Promise<number> => (await send(server.port, path)).status;
/** The first request of every browser; the server then checks its build. */
const load = () => toStatus('/');

test('assets of the previous build are still served, as immutable', async () => {
  const before = await send(server.port, FIRST);
  deploy('second-1.js');
  await load();
  const after = await send(server.port, FIRST);
  expect(after.status).toBe(200);
  expect(after.text).toBe(before.text);
  expect(after.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(await toStatus('/assets/second-1.js')).toBe(200);
  expect(await toStatus('/assets/never.js')).toBe(404);
  expect(await toStatus('/assets/../builds.json')).toBe(404);
});

test('a build made while the server was down keeps the previous one as well', async () => {
  await server.close();
  deploy('second-2.js');
  server = await server.restart();
  expect(await toStatus(FIRST)).toBe(200);
  expect(await toStatus('/assets/second-2.js')).toBe(200);
});

test('only a limited number of builds is kept, and a rollback counts as a new one', async () => {
  for (let n = 1; n < KEPT_BUILDS_MAX; n += 1) {
    deploy(`build-${n}.js`);
    await load();
  }
  expect(await toStatus(FIRST)).toBe(200);
  deploy('build-1.js');
  await load();
  deploy('last.js');
  await load();
  expect(await toStatus(FIRST)).toBe(404);
  expect(await toStatus('/assets/build-1.js')).toBe(200);
  expect(readdirSync(kept())).toHaveLength(KEPT_BUILDS_MAX);
});

test('an unwritable folder, or an unreadable list, affects old pages only', async () => {
  writeFileSync(join(kept(), '..', 'builds.json'), '{');
  deploy('third.js');
  await load();
  expect(await toStatus('/assets/third.js')).toBe(200);
  rmSync(join(kept(), '..'), { recursive: true });
  writeFileSync(join(kept(), '..'), 'a file in its place');
  deploy('fourth.js');
  await load();
  expect(await toStatus('/assets/fourth.js')).toBe(200);
  expect(server.log()).toContain('could not be stored for open pages');
  expect(existsSync(kept())).toBe(false);
});
