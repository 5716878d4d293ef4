import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as the product API received it. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A product API with answers set by the test. */
export interface ProductApi {
  readonly url: string;
  readonly received: Received[];
  /** Answers with this from now on; the default is 404. */
  answer: RequestListener;
  close(): Promise<void>;
}

export const startProductApi = async (): Promise<ProductApi> => {
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.once('end', () => {
      const { method = '', url = '', headers } = incoming;
      api.received.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      api.answer(incoming, outgoing);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const api: ProductApi = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received: [],
    answer: (_incoming, outgoing) => outgoing.writeHead(404).end(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return api;
};

/** A JSON answer. */
export const answerJson =
  (value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_incoming, outgoing) => {
    outgoing.writeHead(status, { 'content-type': 'application/json', ...headers });
    outgoing.end(typeof value === 'string' ? value : JSON.stringify(value));
  };
