import { statSync } from 'node:fs';
import { join } from 'node:path';

import type { Log } from '../kernel/log.ts';
import { type CatalogFile, type Encoding, readCatalog } from './file-catalog.ts';
import { keepAssets } from './kept-assets.ts';

/** Where the page is, and where assets of its earlier builds are kept. */
export interface StaticPlace {
  readonly dist: string;
  readonly keptAssets: string;
  readonly log: Log;
}

/** The built page. */
export interface StaticFiles {
  /** Answers a GET; `target` is the request's path as sent. */
  answer(request: Request, target: string): Promise<Response>;
}

const SHELL = '/index.html';
const ASSETS = '/assets/';
/** Written first and last by a build: when both stand still, so does the rest. */
const BUILD_MARKS = ['index.html', 'sw.js'];

const IMMUTABLE = 'public, max-age=31536000, immutable';
const REVALIDATE = 'no-cache';

const toPath = (target: string): string => {
  const [path = '/'] = target.split(/[?#]/);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/** The best encoding a client accepts; `q=0` refuses one. */
const chooseEncoding = (file: CatalogFile, accepted: string): Encoding => {
  const accepts = (name: string): boolean =>
    accepted.split(',').some((part) => {
      const [token = '', quality = ''] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/);
      return token === name && !/^q=0(?:\.0*)?$/.test(quality);
    });
  if (!file.isText) return 'identity';
  if (accepts('br')) return 'br';
  return accepts('gzip') ? 'gzip' : 'identity';
};

const isKnown = (etag: string, ifNoneMatch: string | null): boolean =>
  ifNoneMatch?.split(',').some((candidate) => candidate.trim() === etag) ?? false;

const answerFile = async (
  file: CatalogFile,
  request: Request,
  caching: string,
): Promise<Response> => {
  const encoding = chooseEncoding(file, request.headers.get('accept-encoding') ?? '');
  const body = await file.read(encoding);
  const headers = new Headers({ 'cache-control': caching, etag: body.etag });
  if (file.isText) headers.set('vary', 'accept-encoding');
  if (isKnown(body.etag, request.headers.get('if-none-match'))) {
    return new Response(null, { status: 304, headers });
  }
  headers.set('content-type', file.type);
  headers.set('content-length', String(body.bytes.byteLength));
  if (encoding !== 'identity') headers.set('content-encoding', encoding);
  return new Response(body.bytes, { headers });
};

const answerMissing = (status: 404 | 503, error: string): Response =>
  Response.json({ error }, { status, headers: { 'cache-control': 'no-store' } });

/**
 * Serves a build: hashed assets for ever, everything else after asking again, and the shell
 * for every path that is no file. A missing asset is a 404, never the shell, which a script
 * tag could not read. Assets of earlier builds stay, for the pages that are still open.
 */
export const createStaticFiles = ({ dist, keptAssets, log }: StaticPlace): StaticFiles => {
  let mark = '';
  let current: ReadonlyMap<string, CatalogFile> = new Map();
  let kept = current;
  /** A build while the server runs is noticed at the next page load. */
  const refresh = (): void => {
    const next = BUILD_MARKS.map(
      (name) => statSync(join(dist, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    ).join(':');
    if (next === mark) return;
    mark = next;
    current = readCatalog(dist);
    kept = keepAssets(keptAssets, dist, current, log);
  };
  refresh();
  return {
    answer: async (request, target) => {
      const path = toPath(target);
      if (path.startsWith(ASSETS)) {
        const asset = current.get(path) ?? kept.get(path);
        return asset ? answerFile(asset, request, IMMUTABLE) : answerMissing(404, 'Not found');
      }
      refresh();
      const file = current.get(path) ?? current.get(SHELL);
      return file
        ? answerFile(file, request, REVALIDATE)
        : answerMissing(503, 'The page is not built yet: run npm start or npm run build');
    },
  };
};
