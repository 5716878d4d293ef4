import { randomUUID } from 'node:crypto';

import type { MiddlewareHandler } from 'hono';

import type { ServerEnv } from './answers.ts';
import type { Log } from '../kernel/log.ts';

/** Names the request, in the answer's `x-request-id` and in every line about it. */
export const nameRequests: MiddlewareHandler<ServerEnv> = async (c, next) => {
  const requestId = randomUUID();
  c.set('requestId', requestId);
  // On Node's own answer, which streams and files keep, too.
  c.env.outgoing.setHeader('x-request-id', requestId);
  await next();
};

/**
 * One line per answer: method, path without its query, status, ms. 500 is a fault of this server
 * (level 50); 502, 503 and 504 say that something else failed, or that this server is stopping (40).
 */
export const logRequests =
  (log: Log): MiddlewareHandler<ServerEnv> =>
  async (c, next) => {
    const begin = performance.now();
    await next();
    const fields = {
      requestId: c.get('requestId'),
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      ms: Math.round(performance.now() - begin),
    };
    if (c.res.status === 500) log.error(fields, 'request');
    else if (c.res.status > 500) log.warn(fields, 'request');
    else log.debug(fields, 'request');
  };
