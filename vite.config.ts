import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { type ManifestOptions, VitePWA } from 'vite-plugin-pwa';

const ASSETS = 'assets/';

/** The oldest browsers with everything the page uses (`light-dark()` is the newest part). */
const BROWSERS = ['chrome123', 'edge123', 'firefox124', 'safari17.5'];

interface KeptAssets {
  readonly current: readonly string[];
  readonly previous: readonly string[];
}

const readKept = async (file: string): Promise<KeptAssets | undefined> => {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as KeptAssets;
  } catch {
    return undefined;
  }
};

/**
 * Keeps the assets of the build before this one in the output folder, so that a page loaded
 * before a release still finds its lazy parts; older ones are deleted. The two lists stand
 * in `.vite/kept-assets.json` beside the page.
 */
const keepPreviousAssets = (built: Set<string>): Plugin => {
  let outDir = '';
  return {
    name: 'replay-desk:keep-previous-assets',
    apply: 'build',
    configResolved(config) {
      outDir = path.resolve(config.root, config.build.outDir);
    },
    writeBundle(_options, bundle) {
      for (const file of Object.keys(bundle)) if (file.startsWith(ASSETS)) built.add(file);
    },
    async closeBundle() {
      // A build that failed wrote nothing.
      if (built.size === 0) return;
      const listFile = path.join(outDir, '.vite/kept-assets.json');
      const present = (await readdir(path.join(outDir, ASSETS))).map((file) => ASSETS + file);
      const last = (await readKept(listFile)) ?? { current: present, previous: [] };
      const current = [...built].sort();
      const isSame = JSON.stringify(current) === JSON.stringify(last.current);
      const previous = isSame ? last.previous : last.current;
      const stale = present.filter((file) => !built.has(file) && !previous.includes(file));
      await Promise.all(stale.map((file) => rm(path.join(outDir, file))));
      await mkdir(path.dirname(listFile), { recursive: true });
      await writeFile(listFile, JSON.stringify({ current, previous }));
    },
  };
};

const webManifest: Partial<ManifestOptions> = {
  id: '/',
  name: 'Replay Desk',
  short_name: 'Replay Desk',
  description: 'Talk with your clients, with or without network.',
  lang: 'en',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  theme_color: '#4c6ef5',
  background_color: '#ffffff',
  categories: ['business', 'productivity'],
  icons: [
    { src: '/icon.svg', type: 'image/svg+xml', sizes: 'any' },
    { src: '/icon-192.png', type: 'image/png', sizes: '192x192' },
    { src: '/icon-512.png', type: 'image/png', sizes: '512x512' },
    { src: '/icon-maskable-512.png', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
  ],
  shortcuts: [
    { name: 'Chat', url: '/chat', icons: [{ src: '/icon-192.png', sizes: '192x192' }] },
    { name: 'Home', url: '/', icons: [{ src: '/icon-192.png', sizes: '192x192' }] },
  ],
};

export default defineConfig(() => {
  const built = new Set<string>();
  return {
    plugins: [
      react(),
      VitePWA({
        strategies: 'injectManifest',
        srcDir: 'src/sw',
        filename: 'sw.ts',
        injectRegister: false,
        includeManifestIcons: false,
        manifest: webManifest,
        injectManifest: {
          rollupFormat: 'iife',
          globPatterns: ['index.html', 'assets/*.{js,css}', 'icon.svg', 'favicon.ico'],
          // The output folder also holds the assets of the build before.
          manifestTransforms: [
            (entries) => ({
              manifest: entries.filter(({ url }) => !url.startsWith(ASSETS) || built.has(url)),
              warnings: [],
            }),
          ],
        },
      }),
      keepPreviousAssets(built),
    ],
    build: {
      target: BROWSERS,
      emptyOutDir: false,
      // The content security policy allows no inline script and no data: address.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      sourcemap: false,
      reportCompressedSize: false,
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              // The switch must stand with the library, so that it runs before any schema.
              { name: 'zod', test: /node_modules[\\/]zod[\\/]|src[\\/]app[\\/]zod-jitless/ },
              { name: 'react', test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/ },
            ],
          },
        },
      },
    },
    server: { watch: { ignored: ['**/.data/**', '**/.cache/**', '**/dist/**'] } },
  };
});
