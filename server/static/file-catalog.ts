import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip' | 'identity';

/** A file's content as it goes over the wire. */
export interface FileBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly encoding: Encoding;
  /** Weak: the same for all encodings. */
  readonly etag: string;
}

/** One file that may be served; contents are read and compressed once, at first use. */
export interface CatalogFile {
  readonly type: string;
  /** Text: worth compressing. */
  readonly isText: boolean;
  read(encoding: Encoding): Promise<FileBody>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
const UNKNOWN_TYPE = 'application/octet-stream';
/** 11 is five times as slow for 3 % less. */
const BROTLI_QUALITY = 9;
const ETAG_LENGTH = 22;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

const compress = async (bytes: Buffer, encoding: Encoding): Promise<Buffer> => {
  if (encoding === 'gzip') return gzipped(bytes);
  if (encoding === 'identity') return bytes;
  return brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
};

const toCatalogFile = (path: string): CatalogFile => {
  const bodies = new Map<Encoding, Promise<FileBody>>();
  const type = TYPES[extname(path)] ?? UNKNOWN_TYPE;
  const load = async (encoding: Encoding): Promise<FileBody> => {
    const raw = await readFile(path);
    const digest = createHash('sha256').update(raw).digest('base64url').slice(0, ETAG_LENGTH);
    const bytes = new Uint8Array(await compress(raw, encoding));
    return { bytes, encoding, etag: `W/"${digest}"` };
  };
  return {
    type,
    isText: type.includes('charset'),
    read: (encoding) => {
      const body = bodies.get(encoding) ?? load(encoding);
      bodies.set(encoding, body);
      // A file that vanished in mid-build is tried again.
      body.catch(() => bodies.delete(encoding));
      return body;
    },
  };
};

/**
 * Every file below a folder by its url path. Requests are looked up here and nowhere else,
 * so that no path, however written, reaches beyond the folder. A missing folder is empty.
 */
export const readCatalog = (folder: string): ReadonlyMap<string, CatalogFile> => {
  const files = new Map<string, CatalogFile>();
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return files;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = `/${relative(folder, path).split(sep).join('/')}`;
    // Dot files are a build's own notes.
    if (entry.isFile() && !name.includes('/.')) files.set(name, toCatalogFile(path));
  }
  return files;
};
