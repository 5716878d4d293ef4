import * as z from 'zod/mini';

import { REQUEST_TIMEOUT_MS } from '#domain/limits.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import {
  historyAnswerSchema,
  publishAnswerSchema,
  type WireEntry,
  wireEntrySchema,
} from '#domain/schemas/realtime.ts';
import type { WirePayload } from '#domain/schemas/message.ts';
import type { Timetoken } from '#domain/timetoken.ts';

/** `passing`: the same request may succeed later. `refused`: it never will. */
export interface WireError {
  readonly kind: 'passing' | 'refused';
  readonly text: string;
}

/** The requests of the terminal client; none of them throws. */
export interface ClientWire {
  publish(payload: WirePayload, cancel: AbortSignal): Promise<Result<Timetoken, WireError>>;
  /** The newest entries of the room, oldest first. */
  readRecent(count: number, cancel: AbortSignal): Promise<Result<readonly WireEntry[], WireError>>;
  /** The response to a stream request; its body is the stream. */
  openStream(cursor: Timetoken, cancel: AbortSignal): Promise<Result<Response, WireError>>;
}

export interface WireDeps {
  /** Address of the server. */
  readonly url: string;
  readonly channel: string;
  /** A fresh token for every request; undefined before the secret exists. */
  readonly mintToken: () => string | undefined;
}

const errorSchema = z.object({ error: z.string() });

/** 401 is transient too: the next request uses a new token. */
const isPassingStatus = (status: number): boolean =>
  status >= 500 || status === 401 || status === 408 || status === 429;

const toWireError = async (response: Response): Promise<WireError> => {
  const body = errorSchema.safeParse(await response.json().catch(() => undefined));
  const kind = isPassingStatus(response.status) ? 'passing' : 'refused';
  return { kind, text: body.success ? body.data.error : `The server answered ${response.status}.` };
};

const unreachable = (url: string): WireError => ({
  kind: 'passing',
  text: `The server at ${url} does not answer.`,
});

const limitTime = (cancel: AbortSignal): AbortSignal =>
  AbortSignal.any([cancel, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]);

type Ask = (path: string, init: RequestInit) => Promise<Result<Response, WireError>>;

const createAsk = ({ url, mintToken }: WireDeps): Ask => {
  return async (path, init) => {
    const token = mintToken();
    if (token === undefined) return fail(unreachable(url));
    try {
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(`${url}/api/realtime/${path}`, { ...init, headers });
      return response.ok ? ok(response) : fail(await toWireError(response));
    } catch {
      return fail(unreachable(url));
    }
  };
};

/** Parses a response; another program on the same port sends other content. */
const parseAnswer = async <T>(
  response: Response,
  schema: z.ZodMiniType<T>,
): Promise<Result<T, WireError>> => {
  const parsed = schema.safeParse(await response.json().catch(() => undefined));
  if (parsed.success) return ok(parsed.data);
  return fail({ kind: 'passing', text: `The program at ${response.url} is not Replay Desk.` });
};

const parseEntries = (entries: readonly unknown[]): readonly WireEntry[] =>
  entries.flatMap((entry) => {
    const parsed = wireEntrySchema.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });

export const createClientWire = (deps: WireDeps): ClientWire => {
  const ask = createAsk(deps);
  return {
    publish: async (message, cancel) => {
      const body = JSON.stringify({ channel: deps.channel, message });
      const signal = limitTime(cancel);
      const response = await ask('publish', { method: 'POST', body, signal });
      if (!response.ok) return response;
      const answer = await parseAnswer(response.value, publishAnswerSchema);
      return answer.ok ? ok(answer.value.timetoken) : answer;
    },
    readRecent: async (count, cancel) => {
      const query = new URLSearchParams({ channel: deps.channel, count: String(count) });
      const signal = limitTime(cancel);
      const response = await ask(`history?${query.toString()}`, { signal });
      if (!response.ok) return response;
      const answer = await parseAnswer(response.value, historyAnswerSchema);
      return answer.ok ? ok(parseEntries(answer.value.entries)) : answer;
    },
    openStream: (cursor, cancel) => ask(`stream?cursor=${cursor}`, { signal: cancel }),
  };
};

/** The entries of one stream event; damaged ones are omitted. */
export const parseStreamEntries = (data: string): readonly WireEntry[] => {
  try {
    const parsed = historyAnswerSchema.safeParse(JSON.parse(data));
    return parsed.success ? parseEntries(parsed.data.entries) : [];
  } catch {
    return [];
  }
};
