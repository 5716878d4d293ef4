import { REQUEST_TIMEOUT_MS } from '#domain/limits.ts';
import type { Web } from '#src/adapters/http/request-json.ts';

/** The additions of a browser to its requests: the cookies of earlier responses, and `Origin`. */
export const createCookieWeb = (origin: string): Web => {
  const cookies = new Map<string, string>();
  const keep = (line: string) => {
    const [pair = '', ...attributes] = line.split(';');
    const name = pair.slice(0, pair.indexOf('='));
    const isOver = attributes.some((attribute) => /^\s*max-age=(?:0|-)/i.test(attribute));
    if (isOver) cookies.delete(name);
    else cookies.set(name, pair);
  };
  const send: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('origin', origin);
    if (cookies.size > 0) headers.set('cookie', [...cookies.values()].join('; '));
    const response = await fetch(input, { ...init, headers });
    for (const line of response.headers.getSetCookie()) keep(line);
    return response;
  };
  return { origin, fetch: send, timeoutMs: REQUEST_TIMEOUT_MS };
};
