import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** A small server that answers each path as the test decides, with any fault on the wire. */
export interface ScriptedEndpoint {
  readonly origin: string;
  /** `method path` of every request so far, including queries. */
  readonly requests: readonly string[];
  /** From now on answers a path (without query) with this. */
  on(path: string, handler: Handler): void;
  close(): Promise<void>;
}

export const sendJson =
  (value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Handler =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof value === 'string' ? value : JSON.stringify(value));
  };

export const sendHtml =
  (status = 200): Handler =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'text/html' });
    response.end('<!doctype html><title>Sign in to this network</title>');
  };

/** The start of a page that never ends; reports the end of its connection. */
export const sendEndlessHtml =
  (onClose: () => void, status = 200): Handler =>
  (_request, response) => {
    response.once('close', onClose);
    response.writeHead(status, { 'content-type': 'text/html' });
    response.write('<!doctype html><title>Sign in to this network</title>');
  };

export const sendRedirect =
  (location: string): Handler =>
  (_request, response) => {
    response.writeHead(302, { location });
    response.end();
  };

/** Accepts the request and never answers. */
export const stall: Handler = () => undefined;

/** Cuts the connection without an answer. */
export const reset: Handler = (request) => {
  request.socket.destroy();
};

/** Server-sent events in the given pieces (strings or raw bytes), left open or ended. */
export const sendEvents =
  (pieces: readonly (string | Uint8Array)[], end: 'end' | 'open' | 'reset'): Handler =>
  async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    for (const piece of pieces) {
      // Each piece is a separate chunk on the wire.
      await new Promise<void>((written) => {
        response.write(piece, () => setImmediate(written));
      });
    }
    if (end === 'end') response.end();
    if (end === 'reset') response.destroy();
  };

/** Keeps all responses: the connection of an unread one would close as soon as it is collected. */
export const createKeepingFetch = (): typeof fetch => {
  const kept: Response[] = [];
  return async (...request) => {
    const response = await fetch(...request);
    kept.push(response);
    return response;
  };
};

export const startScriptedEndpoint = async (): Promise<ScriptedEndpoint> => {
  const handlers = new Map<string, Handler>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const path = (request.url ?? '').replace(/\?.*$/, '');
    const handler = handlers.get(path) ?? sendJson({ error: 'Not found.' }, 404);
    void handler(request, response);
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    on: (path, handler) => void handlers.set(path, handler),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
};
