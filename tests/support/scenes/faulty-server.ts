import { createRealtimeClient, createTestTokens, toMessage } from '../server/realtime-client.ts';
import { type FaultProxy, startFaultProxy } from '../services/fault-proxy.ts';
import { type ServerEnv, type ServerProcess, startServer } from '../process/server-process.ts';

/** A server behind a network that can fail, with access to its log. */
export interface FaultyServer {
  readonly proxy: FaultProxy;
  /** The server in the view of browsers: its address is the proxy's. */
  readonly server: ServerProcess;
  /** Texts of a room in the server's log, oldest first, bypassing the proxy. */
  readLog(channel: string): Promise<readonly string[]>;
  /** Writes as another member of staff, bypassing the proxy, in order. */
  write(channel: string, texts: readonly string[]): Promise<void>;
  /** Writes one text under any publisher and name, like another app of the service. */
  writeAs(
    sender: { readonly publisher: string; readonly clientName: string },
    channel: string,
    text: string,
  ): Promise<void>;
  dispose(): Promise<void>;
}

const PAGE = 100;

export const startFaultyServer = async (env: ServerEnv = {}): Promise<FaultyServer> => {
  const proxy = await startFaultProxy();
  const direct = await startServer({ PUBLIC_URL: proxy.address, ...env });
  proxy.aim(direct.address);
  const port = Number(new URL(direct.address).port);
  const tokens = createTestTokens(direct.dataFolder, undefined, env['AUTH_SECRET']);
  // A token may expire during a test.
  const toClient = () => createRealtimeClient(port, tokens.staff('u_team'));
  return {
    proxy,
    server: { ...direct, address: proxy.address },
    readLog: async (channel) => {
      const client = toClient();
      const texts: string[] = [];
      let before: { readonly before?: string } = {};
      for (;;) {
        const entries = await client.history({ channel, count: String(PAGE), ...before });
        texts.unshift(...entries.map(({ message }) => message.text));
        const oldest = entries[0]?.timetoken;
        if (entries.length < PAGE || oldest === undefined) return texts;
        before = { before: oldest };
      }
    },
    write: async (channel, texts) => {
      for (const text of texts) {
        const answer = await toClient().publish(channel, toMessage(text));
        if (answer.status !== 200) throw new Error(answer.text);
      }
    },
    writeAs: async ({ publisher, clientName }, channel, text) => {
      const other = createRealtimeClient(port, tokens.staff(publisher));
      const answer = await other.publish(channel, { ...toMessage(text), clientName });
      if (answer.status !== 200) throw new Error(answer.text);
    },
    dispose: async () => {
      await direct.dispose();
      await proxy.close();
    },
  };
};
