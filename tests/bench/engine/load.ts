import { connect, type Socket } from 'node:net';

import { v7 } from 'uuid';

/**
 * A load generator with a low cost: bare sockets, and no parser except for the marks in the texts.
 * Loopback only; its callers limit count and time.
 */

const HOST = '127.0.0.1';
/** Marks in a text: the time of sending (ms, performance.now) is between two of these. */
const MARK = '~';

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, HOST, () => resolve(socket.setNoDelay(true)));
    socket.once('error', reject);
  });

/** Subscribers of all rooms that record how long each message took to arrive. */
export interface Crowd {
  /** ms from publish to arrival, one for each message and subscriber. */
  readonly delays: number[];
  readonly connected: () => number;
  close(): void;
}

const AT_ONCE = 200;

/** `tokens` are used in turn. */
export const openCrowd = async (
  port: number,
  tokens: readonly string[],
  size: number,
): Promise<Crowd> => {
  const delays: number[] = [];
  const sockets: Socket[] = [];
  let connected = 0;
  let joined = 0;
  const join = async (): Promise<void> => {
    const token = tokens[joined % tokens.length];
    joined += 1;
    const socket = await open(port);
    sockets.push(socket);
    socket.on('error', () => socket.destroy());
    let rest = '';
    let greeted = false;
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.on('close', () => {
      if (greeted) connected -= 1;
      resolve();
    });
    socket.on('data', (chunk: Buffer) => {
      const text = rest + chunk.toString('latin1');
      if (!greeted && text.includes('event: beat')) {
        greeted = true;
        connected += 1;
        resolve();
      }
      const now = performance.now();
      let end = 0;
      for (;;) {
        const from = text.indexOf(MARK, end);
        const to = from === -1 ? -1 : text.indexOf(MARK, from + 1);
        if (to === -1) break;
        delays.push(now - Number(text.slice(from + 1, to)));
        end = to + 1;
      }
      const open = text.indexOf(MARK, end);
      rest = open === -1 ? text.slice(Math.max(end, text.length - 16)) : text.slice(open);
    });
    socket.write(
      `GET /api/realtime/stream HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
    await promise;
  };
  for (let left = size; left > 0; left -= AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, left) }, join));
  }
  return {
    delays,
    connected: () => connected,
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
};

/** One connection that publishes one message after the other. */
export interface Publisher {
  /** Resolves with the timetoken; undefined once the connection is gone or refused. */
  publish(channel: string, text: string, id?: string): Promise<string | undefined>;
  close(): void;
}

export const toMarked = (): string => `${MARK}${performance.now().toFixed(3)}${MARK} ball in play`;

/** `tokens` are used in turn, so that equal publishers send their nth message as the same user. */
export const openPublisher = async (
  port: number,
  tokens: readonly string[],
): Promise<Publisher> => {
  const socket = await open(port);
  let settle: ((timetoken: string | undefined) => void) | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let text = '';
  let sent = 0;
  const give = (timetoken: string | undefined): void => {
    const waiting = settle;
    settle = undefined;
    text = '';
    waiting?.(timetoken);
  };
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    const found = /"timetoken":"(\d{17})"/.exec(text);
    if (found) give(found[1]);
    else if (text.includes('"error"')) give(undefined);
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => give(undefined));
  const publish = (channel: string, words: string, id: string): Promise<string | undefined> =>
    new Promise((resolve) => {
      if (socket.destroyed) {
        resolve(undefined);
        return;
      }
      settle = resolve;
      const token = tokens[sent % tokens.length];
      sent += 1;
      const message = { text: words, clientName: 'Bench', clientAvatar: '', id };
      const body = JSON.stringify({ channel, message });
      socket.write(
        `POST /api/realtime/publish HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
    });
  return {
    publish: (channel, words, id = v7()) => {
      const answer = last.then(() => publish(channel, words, id));
      last = answer;
      return answer;
    },
    close: () => socket.destroy(),
  };
};
