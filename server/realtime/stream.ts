import type { ServerResponse } from 'node:http';

import { STREAM_HEARTBEAT_MS } from '#domain/limits.ts';
import type { Timetoken } from '#domain/timetoken.ts';

import { toScope } from './access.ts';
import type { Hub } from './hub.ts';
import { createOpenStreams, type OpenStreams } from './open-streams.ts';
import type { Bearer } from './token.ts';

/** Headers for proxies, which must not buffer, change or cache the stream. */
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
} as const;

export interface Streams extends Pick<
  OpenStreams,
  'admit' | 'count' | 'endSession' | 'notifyUser' | 'notifyStaff'
> {
  /** Answers a request with a stream that ends with its token or its session. */
  open(outgoing: ServerResponse, bearer: Bearer, cursor: Timetoken | undefined): void;
}

/**
 * Streams write to Node's response directly: a web stream per subscriber costs several times
 * the memory and the time, and hides whether the client keeps up.
 */
export const createStreams = (hub: Hub): Streams => {
  const streams = createOpenStreams(Date.now);
  return {
    ...streams,
    open: (outgoing, bearer, cursor) => {
      outgoing.writeHead(200, HEADERS);
      outgoing.flushHeaders();
      const subscription = hub.open(toScope(bearer), cursor, {
        write: (frame) => outgoing.write(frame),
        end: (stalled) => (stalled ? outgoing.destroy() : outgoing.end()),
      });
      const beats = setInterval(() => subscription.beat(), STREAM_HEARTBEAT_MS);
      const expiry = setTimeout(() => subscription.close(), bearer.expires - Date.now());
      const forget = streams.add(bearer, {
        end: () => subscription.close(),
        notify: (log, frame) => subscription.notify(log, frame),
      });
      outgoing.on('drain', () => subscription.drained());
      outgoing.on('error', () => subscription.close());
      outgoing.once('close', () => {
        clearInterval(beats);
        clearTimeout(expiry);
        forget();
        subscription.close();
      });
    },
  };
};
