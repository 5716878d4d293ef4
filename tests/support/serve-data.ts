import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { loadConfig } from '#server/config.ts';
import { startServer } from '#server/main.ts';

/** Serves a data folder without a page, and prints the port: a server for tests to kill. */
const config = loadConfig();
if (!config.ok) throw new Error(config.error.join('\n'));
const dist = join(config.value.dataDir, 'no-page');
mkdirSync(dist, { recursive: true });
const server = await startServer(config.value, { dist });
process.stdout.write(server.ok ? `port ${server.value.port}\n` : `${server.error}\n`);
if (!server.ok) process.exitCode = 1;
