import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { parseConfig } from '#server/config/config.ts';
import { type RunningServer, startServer } from '#server/app/main.ts';
import { bringBack, loseFocus } from '#tests/support/browser/background.ts';
import { type BrowserProcess, createBrowser } from '#tests/support/browser/process.ts';
import { buildPage, type PageBuild } from '#tests/support/build/page-build.ts';
import { watchProblems } from '#tests/support/page/problems.ts';
import { makeDataDir, removeDataDir } from '#tests/support/server/realtime-server.ts';
import { PRODUCER, submitSignIn, waitForWorker } from '#tests/support/browser/user.ts';
import { WAIT_MS_MAX } from '#tests/support/wait-for.ts';

const ROOM = '/chat/c_001/team';
const dataDir = makeDataDir();
const problems = watchProblems();

let build: PageBuild;
let server: RunningServer;
let browser: BrowserProcess;
let context: BrowserContext;
let asking: Page;
let typing: Page;

const mustStart = async (): Promise<RunningServer> => {
  const config = parseConfig({ DATA_DIR: dataDir, DEMO: 'true', LOG_LEVEL: 'silent' });
  if (!config.ok) throw new Error(config.error.join('\n'));
  const started = await startServer({ ...config.value, port: 0 }, { dist: build.folder });
  if (!started.ok) throw new Error(started.error);
  return started.value;
};

beforeAll(async () => {
  build = await buildPage();
  server = await mustStart();
  browser = await createBrowser('whole');
  context = await browser.open();
  problems.attach(context);
  asking = context.pages()[0] ?? (await context.newPage());
  await asking.goto(`${server.url}${ROOM}`);
  await submitSignIn(asking, PRODUCER);
  await asking.waitForURL((url) => url.pathname === ROOM);
  await waitForWorker(asking);
  typing = await context.newPage();
  await typing.goto(`${server.url}${ROOM}`);
});
afterAll(async () => {
  await browser.dispose();
  await server.close();
  await build.dispose();
  removeDataDir(dataDir);
});

/** Replaces the release: another title, and with it another revision of the page. */
const release = async (mark: string): Promise<void> => {
  const [page, worker] = [join(build.folder, 'shell.html'), join(build.folder, 'sw.js')];
  const html = await readFile(page, 'utf8');
  const marked = html.replace(/<html lang="en"[^>]*>/, `<html lang="en" data-mark="${mark}">`);
  await writeFile(page, marked);
  const code = await readFile(worker, 'utf8');
  const entry = /\{[^{}]*"url":"shell\.html"[^{}]*\}/;
  expect(code).toMatch(entry);
  const integrity = `sha256-${createHash('sha256').update(marked).digest('base64')}`;
  await writeFile(
    worker,
    code.replace(entry, JSON.stringify({ revision: mark, url: 'shell.html', integrity })),
  );
  // The build's compressed copies belong to the previous release.
  for (const ending of ['br', 'gz']) {
    await Promise.all([page, worker].map((file) => rm(`${file}.${ending}`, { force: true })));
  }
};

const checkForUpdate = (page: Page) =>
  page.evaluate(async () => {
    await (await navigator.serviceWorker.getRegistration())?.update();
  });

const toMark = (page: Page) => page.locator('html').getAttribute('data-mark');
/** The update notice of a page, and the states of its workers. */
const toUpdateState = (page: Page) =>
  page.evaluate(async () => {
    const { serviceWorker } = navigator;
    const { installing, waiting, active } = (await serviceWorker.getRegistration()) ?? {};
    const prompts = [...document.querySelectorAll('[role="status"]')];
    return JSON.stringify({
      controller: serviceWorker.controller?.state,
      workers: [installing, waiting, active].map((worker) => worker?.state),
      texts: prompts.map(({ textContent }) => textContent),
    });
  });
/** Chromium gives a busy replaced worker this time, ms (w3c/ServiceWorker, issue 1295). */
const BUSY_WORKER_MS = 300_000;
/** The version of a tab once it is `mark`; fails with the update state of each tab. */
const waitForMark = async (page: Page, mark: string): Promise<string | null> => {
  try {
    const timeout = BUSY_WORKER_MS + WAIT_MS_MAX;
    await expect.poll(() => toMark(page), { timeout }).toBe(mark);
  } catch (error) {
    const states = await Promise.allSettled([asking, typing].map(toUpdateState));
    const known = JSON.stringify(states);
    throw new Error(`no ${mark} version; asking, typing: ${known}`, { cause: error });
  }
  return toMark(page);
};
const toPrompt = (page: Page) =>
  page.getByRole('status').filter({ hasText: 'A new version is ready.' });

test('a new version waits, and every tab offers it', async () => {
  await release('second');
  await checkForUpdate(asking);
  await toPrompt(asking).waitFor();
  await toPrompt(typing).waitFor();
  expect(await toMark(asking)).toBe(null);
});

test('a reload by the user does not apply it', async () => {
  await asking.reload();
  await toPrompt(asking).waitFor();
  expect(await toMark(asking)).toBe(null);
});

test('Reload applies it in that tab, and in a tab with a draft once that is sent', async () => {
  const composer = typing.getByRole('textbox', { name: 'Message', exact: true });
  await composer.fill('half a thought');
  // A draft also counts while another room is open.
  await typing.getByRole('link', { name: 'General', exact: true }).click();
  await expect.poll(() => composer.inputValue()).toBe('');
  await toPrompt(asking).getByRole('button', { name: 'Reload' }).click();
  expect(await waitForMark(asking, 'second')).toBe('second');
  await typing.getByRole('link', { name: 'Team', exact: true }).click();
  await expect.poll(() => composer.inputValue()).toBe('half a thought');
  expect(await toMark(typing)).toBe(null);
  await composer.press('Enter');
  expect(await waitForMark(typing, 'second')).toBe('second');
  await typing.getByText('half a thought').waitFor();
});

/** Requests the server continuously, two requests at a time, like a busy page. */
const keepBusy = (page: Page) =>
  page.evaluate(() => {
    const state = globalThis as { stopBusy?: () => void };
    let isOver = false;
    state.stopBusy = () => (isOver = true);
    const again = async (): Promise<void> => {
      if (isOver) return;
      await (await fetch('/api/health', { cache: 'no-store' })).arrayBuffer();
      void again();
    };
    for (let lane = 0; lane < 2; lane += 1) void again();
  });
const stopBusy = (page: Page) =>
  page.evaluate(() => (globalThis as { stopBusy?: () => void }).stopBusy?.());

test('requests to the server do not delay a new version', async () => {
  await release('third');
  await checkForUpdate(asking);
  await toPrompt(asking).waitFor();
  await typing.getByRole('textbox', { name: 'Message', exact: true }).fill('not yet');
  await keepBusy(typing);
  await toPrompt(asking).getByRole('button', { name: 'Reload' }).click();
  expect(await waitForMark(asking, 'third')).toBe('third');
  await stopBusy(typing);
  await typing.getByRole('textbox', { name: 'Message', exact: true }).fill('');
  expect(await waitForMark(typing, 'third')).toBe('third');
});

test('a tab in the background waits while a field other than a draft has text', async () => {
  await typing.bringToFront();
  await typing.getByRole('button', { name: 'Search clients' }).click();
  const field = typing.getByRole('searchbox', { name: 'Search clients' });
  await field.fill('Maya');
  await loseFocus(typing);
  await release('fourth');
  await checkForUpdate(asking);
  await toPrompt(asking).getByRole('button', { name: 'Reload' }).click();
  expect(await waitForMark(asking, 'fourth')).toBe('fourth');
  // Longer than a tab without text waits, by its own timers.
  await typing.evaluate(async () => {
    for (let n = 0; n < 60; n += 1) await new Promise((resolve) => setTimeout(resolve, 100));
  });
  expect(await toMark(typing)).toBe('third');
  expect(await field.inputValue()).toBe('Maya');
  await bringBack(typing);
  await field.fill('');
  expect(await waitForMark(typing, 'fourth')).toBe('fourth');
});

test('the caches hold the shell of one release and nothing of the user', async () => {
  const urls = await asking.evaluate(async () => {
    const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const requests = await Promise.all(caches_.map((cache) => cache.keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(urls.filter((path) => path === '/shell.html')).toHaveLength(1);
  expect(new Set(urls).size).toBe(urls.length);
  expect(urls.filter((path) => /^\/(?:api|chat)/.test(path))).toEqual([]);
  expect(problems.take()).toEqual([]);
});

test('a new version is not installed with the page of another build', async () => {
  const [page, worker] = [join(build.folder, 'shell.html'), join(build.folder, 'sw.js')];
  const other = await readFile(page, 'utf8');
  await release('fifth');
  const own = await readFile(page, 'utf8');
  const serve = async (html: string): Promise<void> => {
    await writeFile(page, html);
    // The server reads the files again once this one has changed.
    await writeFile(worker, `${await readFile(worker, 'utf8')}\n`);
    await checkForUpdate(asking);
  };
  const countNew = () =>
    asking.evaluate(async () => {
      const { installing, waiting } = (await navigator.serviceWorker.getRegistration()) ?? {};
      return [installing, waiting].filter(Boolean).length;
    });
  await serve(other);
  await expect.poll(countNew).toBe(0);
  await serve(own);
  await toPrompt(asking).getByRole('button', { name: 'Reload' }).click();
  expect(await waitForMark(asking, 'fifth')).toBe('fifth');
});
