import type { RequestListener, Server } from 'node:http';
import { resolve } from 'node:path';

import type { DestinationStream } from 'pino';

import { ok, type Result } from '#domain/result.ts';

import type { Config } from '../config/config.ts';
import { type ServerParts, composeServer } from './compose-server.ts';
import { type HttpListener, openListener, toListener } from '../http/listener.ts';
import { toEngineUrl } from '../hosted/access-manager.ts';
import { createAuditLog, createLog } from '../kernel/log.ts';
import { createOrigins } from '../http/origins.ts';
import { createSecurityHeaders } from '../http/security-headers.ts';
import { readVersion } from '../kernel/version.ts';

/** A server that accepts requests. */
export interface RunningServer {
  readonly port: number;
  /** The address that browsers use. */
  readonly url: string;
  readonly version: string;
  /** The demo accounts can sign in. */
  readonly isDemo: boolean;
  /** Ends streams and closes the database; nothing acknowledged is lost. */
  close(): Promise<void>;
}

/** Middleware in front of the app, such as Vite's in development. */
export interface Wrapped {
  readonly listener: RequestListener;
  close(): Promise<void>;
}
export type Wrap = (listener: RequestListener, server: Server) => Promise<Wrapped>;

export interface StartOptions {
  /** Folder of the built page. */
  readonly dist?: string;
  readonly wrap?: Wrap;
  readonly logTo?: DestinationStream;
}

const ROOT = resolve(import.meta.dirname, '../..');
/** Output folder of `npm run build`. */
export const DIST = resolve(ROOT, 'dist');

const toWrapped: Wrap = (listener) => Promise.resolve({ listener, close: () => Promise.resolve() });

const stop = async (
  listener: HttpListener,
  parts: ServerParts,
  wrapped: Wrapped,
): Promise<void> => {
  parts.stopServing();
  await Promise.all([wrapped.close(), listener.close()]);
  await parts.close();
};

/** Starts the whole server; the error is a text for the operator. */
export const startServer = async (
  config: Config,
  options: StartOptions = {},
): Promise<Result<RunningServer, string>> => {
  const log = createLog(config.logLevel, options.logTo);
  const auditLog = createAuditLog(config.logLevel, options.logTo);
  const opened = await openListener({ host: config.host, port: config.port, log });
  if (!opened.ok) return opened;
  const listener = opened.value;
  const origins = createOrigins(
    config.publicUrl ?? `http://localhost:${listener.port}`,
    listener.port,
    config.host,
  );
  const isDevelopment = options.wrap !== undefined;
  const engineOrigin = config.hosted && new URL(toEngineUrl(config.hosted)).origin;
  const { isSecure } = origins;
  listener.setHeaders(createSecurityHeaders({ isSecure, isDevelopment, engineOrigin }));
  const version = readVersion();
  const { dist = DIST } = options;
  const composed = await composeServer({ config, origins, log, auditLog, version, dist });
  if (!composed.ok) {
    await listener.close();
    return composed;
  }
  const parts = composed.value;
  const wrap = options.wrap ?? toWrapped;
  const wrapped = await wrap(toListener(parts.app), listener.server);
  listener.use(wrapped.listener);
  log.debug({ port: listener.port, url: origins.main, version }, 'listening');
  let stopping: Promise<void> | undefined;
  return ok({
    port: listener.port,
    url: origins.main,
    version,
    isDemo: parts.isDemo,
    close: () => (stopping ??= stop(listener, parts, wrapped)),
  });
};
