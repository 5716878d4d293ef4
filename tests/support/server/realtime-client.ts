import { EventSourceParserStream } from 'eventsource-parser/stream';
import { v7 } from 'uuid';

import { createTokens } from '#server/realtime/token.ts';
import { findSecret } from '#server/kernel/secret.ts';

import { waitFor } from '../wait-for.ts';
import { type Answer, send, type Send } from './web-client.ts';

const HOUR_MS = 3_600_000;

export interface WireMessage {
  readonly id: string;
  readonly text: string;
}
export interface Entry {
  readonly channel: string;
  readonly timetoken: string;
  readonly publisher: string;
  readonly message: WireMessage;
}

/** One open stream with everything it delivered. */
export interface EventStream {
  readonly status: number;
  readonly headers: Headers;
  /** Cursors of the beats so far. */
  readonly beats: readonly string[];
  readonly entries: readonly Entry[];
  /** Positions of the user log and of the staff log, one per wake-up. */
  readonly own: readonly string[];
  readonly staff: readonly string[];
  /** Entries per event. */
  readonly sizes: readonly number[];
  readonly isEnded: () => boolean;
  until(what: string, check: (stream: EventStream) => boolean): Promise<void>;
  stop(): void;
}

/** A holder of an access token, directly on the wire. */
export interface RealtimeClient {
  send(path: string, options?: Send): Promise<Answer>;
  publish(channel: string, message: unknown): Promise<Answer>;
  history(query: Readonly<Record<string, string>>): Promise<readonly Entry[]>;
  stream(cursor?: string): Promise<EventStream>;
}

export const toMessage = (text: string, id: string = v7()) => ({
  text,
  clientName: 'Replay Desk',
  clientAvatar: '',
  id,
});

const openStream = async (
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<EventStream> => {
  const stop = new AbortController();
  const response = await fetch(url, { headers, signal: stop.signal });
  const beats: string[] = [];
  const entries: Entry[] = [];
  const own: string[] = [];
  const staff: string[] = [];
  const sizes: number[] = [];
  let ended = false;
  const read = async (): Promise<void> => {
    const events = response
      .body!.pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream());
    for await (const { event, data } of events) {
      const value = JSON.parse(data) as { cursor: string; timetoken: string; entries: Entry[] };
      if (event === 'beat') beats.push(value.cursor);
      else if (event === 'own') own.push(value.timetoken);
      else if (event === 'staff') staff.push(value.timetoken);
      else {
        entries.push(...value.entries);
        sizes.push(value.entries.length);
      }
    }
  };
  void read()
    .catch(() => undefined)
    .finally(() => (ended = true));
  const stream: EventStream = {
    status: response.status,
    headers: response.headers,
    beats,
    entries,
    own,
    staff,
    sizes,
    isEnded: () => ended,
    until: (what, check) => waitFor(what, () => check(stream)),
    stop: () => stop.abort(),
  };
  return stream;
};

/** A client of the engine with the given token. */
export const createRealtimeClient = (port: number, token: string): RealtimeClient => {
  const base = '/api/realtime';
  const authorization = { authorization: `Bearer ${token}` };
  const ask: RealtimeClient['send'] = (path, options = {}) =>
    send(port, `${base}/${path}`, {
      ...options,
      headers: { ...authorization, ...options.headers },
    });
  return {
    send: ask,
    publish: (channel, message) =>
      ask('publish', { method: 'POST', body: JSON.stringify({ channel, message }) }),
    history: async (query) => {
      const answer = await ask(`history?${new URLSearchParams(query).toString()}`);
      if (answer.status !== 200) throw new Error(answer.text);
      return answer.json()['entries'] as Entry[];
    },
    stream: (cursor) =>
      openStream(
        `http://127.0.0.1:${port}${base}/stream${cursor === undefined ? '' : `?cursor=${cursor}`}`,
        authorization,
      ),
  };
};

/** Tokens like those of the server, from its data folder's secret or the given one. */
export const createTestTokens = (dataDir: string, now?: () => number, authSecret?: string) => {
  const secret = findSecret({ authSecret, dataDir });
  if (secret === undefined) throw new Error(`no secret in ${dataDir}`);
  const tokens = createTokens(secret, now);
  return {
    staff: (uid = 'u_producer', sid = 'a-session') => {
      const expires = (now?.() ?? Date.now()) + HOUR_MS;
      return tokens.forStaff({ uid, sid, expires }).token;
    },
    client: (clientId: string) => tokens.forClient(clientId).token,
  };
};
