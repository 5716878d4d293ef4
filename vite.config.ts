import { fileURLToPath } from 'node:url';

import react from '@vitejs/plugin-react';
import { defineConfig, type Rolldown } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

import {
  cachedShell,
  documentDigests,
  nameClass,
  PAGE,
  requestPage,
  signInDocument,
} from './vite.documents.ts';
import {
  asciiCode,
  compressedCopies,
  leaveToSources,
  licenseNotices,
  sourcesHash,
} from './vite.plugins.ts';

/** The oldest browsers with everything the page uses (`light-dark()` is the newest feature). */
export const BROWSERS = ['chrome123', 'edge123', 'firefox124', 'safari17.5'];

type Modules = Pick<Rolldown.PluginContext, 'getModuleInfo'>;

/** The entry and what it uses. */
const ENTRY =
  /preload-helper|src.(?:app.main|adapters.browser.(?:store|local)-flags|boot.throttled-reload)\.ts$/;

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
 * a later one: `start` beside the first paint, `updates` and `background` after it, `upkeep`
 * rarely. `home` has what screens share with it. The bundler's own split would cost some fifty
 * requests.
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
  if (isOf(/worker-registration|update-prompt|toast-cards/)) return 'updates';
  if (roots.every((root) => root.includes('pubnub-realtime'))) return undefined;
  if (roots.every((root) => /[\\/]sections[\\/]|settings-route/.test(root))) return 'sections';
  if (roots.every((at) => /(?:replay|retention|old|disk|recovery)\.ts$/.test(at))) return 'upkeep';
  if (isOf(/\.tsx$/)) return isOf(/[\\/]home-page\.tsx$/) ? 'home' : 'screens';
  const isStart = isOf(/(?:load-engine|device-store|unread-model)\.ts$/);
  return isStart ? 'start' : 'background';
};

const digests = documentDigests();

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
    cachedShell(),
    signInDocument(),
    asciiCode(),
    licenseNotices(bundled),
    digests.plugin,
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
        globPatterns: ['{*.html,icon.svg,favicon.ico,*.webmanifest}', 'assets/*.{js,css}'],
        // Needed only with a network: the engine is the hosted one, or nobody has signed in.
        globIgnores: ['assets/pubnub-realtime-*.js', 'sign-in.html'],
        manifestTransforms: [digests.transform],
      },
    }),
    compressedCopies(),
    sourcesHash(),
  ],
  css: { modules: { generateScopedName: nameClass } },
  build: {
    target: BROWSERS,
    // The content security policy forbids inline scripts and data: addresses.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // The dependencies of later chunks would add 1 kB to the first load. Each names itself: it is
      // requested for the code cache (`cachedShell`).
      resolveDependencies: (file, parts, { hostType }) =>
        hostType === 'html' || /[\\/](?:auth|desk)-/.test(file)
          ? parts
          : parts.filter((part) => part === file),
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
              debugName: chunk,
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
