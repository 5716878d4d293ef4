import type { ServerResponse } from 'node:http';

import { expect } from 'vitest';

import type { AppError } from '#domain/errors.ts';
import type { Realtime, StreamSignal } from '#domain/ports/network.ts';
import { ok, type Result } from '#domain/result.ts';
import { createEmbeddedRealtime } from '#src/adapters/embedded/embedded-realtime.ts';
import { createTokenSource } from '#src/adapters/realtime/token.ts';
import {
  createKeepingFetch,
  type ScriptedEndpoint,
  sendEvents,
  sendJson,
  startScriptedEndpoint,
} from '#tests/support/services/scripted-endpoint.ts';
import { recordSignals } from '#tests/support/signal-recorder.ts';
import { TEST_MS_MAX } from '#tests/support/wait-for.ts';

import type { WireFault } from './wire-faults.ts';

export const HOUR_MS = 3_600_000;
const START_MS = 1_800_000_000_000;
/** Time after which a request ends that a test expects to time out, ms. */
export const SHORT_TIMEOUT_MS = 2000;

/** The embedded adapter with an endpoint that answers as the test decides. */
export interface ScriptedEngine {
  readonly endpoint: ScriptedEndpoint;
  readonly realtime: Realtime;
  /** Codes of the log lines so far. */
  readonly logged: readonly string[];
  /** Moves the device's clock. */
  advance(ms: number): void;
  /** From now on requests time out soon; until then only when the test would hang. */
  shortenTimeout(): void;
  /** Answers a path with a fault, and shortens the timeout if that must end the request. */
  break(path: string, fault: WireFault): void;
  /** Token requests succeed again, with a token for `uid`. */
  healToken(uid?: string): void;
  /** Holds answers with a token until the returned function is called. */
  holdToken(): () => void;
  /** The user whose store is open from now on. */
  openFor(uid: string): void;
  /** The server's template from now on; the adapter knows the one of the start. */
  serveTemplate(template: string): void;
  /** The response of the next stream, once that is requested; its headers are sent. */
  holdStream(): Promise<ServerResponse>;
  countTokens(): number;
}

export const startScriptedEngine = async (
  template: Result<string, AppError> = ok('chat.{cid}.{rid}'),
): Promise<ScriptedEngine> => {
  const endpoint = await startScriptedEndpoint();
  const logged: string[] = [];
  let now = START_MS;
  let opened: string | undefined;
  let [known, served] = [template, template];
  const sendToken = (uid?: string) =>
    sendJson({ token: 'secret', expires: START_MS + HOUR_MS, uid });
  const healToken = (uid?: string) => endpoint.on('/api/realtime/token', sendToken(uid));
  const holdToken = () => {
    const held = Promise.withResolvers<void>();
    endpoint.on('/api/realtime/token', async (request, response) => {
      await held.promise;
      await sendToken()(request, response);
    });
    return () => held.resolve();
  };
  healToken();
  const web = { origin: endpoint.origin, fetch: createKeepingFetch(), timeoutMs: TEST_MS_MAX };
  const shortenTimeout = () => {
    web.timeoutMs = SHORT_TIMEOUT_MS;
  };
  const realtime = createEmbeddedRealtime({
    web,
    tokens: createTokenSource(web, { now: () => now }, () => opened),
    log: { write: (_level, code) => void logged.push(code) },
    findTemplate: (isSuspect) => {
      if (isSuspect) known = served;
      return Promise.resolve(known);
    },
  });
  return {
    endpoint,
    realtime,
    logged,
    advance: (ms) => {
      now += ms;
    },
    shortenTimeout,
    break: (path, [handler, error]) => {
      endpoint.on(path, handler);
      if (error.kind === 'timeout') shortenTimeout();
    },
    healToken,
    holdToken,
    openFor: (uid) => {
      opened = uid;
    },
    serveTemplate: (next) => {
      served = ok(next);
    },
    holdStream: () =>
      new Promise((resolve) => {
        endpoint.on('/api/realtime/stream', (_request, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          resolve(response);
        });
      }),
    countTokens: () =>
      endpoint.requests.filter((line) => line === 'GET /api/realtime/token').length,
  };
};

/** An entry as the engine sends it, with fields overridden by the test. */
export const toWireEntry = (ticks: number, over: object = {}) => ({
  channel: 'chat.c_001.team',
  timetoken: `${ticks}`.padStart(17, '0'),
  publisher: 'u_1',
  message: { text: `text ${ticks}` },
  ...over,
});

/** A server-sent event; a string is sent as raw data. */
export const toEvent = (event: string, data: unknown): string =>
  `event: ${event}\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

/** How many parts an event arrives in is up to the network. */
export const isWhole = ({ type }: StreamSignal): boolean => type !== 'progress';

/** All signals of a stream that serves these pieces and then ends. */
export const readPieces = async (
  { endpoint, realtime }: ScriptedEngine,
  pieces: readonly (string | Uint8Array)[],
): Promise<readonly StreamSignal[]> => {
  endpoint.on('/api/realtime/stream', sendEvents(pieces, 'end'));
  const stream = recordSignals(realtime);
  expect(await stream.untilEnded()).toEqual({ kind: 'unreachable' });
  return stream.signals.slice(0, -1).filter(isWhole);
};

/** The texts of the entries, and the types of all other signals. */
export const toSignalTexts = (signals: readonly StreamSignal[]): readonly unknown[] =>
  signals.flatMap((signal) =>
    signal.type === 'entries'
      ? signal.entries.map(({ message }) => (message as { text: string }).text)
      : [signal.type],
  );
