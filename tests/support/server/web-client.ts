import { request as requestHttp } from 'node:http';
import { connect } from 'node:net';

import { csrfAnswerSchema } from '#domain/schemas/session.ts';

/** A response read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body as JSON; throws if it is not JSON. */
  json(): Record<string, unknown>;
}

export interface Send {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Closes the connection. */
  readonly signal?: AbortSignal;
}

/** One request with the path exactly as written: dots are not resolved, bytes are not encoded. */
export const send = (port: number, path: string, options: Send = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body, signal } = options;
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const all = { ...length, ...headers };
    const outgoing = requestHttp(
      { host: '127.0.0.1', port, path, method, headers: all, agent: false, signal },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.once('error', reject);
        incoming.once('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text,
            json: () => JSON.parse(text) as Record<string, unknown>,
          });
        });
      },
    );
    outgoing.once('error', reject);
    outgoing.end(body);
  });

/** Writes raw bytes and reads until the server closes the connection. */
export const sendRaw = (port: number, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.once('close', () => resolve(text));
    socket.once('error', reject);
  });

export const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

export const toForm = (fields: Readonly<Record<string, string>>): string =>
  new URLSearchParams(fields).toString();

/** A browser in the view of the server: cookies are kept between requests. */
export interface CookieClient {
  readonly cookies: Map<string, string>;
  send(path: string, options?: Send): Promise<Answer>;
  getCsrfToken(): Promise<string>;
  /** Posts a form with a fresh token; `fields` may replace it. */
  post(
    path: string,
    fields?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  signIn(email?: string, password?: string, callbackUrl?: string): Promise<Answer>;
}

const keepCookies = (cookies: Map<string, string>, lines: readonly string[]): void => {
  for (const line of lines) {
    const [pair = ''] = line.split(';');
    const cut = pair.indexOf('=');
    const value = pair.slice(cut + 1);
    if (value === '' || /max-age=0/i.test(line)) cookies.delete(pair.slice(0, cut));
    else cookies.set(pair.slice(0, cut), value);
  }
};

/** `common` headers are sent with every request. */
export const createCookieClient = (
  port: number,
  common: Readonly<Record<string, string>> = {},
): CookieClient => {
  const cookies = new Map<string, string>();
  const sendWithCookies = async (path: string, options: Send = {}): Promise<Answer> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...common, ...(cookie === '' ? {} : { cookie }), ...options.headers };
    const answer = await send(port, path, { ...options, headers });
    keepCookies(cookies, [answer.headers['set-cookie'] ?? []].flat());
    return answer;
  };
  const client: CookieClient = {
    cookies,
    send: sendWithCookies,
    getCsrfToken: async () =>
      csrfAnswerSchema.parse((await sendWithCookies('/api/auth/csrf')).json()).csrfToken,
    post: async (path, fields = {}, headers = {}) => {
      const csrfToken = await client.getCsrfToken();
      const body = toForm({ csrfToken, json: 'true', ...fields });
      return sendWithCookies(path, { method: 'POST', headers: { ...FORM, ...headers }, body });
    },
    signIn: (email = 'producer@example.com', password = 'producer', callbackUrl = '/chat') =>
      client.post('/api/auth/callback/credentials', { email, password, callbackUrl }),
  };
  return client;
};
