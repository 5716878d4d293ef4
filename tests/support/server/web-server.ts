import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { parseConfig } from '#server/config/config.ts';
import { type RunningServer, startServer } from '#server/app/main.ts';

type Variables = Readonly<Record<string, string>>;

/** The whole server in this process, over real HTTP, with separate data and a small page. */
export interface WebServer extends RunningServer {
  readonly dataDir: string;
  readonly dist: string;
  /** The log output so far. */
  log(): string;
  /** Stops and starts again on the same data, with these settings changed. */
  restart(changes?: Variables): Promise<WebServer>;
  /** Stops it and removes its data. */
  dispose(): Promise<void>;
}

/** Files of the page the tests serve. */
const PAGE = {
  'index.html': '<!doctype html><title>Replay Desk</title><div id="root"></div>',
  'assets/main-abc123.js': `export const text = ${JSON.stringify('replay '.repeat(400))};`,
  'assets/photo-abc123.png': 'not really a picture',
  'icon-192.png': 'not really a picture',
  'sw.js': 'self.addEventListener("fetch", () => {});',
  'manifest.webmanifest': '{"name":"Replay Desk"}',
  '.vite/manifest.json': '{}',
};

const writePage = (dist: string): void => {
  for (const [name, content] of Object.entries(PAGE)) {
    mkdirSync(join(dist, name, '..'), { recursive: true });
    writeFileSync(join(dist, name), content);
    if (name.endsWith('.png')) continue;
    // Like a build.
    writeFileSync(join(dist, `${name}.br`), brotliCompressSync(content));
    writeFileSync(join(dist, `${name}.gz`), gzipSync(content));
  }
};

const launch = async (folder: string, variables: Variables): Promise<WebServer> => {
  const dataDir = join(folder, 'data');
  const dist = join(folder, 'dist');
  const lines: string[] = [];
  const config = parseConfig({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'debug', ...variables });
  if (!config.ok) throw new Error(config.error.join('\n'));
  const logTo = { write: (line: string) => void lines.push(line) };
  const started = await startServer(config.value, { dist, logTo });
  if (!started.ok) throw new Error(started.error);
  const server = started.value;
  return {
    ...server,
    dataDir,
    dist,
    log: () => lines.join(''),
    restart: async (changes = {}) => {
      await server.close();
      return launch(folder, { ...variables, PORT: String(server.port), ...changes });
    },
    dispose: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Starts the server with demo data, or with the given settings. */
export const startWebServer = (variables: Variables = {}): Promise<WebServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'replay-desk-web-'));
  writePage(join(folder, 'dist'));
  return launch(folder, variables);
};
