import type { Handler } from 'hono';

import { parseJson } from '#domain/schemas/json.ts';

import { answerError, type ServerContext, type ServerEnv } from '../http/answers.ts';
import { findClientAddress } from '../http/client-address.ts';
import { createMemoryLimiter, takeFrom, toRetryAfter } from '../limiting/limiters.ts';
import {
  CLIENT_LOG_CODE_LENGTH,
  CLIENT_LOG_DETAILS_LENGTH,
  PAGE_REPORTS_PER_ADDRESS,
  PAGE_REPORTS_WINDOW_MS,
} from '../kernel/limits.ts';
import { toLogText } from '../kernel/log-text.ts';
import { isFromOwnPage } from '../http/origins.ts';
import type { AuthDeps } from './auth-deps.ts';

interface ClientLine {
  readonly level: string;
  readonly code: string;
  readonly details: string;
}

/** Empty if the value cannot be converted: one nested too deeply overflows the stack here. */
const toText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
};

const clean = (value: unknown, length: number): string => toLogText(toText(value), length);

const parseFields = (type: string, text: string): Readonly<Record<string, unknown>> => {
  if (!type.startsWith('application/json')) return Object.fromEntries(new URLSearchParams(text));
  const value = parseJson(text);
  return typeof value === 'object' && value !== null ? { ...value } : {};
};

/** `level`, `code` and everything else as details; undefined without a code. */
const readLine = async (c: ServerContext): Promise<ClientLine | undefined> => {
  const type = (c.req.header('content-type') ?? '').toLowerCase();
  const { level, code, csrfToken: _token, ...rest } = parseFields(type, await c.req.text());
  const name = clean(code ?? '', CLIENT_LOG_CODE_LENGTH);
  if (name === '') return undefined;
  const details = clean(rest['details'] ?? rest, CLIENT_LOG_DETAILS_LENGTH);
  return { level: clean(level ?? '', CLIENT_LOG_CODE_LENGTH), code: name, details };
};

/**
 * `POST _log` with `level` (error, warn, debug), `code` and `details`, form-encoded (as beacons
 * are) or JSON: 200 `{}`. Texts are clipped, stripped of control characters, and never sent
 * back; 400 without a code, 403 from foreign pages, 429 above the limit.
 */
export const createClientLogHandler = ({ origins, log }: AuthDeps): Handler<ServerEnv> => {
  const limiter = createMemoryLimiter({
    name: 'client-log',
    points: PAGE_REPORTS_PER_ADDRESS,
    windowMs: PAGE_REPORTS_WINDOW_MS,
  });
  return async (c) => {
    if (!isFromOwnPage(c.req.raw, origins)) return answerError(c, 403, 'Foreign page');
    const taken = await takeFrom(limiter, findClientAddress(c.env.incoming, origins.isSecure));
    if (!taken.ok) {
      return answerError(c, 429, 'Too many log lines', { 'retry-after': toRetryAfter(taken) });
    }
    const line = await readLine(c);
    if (line === undefined) return answerError(c, 400, 'Expected a code');
    const { level, ...fields } = line;
    // A page's report must not raise an alarm: anyone can send it.
    if (level === 'error' || level === 'warn') {
      log.warn({ ...fields, severity: level }, 'page report');
    } else log.debug(fields, 'page report');
    return c.json({});
  };
};
