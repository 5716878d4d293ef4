import type { AppError } from '#domain/errors.ts';
import {
  type Handler,
  reset,
  sendHtml,
  sendJson,
  sendRedirect,
  stall,
} from '#tests/support/services/scripted-endpoint.ts';

/** An answer, and the error that it must become. */
export type WireFault = readonly [Handler, Partial<AppError>];

/** The error that a fault of the wire must become, in every call. */
export const FAULTS: Readonly<Record<string, WireFault>> = {
  'no session (401)': [sendJson({ error: 'Sign in.' }, 401), { kind: 'unauthenticated' }],
  'a refused token (403)': [
    sendJson({ error: 'Not yours.' }, 403),
    { kind: 'forbidden', text: 'Not yours.' },
  ],
  'a refused request (400)': [
    sendJson({ error: 'Bad id.' }, 400),
    { kind: 'rejected', status: 400, text: 'Bad id.' },
  ],
  'too many requests, in seconds (429)': [
    sendJson({ error: 'Slow down.' }, 429, { 'retry-after': '7' }),
    { kind: 'limited', retryAfterMs: 7000, text: 'Slow down.' },
  ],
  'too many requests, no time named (429)': [
    sendJson({}, 429),
    { kind: 'limited', retryAfterMs: 1000 },
  ],
  'too many requests, nonsense for a time (429)': [
    sendJson({}, 429, { 'retry-after': 'soon' }),
    { kind: 'limited', retryAfterMs: 1000 },
  ],
  'a failing server (500)': [
    sendJson({ error: 'Broken.' }, 500),
    { kind: 'server', status: 500, text: 'Broken.' },
  ],
  'a gateway page (502 HTML)': [sendHtml(502), { kind: 'server', status: 502 }],
  'a captive portal (200 HTML)': [sendHtml(200), { kind: 'unreachable' }],
  'a filter page (403 HTML)': [sendHtml(403), { kind: 'unreachable' }],
  'a portal page (400 HTML)': [sendHtml(400), { kind: 'unreachable' }],
  'a redirect to another origin': [sendRedirect('http://portal.invalid/'), { kind: 'unreachable' }],
  'a cut connection': [reset, { kind: 'unreachable' }],
  'a stalled answer': [stall, { kind: 'timeout' }],
};

/** Responses of a shape that no call expects. */
export const BAD_SHAPES: Readonly<Record<string, Handler>> = {
  'an empty body': sendJson(''),
  'broken JSON': sendJson('{"timetoken":'),
  null: sendJson('null'),
  'a list': sendJson([]),
  'missing fields': sendJson({}),
  'wrong types': sendJson({
    timetoken: 17_000_000_000_000_000,
    entries: 'none',
    counts: { a: 'b' },
  }),
  'a short timetoken': sendJson({ timetoken: '123', entries: {}, counts: [] }),
};
