import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';

import type { Manifest } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { buildPage, type PageBuild } from '#tests/support/build/page-build.ts';

/**
 * Bytes after gzip that a page imports statically: a ratchet, lowered whenever the build is
 * smaller. `tests/e2e/release/first-load.test.ts` also counts the dynamic imports before the paint.
 */
const BUDGETS = [
  // The thread page has everything that accepts a message: it works if the network is lost at once.
  { page: 'sign-in', entry: 'auth', js: 126_600, css: 7_700 },
  { page: 'thread', entry: 'desk', js: 194_000, css: 11_700 },
] as const;
const HOSTED_ENGINE = 'src/adapters/pubnub/pubnub-realtime.ts';
/** The chunk of the entry, and the one that it imports dynamically, which starts the page. */
const ENTRY = 'entry';
const PAGE = 'core';
/** The chunk of the signed-out pages. */
const AUTH = 'auth';
/** The chunk that loads the engine. */
const ENGINE_CHOICE = 'background';
/** The worker that searches messages; the manifest does not list workers. */
const SEARCH = /^search-worker-.{8}\.js$/;
/** Bytes of the entry after gzip: it runs before the page's own code has arrived. */
const ENTRY_MAX = 1590;
/** Scripts besides those of the first load: each costs a request. */
const LATE_SCRIPTS_MAX = 8;

let page: PageBuild;
let manifest: Manifest;

const read = (file: string): Promise<string> => readFile(join(page.folder, file), 'utf8');

beforeAll(async () => {
  page = await buildPage();
  manifest = JSON.parse(await read('.vite/manifest.json')) as Manifest;
});
afterAll(() => page.dispose());

/** A chunk, by its key in the manifest or by its name in the build. */
const findChunk = (name: string) =>
  manifest[name] ?? Object.values(manifest).find((chunk) => chunk.name === name);

/** Files that load with a chunk: itself and everything it imports statically. */
const collectFiles = (name: string, files = new Set<string>()): ReadonlySet<string> => {
  const chunk = findChunk(name);
  if (chunk === undefined) throw new Error(`the build has no ${name}`);
  if (files.has(chunk.file)) return files;
  for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
  for (const imported of chunk.imports ?? []) collectFiles(imported, files);
  return files;
};

const weigh = async (files: Iterable<string>, ending: string): Promise<number> => {
  const chosen = [...files].filter((file) => file.endsWith(ending));
  const contents = await Promise.all(chosen.map((file) => readFile(join(page.folder, file))));
  return contents.reduce((sum, content) => sum + gzipSync(content, { level: 9 }).length, 0);
};

describe('budget', () => {
  test.each(BUDGETS)('of the $page page', async ({ page: name, entry, js, css }) => {
    const files = new Set([...collectFiles(ENTRY), ...collectFiles(entry)]);
    const weight = { js: await weigh(files, '.js'), css: await weigh(files, '.css') };
    console.info(`${name}: ${weight.js} B of ${js} JS, ${weight.css} B of ${css} CSS, gzip`);
    expect(weight.js).toBeLessThanOrEqual(js);
    expect(weight.css).toBeLessThanOrEqual(css);
  });
});

describe('build', () => {
  test('loads the code that is not needed at first in few parts', () => {
    const first = new Set<string>();
    for (const name of [ENTRY, PAGE, ...BUDGETS.map(({ entry }) => entry)]) {
      collectFiles(name, first);
    }
    const scripts = new Set(Object.values(manifest).map(({ file }) => file));
    const late = [...scripts].filter((file) => file.endsWith('.js') && !first.has(file));
    console.info(`late scripts: ${late.join(', ')}`);
    expect(late.length).toBeGreaterThan(1);
    expect(late.length).toBeLessThanOrEqual(LATE_SCRIPTS_MAX);
  });

  test('keeps the SDK of the hosted engine in its own chunk', async () => {
    const others = Object.keys(manifest).filter((name) => name !== HOSTED_ENGINE);
    const files = new Set(others.map((name) => manifest[name]?.file ?? ''));
    for (const file of [...files].filter((name) => name.endsWith('.js'))) {
      expect(await read(file)).not.toContain('pndsn.com');
    }
    expect(await read(manifest[HOSTED_ENGINE]?.file ?? '')).toContain('pndsn.com');
    const first = [...collectFiles(PAGE), ...collectFiles(ENGINE_CHOICE)];
    expect(first).not.toContain(manifest[HOSTED_ENGINE]?.file);
  });

  test('has compressed copies of every text file, and of no picture', async () => {
    const names = (await readdir(page.folder, { recursive: true })).toSorted();
    const texts = names.filter((name) => /\.(?:css|html|js|svg|txt|webmanifest)$/.test(name));
    expect(texts.length).toBeGreaterThan(10);
    expect(texts).toEqual(expect.arrayContaining(['shell.html', 'sw.js', 'manifest.webmanifest']));
    for (const text of texts) {
      const [plain, brotli, gzip] = await Promise.all(
        ['', '.br', '.gz'].map((ending) => readFile(join(page.folder, `${text}${ending}`))),
      );
      expect(brotliDecompressSync(brotli!)).toEqual(plain);
      expect(gunzipSync(gzip!)).toEqual(plain);
    }
    expect(names.filter((name) => /\.(?:png|webp|tmp)\.?(?:br|gz)?$/.test(name))).toEqual(
      names.filter((name) => /\.(?:png|webp)$/.test(name)),
    );
  });

  test.each([
    { document: 'index.html', parts: [PAGE] },
    { document: 'sign-in.html', parts: [PAGE, AUTH] },
  ])(
    'has the browser request all code that $document needs with it',
    async ({ document, parts }) => {
      const html = await read(document);
      const LINKS = /<link[^>]* rel="(?:modulepreload|stylesheet)"[^>]* href="\/(?<file>[^"]+)"/g;
      const links = [...html.matchAll(LINKS)].map(({ groups }) => groups?.['file']);
      const entry = collectFiles(ENTRY);
      const files = parts.flatMap((part) => [...collectFiles(part)]);
      const wanted = new Set(files.filter((file) => !entry.has(file)));
      expect(new Set(links)).toEqual(wanted);
      expect(links).toHaveLength(wanted.size);
      // The document is painted once these have arrived.
      const [head = ''] = html.split('<script');
      const styles = links.filter((file) => file?.endsWith('.css'));
      expect(styles).not.toEqual([]);
      for (const style of styles) expect(head).toContain(style);
    },
  );

  test('has a small entry', async () => {
    expect(await weigh(collectFiles(ENTRY), '.js')).toBeLessThanOrEqual(ENTRY_MAX);
  });

  test("requests its code as scripts, for their code cache, in the worker's page only", async () => {
    const [html, shell] = [await read('index.html'), await read('shell.html')];
    const asScript = shell.split('<link rel="preload" as="script"');
    expect(asScript.length).toBeGreaterThan(4);
    expect(asScript.join('<link rel="modulepreload"')).toBe(html);
    const entry = [...collectFiles(ENTRY)].find((file) => file.endsWith('.js')) ?? '';
    const later = /serviceWorker\.controller\?[`'"]preload[`'"]:[`'"]modulepreload[`'"]/;
    expect(await read(entry)).toMatch(later);
  });

  test('makes the browser compile all code of the first paint, which the code cache keeps', async () => {
    const assets = await readdir(join(page.folder, 'assets'));
    const first = assets.filter((name) => /^(?:core|desk|react|start|zod)-.*\.js$/.test(name));
    expect(first).toHaveLength(5);
    const starts = await Promise.all(first.map((name) => read(`assets/${name}`)));
    for (const code of starts) expect(code).toMatch(/^\/\/# allFunctionsCalledOnLoad\n/);
  });

  test('has code in ASCII, which the browser keeps in one byte per character', async () => {
    const assets = await readdir(join(page.folder, 'assets'));
    const scripts = assets.filter((name) => name.endsWith('.js') && !SEARCH.test(name));
    expect(scripts.length).toBeGreaterThan(LATE_SCRIPTS_MAX);
    for (const name of scripts) expect(await read(`assets/${name}`)).toMatch(/^\p{ASCII}+$/u);
  });

  test('has nothing inline in the page', async () => {
    for (const name of ['index.html', 'shell.html', 'sign-in.html']) {
      const html = await read(name);
      expect(html).not.toMatch(/<style|style=|\son\w+=|javascript:|data:/i);
      const scripts = html.match(/<script[^>]*>/g);
      expect(scripts).toEqual([expect.stringContaining(' src="/assets/entry-')]);
      expect(html).toMatch(/<script[^>]*><\/script>/);
    }
  });

  test('has no `:has()` rule that applies to any element', async () => {
    const assets = await readdir(join(page.folder, 'assets'));
    const styles = assets.filter((name) => name.endsWith('.css'));
    expect(styles.length).toBeGreaterThan(1);
    const rules = await Promise.all(styles.map((name) => read(`assets/${name}`)));
    // Each new element would cost the style of all its ancestors.
    for (const rule of rules) expect(rule).not.toMatch(/(?:^|[\s,{}>+~*]):has\(/);
  });

  test('has every file of the page in the worker, except the hosted engine, and no other', async () => {
    const worker = await read('sw.js');
    const cached = [...worker.matchAll(/"url":"([^"]+)"/g)].map(([, url]) => url);
    const parts = Object.entries(manifest).filter(([name]) => name !== HOSTED_ENGINE);
    const chunks = parts.flatMap(([, { file, css = [] }]) => css.concat(file));
    const assets = await readdir(join(page.folder, 'assets'));
    const search = assets.filter((name) => SEARCH.test(name)).map((name) => `assets/${name}`);
    expect(search).toHaveLength(1);
    const others = ['index.html', 'shell.html', 'icon.svg', 'favicon.ico', 'manifest.webmanifest'];
    const expected = [...others, ...search, ...chunks];
    expect(new Set(cached)).toEqual(new Set(expected));
  });

  test('lets the worker cache the documents of this build only', async () => {
    const worker = await read('sw.js');
    for (const name of ['index.html', 'shell.html']) {
      const digest = createHash('sha256')
        .update(await read(name))
        .digest('base64');
      const [entry] = worker.match(new RegExp(`\\{[^{}]*"url":"${name}"[^{}]*\\}`)) ?? [];
      expect(entry).toContain(`"integrity":"sha256-${digest}"`);
    }
  });

  test('contains the licences of everything in it, including the worker', async () => {
    const notices = (await read('licenses.txt')).split(/^=+$/m).slice(1);
    const named = notices.map((notice) => /^\s*(?<name>\S+) \d/.exec(notice)?.groups?.['name']);
    expect(named).toEqual(
      expect.arrayContaining(['@mantine/core', 'dexie', 'pubnub', 'react', 'react-dom', 'xstate']),
    );
    // Only the worker uses these.
    expect(named).toContain('workbox-precaching');
    expect(new Set(named).size).toBe(notices.length);
    // Tools leave no code in the page, and our own code needs no notice.
    expect(named).not.toContain('vite');
    expect(named).not.toContain(undefined);
    for (const notice of notices) expect(notice).toMatch(/copyright|permission|terms|licen[cs]e/i);
    expect(notices.find((notice) => /^\s*react /.test(notice))).toContain(
      'The above copyright notice and this permission notice shall be included',
    );
  });

  test('disables code generation before any schema is created', async () => {
    const files = [...collectFiles(ENTRY), ...collectFiles(PAGE)];
    const scripts = [...new Set(files)].filter((file) => file.endsWith('.js'));
    const chunks = await Promise.all(scripts.map(read));
    const withSwitch = chunks.filter((code) => /jitless:\s*(?:!0|true)/.test(code));
    expect(withSwitch).toHaveLength(1);
    expect(withSwitch[0]).not.toMatch(/expires/);
  });
});
