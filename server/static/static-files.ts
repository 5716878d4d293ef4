import { statSync } from 'node:fs';
import { join } from 'node:path';

import { serveStatic } from '@hono/node-server/serve-static';
import { Hono, type MiddlewareHandler } from 'hono';
import { etag } from 'hono/etag';

import { answerError, serve, type ServerApp, type ServerEnv } from '../http/answers.ts';
import type { Log } from '../kernel/log.ts';
import { keepAssets } from './kept-assets.ts';

/** Where the page is, and where assets of its earlier builds are kept. */
export interface StaticPlace {
  readonly dist: string;
  readonly keptAssets: string;
  readonly log: Log;
}

/** Written first and last by a build: when both stand still, so does the rest. */
const BUILD_MARKS = ['index.html', 'sw.js'];

const IMMUTABLE = 'public, max-age=31536000, immutable';
const REVALIDATE = 'no-cache';

/**
 * What `serveStatic` 2.1.8 does not read: a coding in upper case or with a quality (`q=0` refuses
 * it), and `If-Range`. Without `Range` it answers with the whole file, as every server may.
 */
const simplifyHeaders: MiddlewareHandler<ServerEnv> = async (c, next) => {
  const { headers } = c.req.raw;
  const parts = (headers.get('accept-encoding') ?? '').toLowerCase().split(',');
  const accepted = parts.filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part));
  headers.set('accept-encoding', accepted.map((part) => part.split(';')[0]).join());
  headers.delete('range');
  await next();
};

/** Dots may have led out of a folder without pages; what was asked for there is still no page. */
const refuseDetours: MiddlewareHandler<ServerEnv> = async (c, next) => {
  const isDetour = /^\/(?:api|assets)\//.test(c.env.incoming.url ?? '');
  return isDetour ? answerError(c, 404, 'Not found', { 'cache-control': 'no-store' }) : next();
};

const cacheAs =
  (caching: string): MiddlewareHandler<ServerEnv> =>
  async (c, next) => {
    await next();
    if (!c.res.ok) return;
    c.header('cache-control', caching);
    c.header('vary', 'accept-encoding');
  };

/** Files below a folder, which need not exist yet. Dot files are a build's own notes. */
const serveFolder = (folder: string): MiddlewareHandler<ServerEnv> => {
  const find = serveStatic<ServerEnv>({
    precompressed: true,
    rewriteRequestPath: (path) => join(folder, path),
  });
  return (c, next) => (c.req.path.includes('/.') ? next() : find(c, next));
};

/**
 * Serves a build, compressed where it holds compressed copies: hashed assets for ever, everything
 * else after asking again, and the shell for every path that is no file. A missing asset is a 404,
 * never the shell, which a script tag could not read. Assets of earlier builds stay, for the pages
 * that are still open.
 */
export const createStaticFiles = ({ dist, keptAssets, log }: StaticPlace): ServerApp => {
  let mark = '';
  /** A build while the server runs is noticed at the next page load. */
  const noticeBuild = (): void => {
    const next = BUILD_MARKS.map(
      (name) => statSync(join(dist, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    ).join(':');
    if (next === mark) return;
    mark = next;
    keepAssets(keptAssets, dist, log);
  };
  noticeBuild();
  const files = new Hono<ServerEnv>();
  files.use(etag(), simplifyHeaders);
  files.get('/assets/*', cacheAs(IMMUTABLE), serveFolder(dist), serveFolder(keptAssets));
  files.get('*', refuseDetours, cacheAs(REVALIDATE), (_c, next) => {
    noticeBuild();
    return next();
  });
  files.get(
    '*',
    serveFolder(dist),
    serveStatic({ precompressed: true, path: join(dist, 'index.html') }),
  );
  const unbuilt = 'The page is not built yet: run npm start or npm run build';
  serve(files, '*', {
    GET: (c) => answerError(c, 503, unbuilt, { 'cache-control': 'no-store' }),
  });
  return files;
};
