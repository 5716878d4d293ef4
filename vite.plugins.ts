import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import type { Plugin } from 'vite';

import { hashSources, SOURCES_HASH_FILE } from './server/app/page-sources.ts';

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
export const leaveToSources = (): Plugin => ({
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
export const licenseNotices = (folders: Set<string>): Plugin => ({
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
const COMPRESSIONS = { br: brotliCompressSync, gz: gzipSync };

/**
 * Runs on the finished build, after the worker, which is written after the page. `closeBundle` alone
 * would also run after a failed build, on what was there before.
 */
const onFinished = (finish: () => void): Pick<Plugin, 'writeBundle' | 'closeBundle'> => {
  let isWritten = false;
  return {
    writeBundle: { sequential: true, order: 'post', handler: () => void (isWritten = true) },
    closeBundle: { sequential: true, order: 'post', handler: () => void (isWritten && finish()) },
  };
};

/** Writes `<file>.br` and `<file>.gz` next to every text file of the finished build. */
export const compressedCopies = (): Plugin => {
  let folder = '';
  return {
    name: 'replay-desk:compressed-copies',
    apply: 'build',
    configResolved: ({ root, build }) => void (folder = resolve(root, build.outDir)),
    ...onFinished(() => {
      for (const name of readdirSync(folder, { encoding: 'utf8', recursive: true })) {
        if (!COMPRESSIBLE.test(name)) continue;
        const file = join(folder, name);
        const content = readFileSync(file);
        for (const [ending, compress] of Object.entries(COMPRESSIONS)) {
          writeFileSync(`${file}.tmp`, compress(content));
          // A server may be serving this folder.
          renameSync(`${file}.tmp`, `${file}.${ending}`);
        }
      }
    }),
  };
};

/**
 * Writes the hash of the sources, as they were when the build began, into the finished build: a
 * start compares it with the hash of the current ones.
 */
export const sourcesHash = (): Plugin => {
  let [file, hash] = ['', ''];
  return {
    name: 'replay-desk:sources-hash',
    apply: 'build',
    configResolved: ({ root, build }) => {
      file = resolve(root, build.outDir, SOURCES_HASH_FILE);
      hash = hashSources(root);
    },
    ...onFinished(() => writeFileSync(file, hash)),
  };
};

/**
 * Writes all characters beyond ASCII as escapes: a browser keeps code with a character beyond
 * Latin-1 in two bytes per character. After a backslash an escape would mean something else.
 */
export const asciiCode = (): Plugin => ({
  name: 'replay-desk:ascii-code',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const escape = (unit: string): string =>
        `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
      for (const part of Object.values(bundle)) {
        if (part.type !== 'chunk') continue;
        const [unsafe] = /.{0,20}\\[^\0-\u007f]/u.exec(part.code) ?? [];
        if (unsafe !== undefined) this.error(`${part.fileName} cannot be ASCII: ${unsafe}`);
        part.code = part.code.replaceAll(/[^\0-\u007f]/g, escape);
      }
    },
  },
});
