import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { createServer, type Plugin, type Rolldown } from 'vite';

/** The module that starts the page. */
export const PAGE = /[\\/]src[\\/]app[\\/]start-page\.tsx$/;

/**
 * Has the browser request the part of the page with a module, and the parts that it imports, as the
 * document arrives. Vite itself names only what the entry imports statically.
 */
const requestPart = (html: string, bundle: Rolldown.OutputBundle, module: RegExp): string => {
  const parts = Object.values(bundle).filter((part) => part.type === 'chunk');
  const wanted = new Set(parts.filter((part) => part.moduleIds.some((id) => module.test(id))));
  for (const { imports } of wanted) {
    for (const part of parts) if (imports.includes(part.fileName)) wanted.add(part);
  }
  const files = [...wanted]
    .flatMap(({ fileName, viteMetadata }) =>
      [fileName].concat(...(viteMetadata?.importedCss ?? [])),
    )
    .filter((file) => !html.includes(file));
  const link = (rel: string, ending: string): string =>
    files
      .filter((file) => file.endsWith(ending))
      .map((file) => `<link rel="${rel}" crossorigin href="/${file}">\n`)
      .join('');
  // The document waits for its style sheets, so they come first.
  return html
    .replace('<script ', `${link('stylesheet', '.css')}<script `)
    .replace('</head>', `${link('modulepreload', '.js')}</head>`);
};

/** Requests the page's own code, which the entry imports, with the entry. */
export const requestPage = (): Plugin => ({
  name: 'replay-desk:request-page',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) => requestPart(html, bundle, PAGE),
  },
});

/** How Vite requests the code that an import needs. */
const REQUESTED_AS = /\(function detectScriptRel\(\).*?\}\)\(\)/s;
/** Where Vite reads a nonce, of which the content policy has none. */
const NONCE = /const cspNonceMeta = .*?getAttribute\("nonce"\);/s;
/** Vite's own version of what every supported browser has. */
const ALL_SETTLED = /function allSettled\(promises\) \{.*?\}\)\)\)\);\s*\}/s;
/** Only Chromium has `userAgentData`. */
const AS_SCRIPT = 'navigator.userAgentData&&navigator.serviceWorker.controller';

/**
 * Chunks of the first paint: a start runs most of their functions. The comment has V8 compile them
 * all while they load ("Explicit compile hints"), and its code cache keeps them.
 */
const COMPILED = new Set(['core', 'desk', 'react', 'start', 'zod']);
const COMPILE_ALL = '//# allFunctionsCalledOnLoad\n';

/**
 * Writes `shell.html`, the page that the service worker serves in Chromium. It requests its code as
 * classic scripts: Chromium 156 reads no code cache of what is requested as a module, and would
 * compile everything again in each process. A first visit has no cache; its modules are compiled
 * while they load.
 */
export const cachedShell = (): Plugin => ({
  name: 'replay-desk:cached-shell',
  apply: 'build',
  enforce: 'post',
  transform(code, id) {
    if (!id.includes('vite/preload-helper')) return undefined;
    if (![REQUESTED_AS, NONCE, ALL_SETTLED].every((part) => part.test(code))) {
      throw new Error('Vite requests code in another way');
    }
    return code
      .replace(REQUESTED_AS, `(${AS_SCRIPT}?'preload':'modulepreload')`)
      .replace(NONCE, 'const cspNonce = undefined;')
      .replace(ALL_SETTLED, 'const allSettled = (all) => Promise.allSettled(all);');
  },
  // A file with other content has another name.
  augmentChunkHash: ({ name }) => (COMPILED.has(name) ? COMPILE_ALL : undefined),
  generateBundle: {
    // After Vite's own list of dependencies, which comes first in a chunk.
    order: 'post',
    handler(_options, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') throw new Error('the page is missing');
      const source = page.source.toString().replaceAll('"modulepreload"', '"preload" as="script"');
      this.emitFile({ type: 'asset', fileName: 'shell.html', source });
      for (const part of Object.values(bundle)) {
        if (part.type === 'chunk' && COMPILED.has(part.name)) part.code = COMPILE_ALL + part.code;
      }
    },
  },
});

/** The sign-in page as HTML (prerender-sign-in.tsx). */
const renderSignIn = async (): Promise<string> => {
  const server = await createServer({
    configFile: false,
    mode: 'production',
    logLevel: 'warn',
    appType: 'custom',
    css: { modules: { generateScopedName: nameClass } },
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, watch: null, ws: false },
  });
  try {
    const part = await server.ssrLoadModule('/src/app/prerender-sign-in.tsx');
    return String(part['signInPage']);
  } finally {
    await server.close();
  }
};

const EMPTY_ROOT = '<div id="root"></div>';

/**
 * Writes `sign-in.html`, the document of a request without a session: it contains the sign-in page,
 * which is painted before any code has arrived.
 */
export const signInDocument = (): Plugin => ({
  name: 'replay-desk:sign-in-document',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    async handler(_options, bundle) {
      const page = bundle['index.html'];
      const source = page?.type === 'asset' ? page.source.toString() : '';
      if (!source.includes(EMPTY_ROOT)) throw new Error('the page has no empty #root');
      this.emitFile({
        type: 'asset',
        fileName: 'sign-in.html',
        source: requestPart(source, bundle, /[\\/]auth-pages\.tsx$/).replace(
          EMPTY_ROOT,
          `<div id="root">${await renderSignIn()}</div>`,
        ),
      });
    },
  },
});

/** A class of a style sheet, `client-row_root`: shorter than with a hash once compressed. */
export const nameClass = (name: string, file: string): string =>
  `${/(?<sheet>[\w-]+)\.module\.css/.exec(file)?.groups?.['sheet']}_${name}`;

/** A file of the worker's cache, as Workbox lists it. */
interface CachedFile {
  readonly url: string;
  readonly integrity?: string | undefined;
}

/**
 * Adds digests to the list of the worker's files: while two builds run side by side, the other one
 * may answer, and its document would stay in the cache as this build's. The names of assets contain
 * a digest.
 */
export const documentDigests = () => {
  let folder = '';
  const plugin: Plugin = {
    name: 'replay-desk:document-digests',
    configResolved: ({ root, build }) => {
      folder = resolve(root, build.outDir);
    },
  };
  const addDigest = async <T extends CachedFile>(file: T): Promise<T> => {
    if (file.url.startsWith('assets/')) return file;
    const content = await readFile(join(folder, file.url));
    const digest = createHash('sha256').update(content).digest('base64');
    return { ...file, integrity: `sha256-${digest}` };
  };
  const transform = async <T extends CachedFile>(files: T[]) => ({
    manifest: await Promise.all(files.map(addDigest)),
    warnings: [],
  });
  return { plugin, transform };
};
