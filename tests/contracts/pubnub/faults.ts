import type { AppError } from '#domain/errors.ts';
import {
  answerWith,
  type Fault,
  hold,
  mute,
  portal,
  refuseWith,
  reset,
  stall,
} from '#tests/support/pubnub/faults.ts';

const ACCESS = { service: 'Access Manager' };
const NO_TYPE = '';

/** The error that a fault of the hosted engine must become, in every call. */
export const PUBNUB_FAULTS: Readonly<Record<string, readonly [Fault, Partial<AppError>]>> = {
  'an expired token (403)': [
    refuseWith(403, { message: 'Token is expired.', ...ACCESS }),
    { kind: 'unauthenticated' },
  ],
  'a token that does not cover it (403)': [
    refuseWith(403, { message: 'Forbidden', payload: { channels: ['chat.c_1.team'] }, ...ACCESS }),
    { kind: 'forbidden', text: 'Forbidden' },
  ],
  'a refused request (400)': [
    refuseWith(400, { message: 'Invalid Arguments' }),
    { kind: 'rejected', status: 400, text: 'Invalid Arguments' },
  ],
  'a disabled keyset (400 in a list)': [
    answerWith('[0,"Invalid Key","17000000000000000"]', undefined, 400),
    { kind: 'rejected', status: 400, text: 'Invalid Key' },
  ],
  'too many requests (429)': [
    refuseWith(429, { message: 'Too many requests' }, { 'retry-after': '7' }),
    { kind: 'limited', retryAfterMs: 7000 },
  ],
  'a failing service (503)': [refuseWith(503), { kind: 'server', status: 503 }],
  'a failing service without a content type (503)': [
    answerWith('{}', NO_TYPE, 503),
    { kind: 'server', status: 503 },
  ],
  'a gateway page (502 HTML)': [portal(502), { kind: 'server', status: 502 }],
  'a captive portal (200 HTML)': [portal(), { kind: 'unreachable' }],
  'a filter page (403 HTML)': [portal(403), { kind: 'unreachable' }],
  'a refusal without a content type (403)': [
    answerWith('{"message":"Token is expired."}', NO_TYPE, 403),
    { kind: 'unauthenticated' },
  ],
  'a filter page without a content type (403)': [
    answerWith('Not on this network.', NO_TYPE, 403),
    { kind: 'unreachable' },
  ],
  'a cut connection': [reset, { kind: 'unreachable' }],
  'a stalled body': [stall, { kind: 'unreachable' }],
  'headers without a body': [hold, { kind: 'unreachable' }],
  'no answer at all': [mute, { kind: 'timeout' }],
};

const BODIES = ['', 'null', '7', '"text"', '[]', '{}', '{"t":', '[0,"no","17000000000000000"]'];

/** Responses of a shape that no call expects. */
export const PUBNUB_BAD_SHAPES: readonly string[] = [
  ...BODIES,
  '{"t":{"t":17000000000000000,"r":1},"m":[]}',
  '{"t":{"t":"170","r":1},"m":[]}',
  '{"t":{"t":"17000000000000000","r":1},"m":{}}',
  '{"channels":null}',
  '{"channels":{"chat.c_1.team":"none"}}',
  '[1,"Sent",17000000000000000]',
];
