import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

/** The oldest browsers with everything the page uses (`light-dark()` is the newest feature). */
export const BROWSERS = ['chrome123', 'edge123', 'firefox124', 'safari17.5'];

/** Replaces the worker of a release at the same address, then unregisters with its caches. */
const LEAVING_WORKER = `
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.clients.claim();
  await self.registration.unregister();
})()));
`;

/** In development pages come from the sources: no worker may serve a release instead. */
const leaveToSources = (): Plugin => ({
  name: 'replay-desk:leave-to-sources',
  apply: 'serve',
  configureServer({ middlewares }) {
    middlewares.use('/sw.js', (_request, response) => {
      response.setHeader('content-type', 'text/javascript');
      response.setHeader('cache-control', 'no-store');
      response.end(LEAVING_WORKER);
    });
  },
});

type Modules = Pick<Rolldown.PluginContext, 'getModuleInfo'>;
/** The folder of the package that a bundled file belongs to. */
const PACKAGE_FOLDER = /^\0?(?<folder>.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

/** Name, version, licence and full text of a package, as its authors require. */
const readNotice = (folder: string): string => {
  const text = readFileSync(join(folder, 'package.json'), 'utf8');
  const { name, version, license } = JSON.parse(text) as Readonly<Record<string, string>>;
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version} (license: ${license})`, ...texts].join('\n\n');
};

/**
 * Writes `licenses.txt`: a notice for every package in the bundles. The worker is built separately
 * after the page, so its build rewrites the file with the packages of both.
 */
const licenseNotices = (folders: Set<string>): Plugin => ({
  name: 'replay-desk:license-notices',
  apply: 'build',
  generateBundle() {
    for (const id of this.getModuleIds()) {
      const folder = PACKAGE_FOLDER.exec(id)?.groups?.['folder'];
      if (folder && existsSync(join(folder, 'package.json'))) folders.add(folder);
    }
    const notices = new Set([...folders].map(readNotice).toSorted());
    const source = ['The page of Replay Desk contains:', ...notices].join(
      `\n\n${'='.repeat(78)}\n\n`,
    );
    this.emitFile({ type: 'asset', fileName: 'licenses.txt', source: `${source}\n` });
  },
});

const COMPRESSIBLE = /\.(?:css|html|js|json|svg|txt|webmanifest)$/;

/** Writes `<file>.br` and `<file>.gz` next to every text file of the finished build. */
const compressedCopies = (): Plugin => {
  let folder = '';
  return {
    name: 'replay-desk:compressed-copies',
    apply: 'build',
    configResolved: ({ root, build }) => void (folder = resolve(root, build.outDir)),
    closeBundle: {
      // After the worker, which is written after the page.
      sequential: true,
      order: 'post',
      handler() {
        for (const name of readdirSync(folder, { encoding: 'utf8', recursive: true })) {
          if (!COMPRESSIBLE.test(name)) continue;
          const file = join(folder, name);
          const content = readFileSync(file);
          for (const [ending, compress] of [
            ['br', brotliCompressSync],
            ['gz', gzipSync],
          ] as const) {
            writeFileSync(`${file}.tmp`, compress(content));
            // A server may be serving this folder.
            renameSync(`${file}.tmp`, `${file}.${ending}`);
          }
        }
      },
    },
  };
};

/** The entry and what it uses. */
const ENTRY =
  /preload-helper|src.(?:app.main|adapters.browser.(?:store-)?marks|boot.throttled-reload)\.ts$/;
/** The module that starts the page. */
const PAGE = /[\\/]src[\\/]app[\\/]start-page\.tsx$/;

/**
 * Has the browser request the page's own code with the entry, which imports it later: by itself Vite
 * names only static imports.
 */
const requestPage = (): Plugin => ({
  name: 'replay-desk:request-page',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) => {
      const parts = Object.values(bundle).filter((part) => part.type === 'chunk');
      const wanted = new Set(parts.filter((part) => part.moduleIds.some((id) => PAGE.test(id))));
      for (const { imports } of wanted) {
        for (const part of parts) if (imports.includes(part.fileName)) wanted.add(part);
      }
      const links = [...wanted]
        .flatMap(({ fileName, viteMetadata }) =>
          [fileName].concat(...(viteMetadata?.importedCss ?? [])),
        )
        .filter((file) => !html.includes(file))
        .map((file) => [file.endsWith('.css') ? 'stylesheet' : 'modulepreload', file])
        .map(([rel, file]) => `<link rel="${rel}" crossorigin href="/${file}">\n`);
      return html.replace('</head>', `${links.join('')}</head>`);
    },
  },
});

const bundled = new Set<string>();

/** Dexie's build for current browsers: a tree-shakable module without ES5 code. */
const DEXIE = fileURLToPath(new URL('node_modules/dexie/dist/modern/dexie.mjs', import.meta.url));

/** The entry, and the dynamically imported modules, that import a module statically. */
const findRoots = (id: string, modules: Modules): readonly string[] => {
  const [seen, open] = [new Set<string>(), [id]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...(modules.getModuleInfo(next)?.importers ?? []));
  }
  return [...seen].filter((each) => {
    const info = modules.getModuleInfo(each);
    return info?.isEntry || (info?.dynamicImporters.length ?? 0) > 0;
  });
};

/** In the order in which they claim the library modules that they import. */
const CHUNKS = 'core desk auth start updates background upkeep home screens sections'.split(' ');

/**
 * The chunk of one of our own modules: `core` for all pages, `desk` or `auth` for half of them, or
 * a later one: `start` beside the first paint, `updates` and `background` after it, `upkeep` rarely.
 * `home` has what screens share with it. The bundler's own split would cost some fifty requests.
 */
const nameChunk = (id: string, modules: Modules): string | undefined => {
  // In the headers of both halves.
  if (id.includes('IconPlayerTrackNext')) return 'core';
  const isOwn = /[\\/](?:src|db|machines|domain)[\\/]/.test(id) && !id.includes('node_modules');
  if (!isOwn) return undefined;
  const roots = findRoots(id, modules);
  const isOf = (part: RegExp): boolean => roots.some((root) => part.test(root));
  const [desk, auth] = [isOf(/desk-pages|[\\/]open-store|desk\.machine/), isOf(/auth-pages/)];
  if (isOf(PAGE) || (desk && auth)) return 'core';
  if (desk || auth) return desk ? 'desk' : 'auth';
  if (isOf(/worker-registration|update-prompt/)) return 'updates';
  if (roots.every((root) => root.includes('pubnub-realtime'))) return undefined;
  if (roots.every((root) => /[\\/]sections[\\/]|settings-route/.test(root))) return 'sections';
  if (roots.every((at) => /(?:replay|retention|old|disk|recovery)\.ts$/.test(at))) return 'upkeep';
  if (isOf(/\.tsx$/)) return isOf(/[\\/]home-page\.tsx$/) ? 'home' : 'screens';
  const isStart = isOf(/(?:load-engine|device-store|unread-model|web-sealing)\.ts$/);
  return isStart ? 'start' : 'background';
};

export default defineConfig({
  resolve: {
    alias: [
      { find: /^dexie$/, replacement: DEXIE },
      // React has included what these packages provide since version 18.
      {
        find: /^use-sync-external-store\/shim\/with-selector$/,
        replacement: 'use-sync-external-store/with-selector',
      },
      { find: /^use-sync-external-store\/shim(?:\/index\.js)?$/, replacement: 'react' },
    ],
  },
  plugins: [
    react(),
    leaveToSources(),
    requestPage(),
    licenseNotices(bundled),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src/sw',
      filename: 'sw.ts',
      injectRegister: false,
      includeManifestIcons: false,
      manifest: false,
      injectManifest: {
        rollupFormat: 'iife',
        buildPlugins: { vite: [licenseNotices(bundled)] },
        globPatterns: [
          'index.html',
          'assets/*.{js,css}',
          'icon.svg',
          'favicon.ico',
          '*.webmanifest',
        ],
        // Needed only with a network and with the hosted engine.
        globIgnores: ['assets/pubnub-realtime-*.js'],
      },
    }),
    compressedCopies(),
  ],
  build: {
    target: BROWSERS,
    // The content security policy forbids inline scripts and data: addresses.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Naming the dependencies of every later chunk would add 1 kB to the first load.
      resolveDependencies: (file, parts, { hostType }) =>
        hostType === 'html' || /[\\/](?:auth|desk)-/.test(file) ? parts : [],
    },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What the entry needs, in no larger part.
            { name: 'entry', test: ENTRY },
            // With the switch, so that it runs before any schema.
            { name: 'zod', test: /node_modules[\\/]zod[\\/]|src[\\/]app[\\/]zod-jitless/ },
            { name: 'react', test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/ },
            ...CHUNKS.map((chunk) => ({
              name: (id: string, modules: Modules) =>
                nameChunk(id, modules) === chunk ? chunk : null,
            })),
          ],
        },
      },
    },
  },
  server: { watch: { ignored: ['**/.data/**', '**/.cache/**', '**/dist/**'] } },
});
