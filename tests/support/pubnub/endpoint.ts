import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { AccessManager, READ, WRITE } from './access.ts';
import { ChannelLog } from './channel-log.ts';
import { answer, answerText, type Exchange, OPEN_TO_ALL, toNames } from './exchange.ts';
import { Faults, NAMED_FAULTS, type Operation } from './faults.ts';
import { isOfKeyset, type Keyset, KEYSET_DEFAULT } from './keyset.ts';
import { RECORDED_REFUSALS } from './recorded-refusals.ts';
import { answerRefusal, answerWrongKey, serveAccess } from './serve-access.ts';
import { serveCounts, serveHistory } from './serve-history.ts';
import { publish, readBody } from './serve-publish.ts';
import { serveSubscribe } from './serve-subscribe.ts';

/** The longest request line and headers that the service accepts, bytes. */
const HEADER_BYTES_MAX = 32_768;

/**
 * A test double of the hosted engine: it answers the SDK's requests over HTTP like the recorded
 * service (`recorded.ts` names the sources), and fails as the test decides. It keeps everything in
 * memory.
 */
export interface PubnubEndpoint {
  /** `127.0.0.1:{port}`; plain http */
  readonly origin: string;
  readonly log: ChannelLog;
  readonly access: AccessManager;
  readonly faults: Faults;
  /** The requests so far, in order. */
  readonly asked: readonly Asked[];
  /** Cuts every connection and listens again, with its stored data. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

interface Asked {
  readonly operation: Operation;
  readonly method: string;
  readonly url: string;
}

export interface PubnubEndpointOptions extends Partial<Keyset> {
  readonly port?: number;
}

interface Route {
  readonly operation: Operation;
  readonly names: readonly string[];
  readonly permission: number;
}

const toRoute = ({ request, parts, query }: Exchange): Route => {
  const [first, second, , fourth] = parts;
  if (first === 'publish') {
    return { operation: 'publish', names: toNames(parts[4]), permission: WRITE };
  }
  if (second === 'subscribe') {
    const operation = query.has('tt') ? 'poll' : 'handshake';
    return { operation, names: toNames(parts[3]), permission: READ };
  }
  if (second === 'history') {
    const operation = parts[4] === 'message-counts' ? 'counts' : 'history';
    return { operation, names: toNames(parts[5]), permission: READ };
  }
  const isAccess = second === 'pam' && fourth === 'grant';
  const access = request.method === 'DELETE' ? 'revoke' : 'grant';
  return { operation: isAccess ? access : 'time', names: [], permission: 0 };
};

const toExchange = (request: IncomingMessage, response: ServerResponse): Exchange => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://service.invalid');
  const path = pathname.replace(/^.*?(?=\/(?:v\d|publish|time|_control)(?:\/|$))/, '');
  return { request, response, parts: path.slice(1).split('/'), query: searchParams };
};

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((listening) => {
    server.listen(port, '127.0.0.1', () => listening((server.address() as AddressInfo).port));
  });

const stop = (server: Server): Promise<void> =>
  new Promise((closed) => {
    server.close(() => closed());
    server.closeAllConnections();
  });

/** `POST /_control` with `{operation, fault, times}`, `{heal: true}` or `{tokens: "expire"}`. */
const control = async (
  exchange: Exchange,
  { faults, access, log }: Pick<PubnubEndpoint, 'faults' | 'access' | 'log'>,
): Promise<void> => {
  const order = JSON.parse(await readBody(exchange)) as {
    readonly operation?: Operation;
    readonly fault?: string;
    readonly times?: number;
    readonly heal?: boolean;
    readonly tokens?: 'expire' | 'revoke';
    readonly write?: { readonly channel: string; readonly texts: readonly string[] };
  };
  const fault = NAMED_FAULTS[order.fault ?? ''];
  if (order.heal) faults.heal();
  if (order.tokens === 'expire') access.expireAll();
  if (order.tokens === 'revoke') access.revokeAll();
  if (order.operation && fault) faults.break(order.operation, fault, order.times);
  for (const text of order.write?.texts ?? []) {
    log.append(order.write?.channel ?? '', 'u_elsewhere', { text });
  }
  answer(exchange, { done: true });
};

export const startPubnubEndpoint = async (
  options: PubnubEndpointOptions = {},
): Promise<PubnubEndpoint> => {
  const log = new ChannelLog();
  const access = new AccessManager();
  const faults = new Faults();
  const asked: Asked[] = [];

  const keyset: Keyset = { ...KEYSET_DEFAULT, ...options };

  /**
   * The reason why a request is refused; undefined if it is allowed. The result writes the
   * response.
   */
  const findRefusal = (
    exchange: Exchange,
    { operation, names, permission }: Route,
  ): (() => void) | undefined => {
    if (!isOfKeyset(keyset, exchange.parts)) return () => answerWrongKey(exchange);
    const { query } = exchange;
    const refusal =
      keyset.needsToken && names.length > 0
        ? access.check(query.get('auth'), query.get('uuid') ?? '', names, permission)
        : undefined;
    if (refusal) return () => answerRefusal(exchange, refusal);
    const isHistory = operation === 'history' || operation === 'counts';
    return isHistory && !keyset.persists
      ? () => answerText(exchange, RECORDED_REFUSALS.noPersistence)
      : undefined;
  };

  /** Performs a request; the result writes the response. */
  const serve = async (exchange: Exchange, { operation, names }: Route): Promise<() => void> => {
    if (operation === 'publish') return publish(log, keyset, names[0] ?? '', exchange);
    if (operation === 'grant' || operation === 'revoke') {
      return serveAccess(access, keyset, exchange, await readBody(exchange));
    }
    if (operation === 'history') return () => serveHistory(log, names, exchange);
    if (operation === 'counts') return () => serveCounts(log, names, exchange);
    // RECORDED_SERVER.time: one number in a list.
    if (operation === 'time') return () => answer(exchange, [Number(log.now())]);
    return () => serveSubscribe(log, keyset, names, exchange);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const exchange = toExchange(request, response);
    if (request.method === 'OPTIONS') {
      response.writeHead(204, OPEN_TO_ALL).end();
      return;
    }
    if (exchange.parts[0] === '_control') {
      await control(exchange, { faults, access, log });
      return;
    }
    const route = toRoute(exchange);
    const { operation, names } = route;
    asked.push({ operation, method: request.method ?? '', url: request.url ?? '' });
    const run = async (): Promise<() => void> =>
      findRefusal(exchange, route) ?? serve(exchange, route);
    const fault = faults.take(operation, names);
    if (fault === undefined) (await run())();
    else await fault(exchange, run);
  };

  const create = (): Server =>
    createServer({ maxHeaderSize: HEADER_BYTES_MAX }, (request, response) => {
      void handle(request, response);
    });
  let server = create();
  const port = await listen(server, options.port ?? 0);
  return {
    origin: `127.0.0.1:${port}`,
    log,
    access,
    faults,
    asked,
    restart: async () => {
      await stop(server);
      server = create();
      await listen(server, port);
    },
    close: () => stop(server),
  };
};
