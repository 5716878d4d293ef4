import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { serveStatic } from '@hono/node-server/serve-static';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { etag } from 'hono/etag';

import { findPage } from '#domain/routes.ts';

import { answerError, serve, type ServerApp, type ServerEnv } from '../http/answers.ts';
import type { Log } from '../kernel/log.ts';
import { keepAssets } from './previous-assets.ts';

/** The folders of the page and of the assets of earlier builds. */
export interface StaticOptions {
  readonly dist: string;
  readonly previousAssets: string;
  readonly hasSession: (request: Request) => boolean;
  readonly log: Log;
}

/** A build writes these first and last: when both are unchanged, so is the rest. */
const BUILD_MARKS = ['index.html', 'sw.js'];

const IMMUTABLE = 'public, max-age=31536000, immutable';
const REVALIDATE = 'no-cache, no-transform';
/** The browser loads the icon before it shows a notification, bypassing the service worker. */
const A_WEEK = 'public, max-age=604800';

/**
 * Adapts headers that `serveStatic` 2.1.8 does not handle: a coding in upper case or with a quality
 * (`q=0` refuses it), and `If-Range`. Without `Range` the answer is the whole file, which is always
 * allowed.
 */
const simplifyHeaders: MiddlewareHandler<ServerEnv> = async (c, next) => {
  const { headers } = c.req.raw;
  const parts = (headers.get('accept-encoding') ?? '').toLowerCase().split(',');
  const accepted = parts.filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part));
  headers.set('accept-encoding', accepted.map((part) => part.split(';')[0]).join());
  headers.delete('range');
  await next();
};

/** A path whose dot segments lead out of /api or /assets still gets no page. */
const refuseDetours: MiddlewareHandler<ServerEnv> = async (c, next) => {
  const isDetour = /^\/(?:api|assets)\//.test(c.env.incoming.url ?? '');
  return isDetour ? answerError(c, 404, 'Not found', { 'cache-control': 'no-store' }) : next();
};

const cacheAs =
  (caching: string, vary = 'accept-encoding'): MiddlewareHandler<ServerEnv> =>
  async (c, next) => {
    await next();
    if (!c.res.ok) return;
    c.header('cache-control', caching);
    c.header('vary', vary);
  };

/** The ETags of files, by path: a file is read once for each of its versions. */
const tags = new Map<string, { readonly version: string; readonly tag: string }>();

const findTag = (file: string): string => {
  const { mtimeMs, size } = statSync(file);
  const version = `${mtimeMs}:${size}`;
  const known = tags.get(file);
  if (known?.version === version) return known.tag;
  const tag = `"${createHash('sha1').update(readFileSync(file)).digest('base64url')}"`;
  tags.set(file, { version, tag });
  return tag;
};

/**
 * Sets the ETag of a file. Hono's middleware would read the whole response for it, also for clients
 * that accept no byte of it: their connections would fill the memory.
 */
const tagFile: MiddlewareHandler<ServerEnv> = async (c, next) => {
  await next();
  const file = c.get('file');
  if (file === undefined || !c.res.ok) return;
  try {
    // Its stream opens it later. Too many open files would then cut off the response, instead of
    // refusing it; another request may still take the last one.
    closeSync(openSync(file, 'r'));
    c.res.headers.set('etag', findTag(file));
  } catch (error) {
    await c.res.body?.cancel();
    throw error;
  }
};

/** Remembers the file, or its compressed copy, for its ETag. */
const onFound = (file: string, c: Context<ServerEnv>): void => c.set('file', file);

/** A document in a build. */
const serveDocument = (dist: string, name: string): MiddlewareHandler<ServerEnv> =>
  serveStatic<ServerEnv>({ precompressed: true, path: join(dist, name), onFound });

/** Files in a folder, which need not exist yet. Dot files belong to the build itself. */
const serveFolder = (folder: string): MiddlewareHandler<ServerEnv> => {
  const find = serveStatic<ServerEnv>({
    precompressed: true,
    rewriteRequestPath: (path) => join(folder, path),
    onFound,
  });
  return (c, next) => (c.req.path.includes('/.') ? next() : find(c, next));
};

/**
 * Serves a build, with compressed copies where they exist: hashed assets are immutable, the
 * notification icon is cached, everything else is revalidated, and every path that is not a file
 * gets the shell, with the sign-in page in it if the request has no session. A missing asset is a
 * 404, never the shell, which a script tag could not read. Assets of earlier builds remain for open
 * pages.
 */
export const createStaticFiles = (options: StaticOptions): ServerApp => {
  const { dist, previousAssets, hasSession, log } = options;
  let stamp = '';
  /** Notices at the next page load that the build changed while the server runs. */
  const noticeBuild = (): void => {
    const next = BUILD_MARKS.map(
      (name) => statSync(join(dist, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    ).join(':');
    if (next === stamp) return;
    stamp = next;
    keepAssets(previousAssets, dist, log);
  };
  noticeBuild();
  const files = new Hono<ServerEnv>();
  files.use(etag(), tagFile, simplifyHeaders);
  const answerMissing = (c: Context<ServerEnv>): Response =>
    answerError(c, 404, 'Not found', { 'cache-control': 'no-store' });
  files.get(
    '/assets/:file{.+}',
    cacheAs(IMMUTABLE),
    serveFolder(dist),
    serveFolder(previousAssets),
    answerMissing,
  );
  files.get('/icon-192.png', cacheAs(A_WEEK), serveFolder(dist), answerMissing);
  files.get('*', refuseDetours, cacheAs(REVALIDATE, 'accept-encoding, cookie'), (_c, next) => {
    noticeBuild();
    return next();
  });
  const findSignIn = serveDocument(dist, 'sign-in.html');
  const serveSignIn: MiddlewareHandler<ServerEnv> = (c, next) =>
    hasSession(c.req.raw) || findPage(c.req.path) === 'register' ? next() : findSignIn(c, next);
  // The folder itself would be answered with its index.html.
  files.get('/', serveSignIn);
  files.get('*', serveFolder(dist), serveSignIn, serveDocument(dist, 'index.html'));
  const unbuilt = 'The page is not built yet: run npm start or npm run build';
  serve(files, '*', {
    GET: (c) => answerError(c, 503, unbuilt, { 'cache-control': 'no-store' }),
  });
  return files;
};
