import {
  type PubnubEndpoint,
  type PubnubEndpointOptions,
  startPubnubEndpoint,
} from '../pubnub/endpoint.ts';
import { type ServerProcess, startServer } from '../process/server-process.ts';

const KEYS = {
  subscribeKey: 'sub-c-scene',
  publishKey: 'pub-c-scene',
  secretKey: 'sec-c-scene',
};

/** The double of a hosted engine whose keyset has Access Manager, as configured in `.env`. */
export const startHostedEngine = async (
  options: PubnubEndpointOptions = {},
): Promise<{
  readonly endpoint: PubnubEndpoint;
  readonly env: Readonly<Record<string, string>>;
}> => {
  const endpoint = await startPubnubEndpoint({ needsToken: true, ...KEYS, ...options });
  const env = {
    DEMO: 'true',
    PUBNUB_SUBSCRIBE_KEY: KEYS.subscribeKey,
    PUBNUB_PUBLISH_KEY: KEYS.publishKey,
    PUBNUB_SECRET_KEY: KEYS.secretKey,
    PUBNUB_ORIGIN: endpoint.origin,
    PUBNUB_SSL: 'false',
  };
  return { endpoint, env };
};

/** A server in hosted mode with demo accounts and clients, and the engine whose rooms it grants. */
export interface HostedScene {
  readonly endpoint: PubnubEndpoint;
  readonly server: ServerProcess;
  /** Texts of a channel in the engine's log, oldest first. */
  readLog(channel: string): readonly string[];
  /** Another app of the service writes, under an unknown publisher unless one is given. */
  write(channel: string, messages: readonly unknown[], publisher?: string): void;
  dispose(): Promise<void>;
}

const toText = (message: unknown): string =>
  typeof message === 'object' && message !== null ? String(Reflect.get(message, 'text')) : '';

export const startHostedScene = async (): Promise<HostedScene> => {
  const { endpoint, env } = await startHostedEngine();
  const server = await startServer(env);
  return {
    endpoint,
    server,
    readLog: (channel) => endpoint.log.findIn(channel).map(({ message }) => toText(message)),
    write: (channel, messages, publisher = 'app-7') => {
      for (const message of messages) endpoint.log.append(channel, publisher, message);
    },
    dispose: async () => {
      await server.dispose();
      await endpoint.close();
    },
  };
};
