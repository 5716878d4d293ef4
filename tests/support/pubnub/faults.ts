import { answer, answerText, type Exchange, OPEN_TO_ALL } from './exchange.ts';
import { QUOTED, type Recorded, UNQUOTED } from './recorded.ts';
import { RECORDED_REFUSALS } from './recorded-refusals.ts';

/** The operation of a request. */
export type Operation =
  | 'handshake'
  | 'poll'
  | 'publish'
  | 'history'
  | 'counts'
  | 'grant'
  | 'revoke'
  | 'time';

/** How a request fails. `serve` performs the request; its result writes the response. */
export type Fault = (exchange: Exchange, serve: () => Promise<() => void>) => Promise<void> | void;

/** Answers like the recorded service. */
export const answerRecorded =
  (recorded: Recorded): Fault =>
  (exchange) =>
    answerText(exchange, recorded);

/** Refuses with a status, with the service's text. */
export const refuseWith =
  (status: number, words: object = {}, headers: Readonly<Record<string, string>> = {}): Fault =>
  ({ response }) => {
    response.writeHead(status, { ...OPEN_TO_ALL, 'content-type': UNQUOTED, ...headers });
    response.end(`${JSON.stringify({ ...words, error: true, status })}\n`);
  };

/** Answers with this text. */
export const answerWith =
  (text: string, type: string | undefined = QUOTED, status = 200): Fault =>
  ({ response }) => {
    response.writeHead(status, { ...OPEN_TO_ALL, ...(type && { 'content-type': type }) });
    response.end(text);
  };

/** The page of a captive portal. */
export const portal = (status = 200): Fault =>
  answerWith('<!doctype html><title>Sign in to this network</title>', 'text/html', status);

/** No answer. */
export const mute: Fault = () => undefined;

/** Cuts the connection. */
export const reset: Fault = ({ request }) => {
  request.socket.destroy();
};

/**
 * The service processes the request, and the connection is cut in the middle of the response:
 * before its first byte, a browser may repeat the request by itself.
 */
export const swallow: Fault = async ({ request, response }, serve) => {
  await serve();
  response.writeHead(200, { ...OPEN_TO_ALL, 'content-type': QUOTED, 'content-length': '64' });
  response.write('[1,', () => request.socket.destroy());
};

/** The beginning of a response, and nothing more. */
export const stall: Fault = ({ response }) => {
  response.writeHead(200, { ...OPEN_TO_ALL, 'content-type': QUOTED, 'content-length': '4096' });
  response.write('{"t":{"t":"1');
};

/** The headers of a response, and nothing more. */
export const hold: Fault = ({ response }) => {
  response.writeHead(200, { ...OPEN_TO_ALL, 'content-type': QUOTED });
  response.flushHeaders();
};

/** Faults by name, for control from another process. */
export const NAMED_FAULTS: Readonly<Record<string, Fault>> = {
  hold,
  mute,
  portal: portal(),
  reset,
  stall,
  swallow,
  malformed: answerWith('{"t":'),
  refuse403: answerRecorded(RECORDED_REFUSALS.endedToken),
  limit429: refuseWith(429, { message: 'Too many requests.' }, { 'retry-after': '1' }),
  fail503: (exchange) => answer(exchange, { message: 'Unavailable' }, 503),
};

interface Rule {
  readonly operation: Operation;
  readonly fault: Fault;
  /** Undefined for all. */
  readonly channel: string | undefined;
  left: number;
}

/** The current faults. */
export class Faults {
  readonly #rules: Rule[] = [];

  /**
   * Requests for `operation` fail from now on, `times` of them; with `channel`, only those for it.
   */
  break(operation: Operation, fault: Fault, times = Infinity, channel?: string): void {
    this.#rules.unshift({ operation, fault, channel, left: times });
  }

  heal(): void {
    this.#rules.length = 0;
  }

  take(operation: Operation, names: readonly string[]): Fault | undefined {
    const rule = this.#rules.find(
      ({ channel, left, ...rule }) =>
        rule.operation === operation &&
        left > 0 &&
        (channel === undefined || names.includes(channel)),
    );
    if (rule !== undefined) rule.left -= 1;
    return rule?.fault;
  }
}
