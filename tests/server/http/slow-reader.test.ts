import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';

let server: WebServer;
beforeAll(async () => {
  server = await startWebServer();
});
afterAll(() => server.dispose());

/** Much more than the buffers of two sockets. */
const LARGE_BYTES = 64 * 1024 * 1024;

/** Whether this process, which is also the server, has a file open. */
const isOpen = (file: string): boolean =>
  readdirSync('/proc/self/fd').some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === file;
    } catch {
      return false;
    }
  });

test.runIf(process.platform === 'linux')(
  'a file is read as its client accepts it, not ahead',
  async () => {
    const file = join(server.dist, 'assets/large-abc123.js');
    writeFileSync(file, Buffer.alloc(LARGE_BYTES, ' '));
    const answer = await fetch(`http://localhost:${server.port}/assets/large-abc123.js`);
    expect(answer.headers.get('etag')).toMatch(/^"[\w-]+"$/);
    expect(isOpen(file)).toBe(true);
    await answer.body?.cancel();
    await waitFor('the file to be closed', () => !isOpen(file));
  },
);
