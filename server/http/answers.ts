import type { HttpBindings } from '@hono/node-server';
import type { Context, Handler, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

import { PROXY_NAME } from '#domain/errors.ts';

/** The environment of every handler: Node's request and response. */
export interface ServerEnv {
  Bindings: HttpBindings;
  Variables: {
    /** Also in the `x-request-id` header of the response. */
    requestId: string;
    /** Uid of the account whose password was right, once it is known. */
    uid?: string;
    /** Path of the file that answers. */
    file?: string;
  };
}
export type ServerApp = Hono<ServerEnv>;
export type ServerContext = Context<ServerEnv>;

/** An error response of this server: `{"error": "…"}` with a matching status. */
export const answerError = (
  c: ServerContext,
  status: ContentfulStatusCode,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): Response => c.json({ error }, status, headers);

/** Error types of RFC 9209. */
const UPSTREAM_ERRORS = { 502: 'destination_unavailable', 504: 'http_response_timeout' } as const;

/**
 * The response to a failure of a service behind this server: 502, or 504 after a timeout.
 * `Proxy-Status` (RFC 9209) distinguishes it from the 502 of a proxy in front of this server.
 */
export const answerUpstreamError = (c: ServerContext, status: 502 | 504, error: string): Response =>
  answerError(c, status, error, {
    'proxy-status': `${PROXY_NAME}; error=${UPSTREAM_ERRORS[status]}`,
  });

/** The sender closed the connection before the request was complete: no one reads an answer. */
export const isCutOff = ({ env: { incoming } }: ServerContext): boolean =>
  incoming.destroyed && !incoming.complete;

/** No one receives an answer: the connection is closed, or another answer was sent already. */
export const isGone = ({ env: { outgoing } }: ServerContext): boolean =>
  outgoing.destroyed || outgoing.writableEnded;

/** The process, or the system, has reached its limit of open files (EMFILE, ENFILE). */
export const isOutOfFiles = (thrown: Error): boolean =>
  'code' in thrown && (thrown.code === 'EMFILE' || thrown.code === 'ENFILE');

type Method = 'GET' | 'POST' | 'DELETE';

/** Serves one path; for methods without a handler the answer is 405 with `Allow`. */
export const serve = (
  app: ServerApp,
  path: string,
  handlers: Readonly<Partial<Record<Method, Handler<ServerEnv>>>>,
): void => {
  const { GET, POST, DELETE } = handlers;
  if (GET !== undefined) app.get(path, GET);
  if (POST !== undefined) app.post(path, POST);
  if (DELETE !== undefined) app.delete(path, DELETE);
  const others = [...(POST ? ['POST'] : []), ...(DELETE ? ['DELETE'] : [])];
  const allow = [...(GET ? ['GET', 'HEAD'] : []), ...others].join(', ');
  app.all(path, (c) => answerError(c, 405, `Expected ${allow}`, { allow }));
};
