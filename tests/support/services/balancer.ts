import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A balancer in front of several servers: requests go to them in turn. */
export interface Balancer {
  readonly port: number;
  /** `http://localhost:{port}` */
  readonly address: string;
  /** Requests answered by each server, by its address. */
  readonly answered: ReadonlyMap<string, number>;
  /** Number of requests that it answered with 502 itself, because their server died meanwhile. */
  countLost(): number;
  /** From now on routes everything to these servers. */
  aim(addresses: readonly string[]): void;
  close(): Promise<void>;
}

const readBody = async (incoming: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

type Outcome = 'answered' | 'refused' | 'died';

/** Forwards a request; `refused`: the server is down, so nothing was processed. */
const pass = (
  target: string,
  incoming: IncomingMessage,
  answer: ServerResponse,
  body: Buffer,
): Promise<Outcome> =>
  new Promise((resolve) => {
    const { method, headers, url = '/' } = incoming;
    const outgoing = request(`${target}${url}`, { method, headers, agent: false }, (received) => {
      answer.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(answer);
      received.once('error', () => answer.destroy());
      received.once('end', () => resolve('answered'));
      received.once('close', () => resolve('died'));
    });
    outgoing.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'died');
    });
    outgoing.end(body);
  });

const isRepeatable = ({ method }: IncomingMessage): boolean =>
  method === 'GET' || method === 'HEAD';

/**
 * Like common balancers: a server that refuses the connection is skipped; one that dies during a
 * request causes a 502 unless the request may be repeated.
 */
export const startBalancer = async (): Promise<Balancer> => {
  let targets: readonly string[] = [];
  let turn = 0;
  let lost = 0;
  const answered = new Map<string, number>();
  const serve = async (incoming: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const body = await readBody(incoming);
    turn += 1;
    const inTurn = targets.map((_, index) => targets[(turn + index) % targets.length] ?? '');
    for (const target of inTurn) {
      const outcome = await pass(target, incoming, answer, body);
      if (outcome === 'answered') answered.set(target, (answered.get(target) ?? 0) + 1);
      if (outcome === 'answered' || answer.headersSent) return;
      if (outcome === 'died' && !isRepeatable(incoming)) break;
    }
    lost += 1;
    answer.writeHead(502, { 'content-type': 'application/json' }).end('{"error":"Bad gateway"}');
  };
  const server = createServer((incoming, answer) => {
    serve(incoming, answer).catch(() => answer.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    address: `http://localhost:${port}`,
    answered,
    countLost: () => lost,
    aim: (addresses) => (targets = addresses),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
