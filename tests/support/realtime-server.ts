import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { v7 } from 'uuid';

import type { ServerEnv } from '#server/answers.ts';
import type { SessionIdentity, Sessions } from '#server/contracts.ts';
import { type Embedded, openEmbedded } from '#server/embedded/open.ts';
import { createRealtimeRoutes } from '#server/realtime/routes.ts';
import { createTokens } from '#server/realtime/token.ts';

/** The embedded engine over real HTTP on a real database, without the rest of the server. */
export interface RealtimeServer {
  readonly embedded: Embedded;
  readonly dataDir: string;
  readonly url: string;
  /** Bearer headers of a staff member's session. */
  staff(uid?: string, sid?: string): Readonly<Record<string, string>>;
  client(clientId: string): Readonly<Record<string, string>>;
  deny(sid: string): void;
  /** Stops everything; the data stays for `openRealtimeServer(dataDir)`. */
  stop(): Promise<void>;
}

export const SECRET = 'a secret of the tests, long enough to be one';
const HOUR_MS = 3_600_000;

/** Sessions under the test's control: the cookie names the uid, `/` and the sid. */
const createSessions = () => {
  const denied = new Set<string>();
  const listeners = new Set<(sid: string) => void>();
  const sessions: Sessions = {
    read: (request): Promise<SessionIdentity | undefined> => {
      const [uid, sid] = (request.headers.get('cookie') ?? '').split('/');
      const expires = Date.now() + HOUR_MS;
      return Promise.resolve(uid && sid ? { user: { uid }, sid, expires } : undefined);
    },
    isDenied: (sid) => denied.has(sid),
    onDenied: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const deny = (sid: string): void => {
    denied.add(sid);
    for (const listener of listeners) listener(sid);
  };
  return { sessions, deny };
};

export const makeDataDir = (): string => mkdtempSync(join(tmpdir(), 'replay-desk-'));
export const removeDataDir = (dataDir: string): void =>
  rmSync(dataDir, { recursive: true, force: true });

export const mustOpen = async (dataDir: string, seedDemo = true): Promise<Embedded> => {
  const opened = await openEmbedded(dataDir, { seedDemo });
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
};

export const openRealtimeServer = async (dataDir = makeDataDir()): Promise<RealtimeServer> => {
  const embedded = await mustOpen(dataDir);
  const { sessions, deny } = createSessions();
  const { routes, close } = createRealtimeRoutes({
    sessions,
    store: embedded.store,
    secret: SECRET,
    channelTemplate: 'chat.{cid}.{rid}',
    hasClient: (clientId) => embedded.staffData.hasClient(clientId),
  });
  const app = new Hono<ServerEnv>().route('/api/realtime', routes);
  const server = createServer(getRequestListener(app.fetch as never));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const tokens = createTokens(SECRET);
  const bearer = ({ token }: { readonly token: string }) => ({ authorization: `Bearer ${token}` });
  return {
    embedded,
    dataDir,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/realtime`,
    staff: (uid = 'u_producer', sid = 's1') =>
      bearer(tokens.forStaff({ uid, sid, expires: Date.now() + HOUR_MS })),
    client: (clientId) => bearer(tokens.forClient(clientId)),
    deny,
    stop: async () => {
      close();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      embedded.close();
    },
  };
};

/** A payload as the app sends it. */
export const toPayload = (text: string, id: string = v7()) => ({
  text,
  clientName: 'Replay Desk',
  clientAvatar: '',
  id,
});
