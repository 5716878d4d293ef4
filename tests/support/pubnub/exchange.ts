import type { IncomingMessage, ServerResponse } from 'node:http';

import { QUOTED, type Recorded, UNQUOTED } from './recorded.ts';

/** One parsed request. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Decoded segments of the path after an origin's prefix. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

/**
 * Any page may call the service: the headers recorded with the responses in `recorded.ts`. There is
 * no recorded preflight: it allows the requests of the service's own SDK from a page.
 */
export const OPEN_TO_ALL = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  'access-control-allow-headers':
    'Origin, X-Requested-With, Content-Type, Accept, Content-Encoding, Accept-Encoding',
  'access-control-expose-headers': '*',
  'access-control-max-age': '600',
  'cache-control': 'no-cache',
} as const;

export const answerText = (
  { response }: Pick<Exchange, 'response'>,
  { status, type, body }: Omit<Recorded, 'source'>,
): void => {
  response.writeHead(status, { ...OPEN_TO_ALL, 'content-type': type });
  response.end(body);
};

/** Responds like `time`, `publish`, `subscribe` and the history. */
export const answer = (
  exchange: Pick<Exchange, 'response'>,
  value: unknown,
  status = 200,
  type: string = QUOTED,
): void => answerText(exchange, { status, type, body: JSON.stringify(value) });

/** Responds like the Access Manager to its own requests. */
export const answerAccess = (
  exchange: Pick<Exchange, 'response'>,
  value: object,
  status: number,
): void => answer(exchange, value, status, UNQUOTED);

export const toNames = (part = ''): readonly string[] =>
  part.split(',').map((name) => decodeURIComponent(name));
