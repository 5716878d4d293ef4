import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** The faults of a request in transit. */
export type WireFault =
  /**
   * The connection breaks before the server receives anything. Idle connections are closed: a
   * browser repeats a GET at once on each of them.
   */
  | { readonly kind: 'refuse' }
  /** The server is not called; an intermediary answers. */
  | { readonly kind: 'status'; readonly status: number }
  /** A network's sign-in page: HTML with 200. */
  | { readonly kind: 'portal' }
  /** An intermediary answers with this script. */
  | { readonly kind: 'script'; readonly text: string }
  /** The server processes it, and the connection closes before the first byte of the response. */
  | { readonly kind: 'swallow' }
  /** The server processes it, and its response never arrives. */
  | { readonly kind: 'mute' }
  /** Status and headers arrive, the rest never does. */
  | { readonly kind: 'stall' }
  | { readonly kind: 'cut'; readonly bytes: number }
  | { readonly kind: 'delay'; readonly ms: number }
  /** The server receives it twice; the first response is passed on. */
  | { readonly kind: 'duplicate' };

export interface SeenRequest {
  /** ms since the epoch */
  readonly at: number;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
}

interface Rule {
  readonly path: RegExp;
  readonly fault: WireFault;
  left: number;
}

/** A network between browsers and the server that fails as the test decides. */
export interface FaultProxy {
  /** `http://localhost:{port}` */
  readonly address: string;
  readonly requests: readonly SeenRequest[];
  /** From now on routes everything to this server. */
  aim(address: string): void;
  /**
   * From now on fails requests with a matching path in this way, `times` of them; returns a
   * function that ends it.
   */
  break(path: RegExp, fault: WireFault, times?: number): () => void;
  /** Ends all faults. */
  heal(): void;
  /** Number of open event streams. */
  countStreams(): number;
  /** Open streams stay open but deliver no more data. */
  freezeStreams(): void;
  close(): Promise<void>;
}

const PORTAL = '<!doctype html><title>Welcome to the venue</title><h1>Please sign in</h1>';

const readBody = async (incoming: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** Forwards a request; undefined if the server is down. */
const forward = (
  target: string,
  incoming: IncomingMessage,
  answer: ServerResponse,
  body: Buffer,
): Promise<IncomingMessage | undefined> =>
  new Promise((resolve) => {
    const { method, headers, url = '/' } = incoming;
    const outgoing = request(`${target}${url}`, { method, headers, agent: false }, resolve);
    outgoing.once('error', () => resolve(undefined));
    answer.once('close', () => outgoing.destroy());
    outgoing.end(body);
  });

const answerInstead = (fault: WireFault, incoming: IncomingMessage, answer: ServerResponse) => {
  if (fault.kind === 'status') {
    answer.writeHead(fault.status, { 'content-type': 'application/json' });
    answer.end(JSON.stringify({ error: 'Broken on purpose.' }));
  } else if (fault.kind === 'portal') {
    answer.writeHead(200, { 'content-type': 'text/html' });
    answer.end(PORTAL);
  } else if (fault.kind === 'script') {
    answer.writeHead(200, { 'content-type': 'text/javascript' });
    answer.end(fault.text);
  } else incoming.socket.destroy();
};

const isAnsweredInstead = ({ kind }: WireFault): boolean =>
  ['status', 'portal', 'script', 'refuse'].includes(kind);

/** Forwards a response until `bytes` of it are sent, then breaks the connection. */
const passCut = (upstream: IncomingMessage, answer: ServerResponse, bytes: number): void => {
  let left = bytes;
  upstream.on('data', (chunk: Buffer) => {
    if (left <= 0) return;
    const part = chunk.subarray(0, left);
    left -= part.length;
    answer.write(part, () => {
      if (left <= 0) answer.destroy();
    });
  });
  upstream.once('end', () => answer.end());
};

/** Forwards responses and tracks event streams. */
class Wire {
  readonly streams = new Map<ServerResponse, IncomingMessage>();

  pass(upstream: IncomingMessage, answer: ServerResponse, fault: WireFault | undefined): void {
    answer.writeHead(upstream.statusCode ?? 502, upstream.headers);
    if (fault?.kind === 'stall') {
      answer.flushHeaders();
      upstream.resume();
      return;
    }
    if (fault?.kind === 'cut') passCut(upstream, answer, fault.bytes);
    else {
      upstream.pipe(answer);
      upstream.once('error', () => answer.destroy());
    }
    if (upstream.headers['content-type']?.startsWith('text/event-stream') !== true) return;
    this.streams.set(answer, upstream);
    answer.once('close', () => this.streams.delete(answer));
  }
}

export const startFaultProxy = async (): Promise<FaultProxy> => {
  const wire = new Wire();
  const requests: SeenRequest[] = [];
  let rules: Rule[] = [];
  let target = '';

  const findFault = (path: string): WireFault | undefined => {
    const rule = rules.find((candidate) => candidate.left > 0 && candidate.path.test(path));
    if (rule !== undefined) rule.left -= 1;
    return rule?.fault;
  };
  const handle = async (incoming: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const path = incoming.url ?? '/';
    requests.push({ at: Date.now(), method: incoming.method ?? '', path });
    const fault = findFault(path);
    const body = await readBody(incoming);
    if (fault !== undefined && isAnsweredInstead(fault)) {
      answerInstead(fault, incoming, answer);
      return;
    }
    if (fault?.kind === 'delay') await pause(fault.ms);
    const upstream = await forward(target, incoming, answer, body);
    if (fault?.kind === 'duplicate') (await forward(target, incoming, answer, body))?.resume();
    if (upstream === undefined) incoming.socket.destroy();
    else if (fault?.kind === 'mute' || fault?.kind === 'swallow') {
      upstream.resume();
      if (fault.kind === 'swallow') incoming.socket.destroy();
    } else wire.pass(upstream, answer, fault);
  };

  const server = createServer((incoming, answer) => {
    handle(incoming, answer).catch(() => answer.destroy());
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  return {
    address: `http://localhost:${(server.address() as AddressInfo).port}`,
    requests,
    aim: (address) => {
      target = address;
    },
    break: (path, fault, times = Infinity) => {
      const rule = { path, fault, left: times };
      rules.push(rule);
      if (fault.kind === 'refuse') server.closeIdleConnections();
      return () => {
        rules = rules.filter((other) => other !== rule);
      };
    },
    heal: () => {
      rules = [];
    },
    countStreams: () => wire.streams.size,
    freezeStreams: () => {
      for (const [answer, upstream] of wire.streams) {
        upstream.unpipe(answer);
        upstream.resume();
      }
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
};
