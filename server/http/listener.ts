import { readFileSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import { getRequestListener } from '@hono/node-server';

import { fail, ok, type Result } from '#domain/result.ts';

import type { ServerApp } from './answers.ts';
import {
  ARRIVAL_CHECK_EVERY_MS,
  HEADERS_ARRIVAL_MS,
  CONNECTION_IDLE_MS,
  KEEP_ALIVE_MS,
  PIPELINED_MAX,
  REFUSED_CLOSE_MS,
  REQUEST_ARRIVAL_MS,
  STOP_GRACE_MS,
} from '../kernel/limits.ts';
import { createThrottledLog, type Log } from '../kernel/log.ts';
import type { Headers } from './security-headers.ts';

/** The listening port: opens before the server is ready, and closes last. */
export interface HttpListener {
  readonly server: Server;
  readonly port: number;
  /** Serves requests from now on; until then they get 503. */
  use(listener: RequestListener): void;
  setHeaders(headers: Headers): void;
  /** Accepts no more connections, gives open responses a moment to finish, then aborts them. */
  close(): Promise<void>;
}

/** Where to listen, and the log of later failures. */
interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly log: Pick<Log, 'error' | 'warn'>;
  /** How many files and connections this process may have open; the system's limit by default. */
  readonly openFilesMax?: number | undefined;
}

/** The system's limit for this process; undefined if there is none, or none is reported. */
const readOpenFilesMax = (): number | undefined => {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const soft = Number(/^Max open files +(?<soft>\d+)/m.exec(limits)?.groups?.['soft']);
    return soft > 0 ? soft : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Strangers may hold connections that send nothing. Connections use at most half of the files that
 * may be open: each may need a file of the page as well, and the server has others.
 */
const limitConnections = (server: Server, { log, openFilesMax }: ListenerOptions): void => {
  const filesMax = openFilesMax ?? readOpenFilesMax();
  if (filesMax === undefined) return;
  const connections = Math.floor(filesMax / 2);
  server.maxConnections = connections;
  const logFull = createThrottledLog((fields) => log.warn(fields, 'too many connections'));
  server.on('drop', () => logFull({ connections }));
};

const answerRaw = (outgoing: ServerResponse, status: 400 | 417, error: string): void => {
  const body = JSON.stringify({ error });
  const type = { 'content-type': 'application/json', 'content-length': body.length };
  outgoing.writeHead(status, { ...type, connection: 'close' }).end(body);
};

/** A proxy in front could choose the other one of two hosts (RFC 9112 §3.2). */
const hasTwoHosts = ({ headersDistinct }: IncomingMessage): boolean =>
  (headersDistinct['host'] ?? []).length > 1;

/**
 * Health checks of load balancers may have no `Host` header, as HTTP/1.0 allows: the host is then
 * this server's own address.
 */
const addMissingHost = (incoming: IncomingMessage, { host, port }: ListenerOptions): void => {
  if (incoming.httpVersion !== '1.0' || incoming.headers.host !== undefined) return;
  incoming.headers.host = `${host.includes(':') ? `[${host}]` : host}:${port}`;
};

const answerNotReady = (_incoming: IncomingMessage, outgoing: ServerResponse): void => {
  outgoing.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' });
  outgoing.end('{"status":"starting","error":"Not ready"}');
};

const PARSER_ANSWERS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** A request that is not HTTP gets its error in JSON too, and the connection is closed. */
const answerUnparsable = (code: string, socket: Duplex, headers: Headers): void => {
  if (!socket.writable) return;
  const status = PARSER_ANSWERS[code] ?? '400 Bad Request';
  const body = JSON.stringify({ error: status.slice('400 '.length) });
  const lines = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    'connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
  // The peer may never close its side.
  setTimeout(() => socket.destroy(), REFUSED_CLOSE_MS).unref();
};

const PORT_MAX = 65_535;

const describeListenError = (code: string | undefined, host: string, port: number): string => {
  const address = `${host}:${port}`;
  if (code === 'EADDRINUSE') {
    const other = port < PORT_MAX ? port + 1 : port - 1;
    return `Port ${port} on ${host} is taken by another program. Stop it, or set PORT to another port, for example PORT=${other}.`;
  }
  if (code === 'EACCES')
    return `This user has no permission to listen on ${address}. Set PORT above 1023.`;
  return `Cannot listen on ${address} (${code ?? 'unknown error'}). Check HOST and PORT.`;
};

/** The port, or why it cannot be used. Later errors of the server are logged. */
const listen = (
  server: Server,
  { host, port, log }: ListenerOptions,
): Promise<Result<number, string>> =>
  new Promise((resolve) => {
    const refuse = (error: NodeJS.ErrnoException): void =>
      resolve(fail(describeListenError(error.code, host, port)));
    const logFailure = createThrottledLog((fields) =>
      log.error(fields, 'the HTTP listener failed'),
    );
    server.once('error', refuse);
    server.listen(port, host, () => {
      server.off('error', refuse);
      server.on('error', (error) => logFailure({ err: error }));
      resolve(ok((server.address() as AddressInfo).port));
    });
  });

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });

/** The app as a listener of Node's server; an unreadable request gets 400. */
export const toListener = (app: ServerApp): RequestListener => {
  const listener = getRequestListener((request, env) => app.fetch(request, env), {
    errorHandler: () => Response.json({ error: 'Bad request' }, { status: 400 }),
  });
  return (incoming, outgoing) => void listener(incoming, outgoing);
};

/**
 * Handles the requests of a connection one after the other: a response that waits for another one
 * would be held in memory. A connection with too many waiting requests is closed.
 */
const handleInTurn = (handle: RequestListener): RequestListener => {
  const queues = new WeakMap<Socket, (() => void)[]>();
  return (incoming, outgoing) => {
    const { socket } = incoming;
    const queue = queues.get(socket) ?? [];
    queues.set(socket, queue);
    if (queue.length === PIPELINED_MAX) {
      socket.destroy();
      return;
    }
    queue.push(() => handle(incoming, outgoing));
    outgoing.once('close', () => {
      queue.shift();
      // After an answer that closes the connection, no other one could be sent.
      if (socket.writable) queue[0]?.();
    });
    if (queue.length === 1) queue[0]?.();
  };
};

/** Starts listening, or returns why that is not possible and what to do. */
export const openListener = async (
  options: ListenerOptions,
): Promise<Result<HttpListener, string>> => {
  let listener: RequestListener = answerNotReady;
  let headers: Headers = {};
  const serverOptions = {
    requestTimeout: REQUEST_ARRIVAL_MS,
    headersTimeout: HEADERS_ARRIVAL_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: ARRIVAL_CHECK_EVERY_MS,
    // Refused by `toListener`, in JSON.
    requireHostHeader: false,
  };
  // Set on Node's own response, so that streams and errors outside the app have them too.
  const protect = (outgoing: ServerResponse): void => {
    for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
  };
  const handle = handleInTurn((incoming, outgoing) => {
    protect(outgoing);
    addMissingHost(incoming, options);
    if (hasTwoHosts(incoming)) answerRaw(outgoing, 400, 'Expected one host');
    else listener(incoming, outgoing);
  });
  const server = createServer(serverOptions, handle);
  limitConnections(server, options);
  // A peer that does not read its response is disconnected as well.
  server.setTimeout(CONNECTION_IDLE_MS);
  server.on('checkExpectation', (_incoming: IncomingMessage, outgoing: ServerResponse) => {
    protect(outgoing);
    answerRaw(outgoing, 417, 'Expected 100-continue or nothing');
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    answerUnparsable(error.code ?? '', socket, headers);
  });
  const listening = await listen(server, options);
  if (!listening.ok) return listening;
  return ok({
    server,
    port: listening.value,
    use: (next) => (listener = next),
    setHeaders: (next) => (headers = next),
    close: () => closeServer(server),
  });
};
