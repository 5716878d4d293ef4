import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request, taken apart. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Decoded segments of the path after an origin's prefix. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

/** Any page may call the service. */
export const OPEN_TO_ALL = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  'access-control-allow-headers': 'content-type, content-encoding, accept-encoding',
  'access-control-max-age': '600',
} as const;

/** The service labels most of its JSON as a script. */
export const SCRIPT = 'text/javascript; charset="UTF-8"';
const JSON_TYPE = 'application/json';

/** Answers with JSON. */
export const answer = (
  { response }: Pick<Exchange, 'response'>,
  value: unknown,
  status = 200,
  type = JSON_TYPE,
): void => {
  response.writeHead(status, { ...OPEN_TO_ALL, 'content-type': type });
  response.end(JSON.stringify(value));
};

export const toNames = (part = ''): readonly string[] =>
  part.split(',').map((name) => decodeURIComponent(name));
