import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parseConfig } from '#server/config/config.ts';
import { startServer } from '#server/app/main.ts';

import { type FaultProxy, startFaultProxy } from '../services/fault-proxy.ts';
import { createRealtimeClient, createTestTokens } from '../server/realtime-client.ts';

/**
 * A server whose page is replaced by a new release while it runs, behind a network that can fail.
 */
export interface ReleasedServer {
  readonly proxy: FaultProxy;
  /** The address that browsers use. */
  readonly address: string;
  /**
   * Replaces the page with the build in this folder, like a build tool: it empties the folder
   * first.
   */
  deploy(build: string): Promise<void>;
  /** The newest texts of a room in the server's log, oldest first, bypassing the proxy. */
  readLog(channel: string): Promise<readonly string[]>;
  dispose(): Promise<void>;
}

export const startReleasedServer = async (build: string): Promise<ReleasedServer> => {
  const folder = await mkdtemp(join(tmpdir(), 'replay-desk-released-'));
  const [dist, data] = [join(folder, 'dist'), join(folder, 'data')];
  const deploy = async (from: string): Promise<void> => {
    await rm(dist, { recursive: true, force: true });
    await mkdir(dist);
    const names = await readdir(from);
    // The worker is copied last: once it is visible, so is the rest.
    for (const name of names.toSorted((a, b) => Number(a === 'sw.js') - Number(b === 'sw.js'))) {
      await cp(join(from, name), join(dist, name), { recursive: true });
    }
  };
  await deploy(build);
  const proxy = await startFaultProxy();
  const config = parseConfig({ DATA_DIR: data, LOG_LEVEL: 'silent', PUBLIC_URL: proxy.address });
  if (!config.ok) throw new Error(config.error.join('\n'));
  const started = await startServer({ ...config.value, port: 0 }, { dist });
  if (!started.ok) throw new Error(started.error);
  const { port } = started.value;
  proxy.aim(`http://localhost:${port}`);
  const tokens = createTestTokens(data);
  return {
    proxy,
    address: proxy.address,
    deploy,
    readLog: async (channel) => {
      // A token may expire during a test.
      const client = createRealtimeClient(port, tokens.staff('u_team'));
      const entries = await client.history({ channel, count: '100' });
      return entries.map(({ message }) => message.text);
    },
    dispose: async () => {
      await started.value.close();
      await proxy.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
