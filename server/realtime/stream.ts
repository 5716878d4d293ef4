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

const CRLF = '\r\n';

/** Turns frames into chunks (RFC 9112 §7.1), the same frame for many streams once. */
const createChunker = () => {
  let last: { readonly frame: Buffer; readonly chunk: Buffer } | undefined;
  return (frame: Buffer): Buffer => {
    if (last?.frame === frame) return last.chunk;
    const head = Buffer.from(frame.length.toString(16) + CRLF);
    const chunk = Buffer.concat([head, frame, Buffer.from(CRLF)]);
    last = { frame, chunk };
    return chunk;
  };
};

/**
 * Streams write to the connection directly: a web stream per subscriber costs several times the
 * memory and the time, and hides whether the client keeps up. Node's response writes each chunk in
 * three parts and keeps what they need until the next turn: with 5,000 streams, 100 MB and a third
 * of the time of a delivery.
 */
export const createStreams = (hub: Hub): Streams => {
  const streams = createOpenStreams(Date.now);
  const toChunk = createChunker();
  return {
    ...streams,
    open: (outgoing, bearer, cursor) => {
      const { socket } = outgoing.req;
      outgoing.writeHead(200, HEADERS);
      outgoing.flushHeaders();
      const subscription = hub.open(toScope(bearer), cursor, {
        // HTTP/1.0 has no chunks.
        write: (frame) =>
          outgoing.chunkedEncoding ? socket.write(toChunk(frame)) : outgoing.write(frame),
        end: (stalled) => (stalled ? outgoing.destroy() : outgoing.end()),
      });
      const beats = setInterval(() => subscription.beat(), STREAM_HEARTBEAT_MS);
      const expiry = setTimeout(() => subscription.close(), bearer.expires - Date.now());
      const forget = streams.add(bearer, {
        end: () => subscription.close(),
        notify: (log, frame) => subscription.notify(log, frame),
      });
      const drained = (): void => subscription.drained();
      outgoing.on('drain', drained);
      socket.on('drain', drained);
      outgoing.on('error', () => subscription.close());
      outgoing.once('close', () => {
        clearInterval(beats);
        clearTimeout(expiry);
        socket.off('drain', drained);
        forget();
        subscription.close();
      });
    },
  };
};
