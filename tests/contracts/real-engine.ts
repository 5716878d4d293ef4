import type { Realtime, SessionApi } from '#domain/ports/network.ts';
import { ok } from '#domain/result.ts';
import { type FaultProxy, startFaultProxy } from '#tests/support/services/fault-proxy.ts';
import { makeDataDir, removeDataDir } from '#tests/support/server/realtime-server.ts';
import { type RunningServer, startServer } from '#server/app/main.ts';
import { createEmbeddedRealtime } from '#src/adapters/embedded/embedded-realtime.ts';
import { createTokenSource } from '#src/adapters/realtime/token.ts';
import { createPublicConfig } from '#src/adapters/http/public-config.ts';
import { createSessionApi } from '#src/adapters/http/session-api.ts';
import { systemClock } from '#src/adapters/browser/system.ts';
import { createCookieWeb } from '#tests/support/server/cookie-web.ts';
import { createWebSealing } from '#src/adapters/browser/web-sealing.ts';
import {
  type ScriptedEndpoint,
  sendJson,
  startScriptedEndpoint,
} from '#tests/support/services/scripted-endpoint.ts';

/** A staff member with a separate connection. */
export interface SignedIn {
  readonly uid: string;
  readonly realtime: Realtime;
  readonly session: SessionApi;
}

/** The real server, for which any client id exists and any password is correct. */
export interface RealEngine {
  /** The network in front of the server. */
  readonly proxy: FaultProxy;
  signIn(uid: string): Promise<SignedIn>;
  /** Stops the server and restarts it on the same port and data. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** A call times out after this, ms; the tests' own calls are answered at once. */
const TIMEOUT_MS = 6000;

const TEMPLATE = 'chat.{cid}.{rid}';

/** A product API with every client, so that any client id exists. */
const startProductApi = async (): Promise<ScriptedEndpoint> => {
  const api = await startScriptedEndpoint();
  api.on('/auth', async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { email } = JSON.parse(body) as { email: string };
    await sendJson({ user: { uid: email.replace(/@.*/, '') } })(request, response);
  });
  return api;
};

const mustStart = async (
  dataDir: string,
  port: number,
  { apiBaseUrl, publicUrl }: { readonly apiBaseUrl: string; readonly publicUrl: string },
): Promise<RunningServer> => {
  const started = await startServer({
    port,
    host: '127.0.0.1',
    publicUrl,
    roomDescriptions: undefined,
    dataDir,
    authSecret: 'a secret of the tests, long enough to be one',
    authSecretPrevious: undefined,
    demo: false,
    apiBaseUrl,
    hosted: undefined,
    signOutDir: undefined,
    sharedStoreUrl: undefined,
    channelTemplate: TEMPLATE,
    sessionPollSeconds: 0,
    sessionMaxAgeMs: 3_600_000,
    metricsToken: undefined,
    logLevel: 'silent',
  });
  if (!started.ok) throw new Error(started.error);
  return started.value;
};

const signIn = async (origin: string, uid: string): Promise<SignedIn> => {
  const web = { ...createCookieWeb(origin), timeoutMs: TIMEOUT_MS };
  const session = createSessionApi(web, createWebSealing());
  const credentials = { email: `${uid}@example.com`, password: 'secret', callbackUrl: '/' };
  const signedIn = await session.signIn(credentials, new AbortController().signal);
  if (!signedIn.ok) throw new Error(`sign-in refused: ${JSON.stringify(signedIn.error)}`);
  const config = createPublicConfig(web);
  const realtime = createEmbeddedRealtime({
    web,
    tokens: createTokenSource(web, systemClock, () => undefined),
    log: { write: (_level, code) => console.warn(code) },
    findTemplate: async () => {
      const settings = await config.get();
      return settings.ok ? ok(settings.value.channelTemplate) : settings;
    },
  });
  return { uid, realtime, session };
};

export const startRealEngine = async (): Promise<RealEngine> => {
  const dataDir = makeDataDir();
  const api = await startProductApi();
  const proxy = await startFaultProxy();
  const place = { apiBaseUrl: api.origin, publicUrl: proxy.address };
  let server = await mustStart(dataDir, 0, place);
  const { port } = server;
  proxy.aim(`http://localhost:${port}`);
  return {
    proxy,
    signIn: (uid) => signIn(proxy.address, uid),
    async restart() {
      await server.close();
      server = await mustStart(dataDir, port, place);
    },
    async close() {
      await proxy.close();
      await server.close();
      await api.close();
      removeDataDir(dataDir);
    },
  };
};
