import { createTestTokens } from '#tests/support/server/realtime-client.ts';
import { type CookieClient, createCookieClient } from '#tests/support/server/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

/** The target: the whole server over real HTTP, with signed-in users. */
export interface Target {
  /** On loopback http, with demo data. */
  readonly server: WebServer;
  /** Like a server behind a proxy that terminates TLS for `https://desk.example.com`. */
  readonly https: WebServer;
  /** A signed-in producer. */
  readonly staff: CookieClient;
  /** Access tokens like those of the server. */
  readonly tokens: ReturnType<typeof createTestTokens>;
  /** A browser without a session. */
  readonly visitor: () => CookieClient;
  /** Runs on a separate server, for attacks with lasting effects. */
  readonly alone: <T>(
    attempt: (server: WebServer) => Promise<T>,
    variables?: Readonly<Record<string, string>>,
  ) => Promise<T>;
  readonly dispose: () => Promise<void>;
}

export const PUBLIC_URL = 'https://desk.example.com';

/** The session cookie's name on http and on https. */
export const COOKIE = 'replay-desk.session';
export const HTTPS_COOKIE = '__Host-replay-desk.session';

export const openTarget = async (): Promise<Target> => {
  const [server, https] = await Promise.all([startWebServer(), startWebServer({ PUBLIC_URL })]);
  const staff = createCookieClient(server.port);
  await staff.signIn();
  return {
    server,
    https,
    staff,
    tokens: createTestTokens(server.dataDir),
    visitor: () => createCookieClient(server.port),
    alone: async (attempt, variables = {}) => {
      const own = await startWebServer(variables);
      try {
        return await attempt(own);
      } finally {
        await own.dispose();
      }
    },
    dispose: async () => {
      await Promise.all([server.dispose(), https.dispose()]);
    },
  };
};
