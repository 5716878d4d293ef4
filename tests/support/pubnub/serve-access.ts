import * as z from 'zod';

import { hasPamSignature } from '../services/pam-signature.ts';
import { type AccessManager, type Refusal, refuse } from './access.ts';
import { answerAccess, answerText, type Exchange } from './exchange.ts';
import type { Keyset } from './keyset.ts';
import { type Recorded, UNQUOTED } from './recorded.ts';
import { RECORDED_REFUSALS } from './recorded-refusals.ts';

/** The service's rules: pubnub.com/docs/sdks/rest-api, "Access Manager". */
const SKEW_MAX_S = 60;
const TTL_MAX_MINUTES = 43_200;
const UUID_LENGTH_MAX = 92;

const bits = z.record(z.string(), z.number());
const resources = z.strictObject({
  channels: bits.optional(),
  groups: bits.optional(),
  uuids: bits.optional(),
});
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const grantSchema = z.strictObject({
  ttl: z.number(),
  permissions: z.strictObject({
    resources,
    patterns: resources,
    meta: z.record(z.string(), scalar),
    uuid: z.string().max(UUID_LENGTH_MAX).optional(),
  }),
});

interface Detail {
  readonly message: string;
  readonly location: string;
  readonly locationType: 'body' | 'path' | 'query';
}

/** A bad request to the Access Manager itself: shape and texts as in `recorded.ts`. */
const toBadRequest = (source: 'grant' | 'revoke', message: string, ...details: Detail[]) => ({
  error: { message, source, details },
  service: 'Access Manager',
  status: 400,
});

const inBody = (message: string, location: string): Detail => ({
  message,
  location,
  locationType: 'body',
});

/**
 * The fault of a grant. The text for missing permissions is that of github.com/pubnub/c-sharp issue
 * 155; for another shape it is unknown.
 */
const findFault = (exchange: Exchange, body: string) => {
  const type = exchange.request.headers['content-type'] ?? '';
  if (!type.startsWith('application/json')) {
    const detail = inBody('Content-Type must be `application/json`.', '<root>');
    return toBadRequest('grant', 'Invalid JSON', detail);
  }
  const parsed = grantSchema.safeParse(JSON.parse(body));
  if (!parsed.success) {
    const where = parsed.error.issues[0]?.path.join('.') ?? '';
    return toBadRequest('grant', `Invalid ${where}`, inBody(parsed.error.message, where));
  }
  const { ttl, permissions } = parsed.data;
  if (!Number.isInteger(ttl) || ttl < 1 || ttl > TTL_MAX_MINUTES) {
    const detail = inBody('Range should be 1 to 43200 minute(s).', 'ttl');
    return toBadRequest('grant', 'Invalid ttl', detail);
  }
  const kinds = [...Object.values(permissions.resources), ...Object.values(permissions.patterns)];
  return kinds.some((kind) => Object.values(kind ?? {}).some((given) => given > 0))
    ? undefined
    : toBadRequest('grant', 'This grant contains no permissions');
};

/**
 * The reason why a request is not signed with the secret key at this minute; undefined if it is.
 */
const findSignatureFault = (
  { request, query }: Exchange,
  body: string,
  { publishKey, secretKey }: Keyset,
): Recorded | undefined => {
  if (publishKey === undefined || secretKey === undefined) return undefined;
  const skew = Math.abs(Date.now() / 1000 - Number(query.get('timestamp')));
  if (!(skew <= SKEW_MAX_S)) return RECORDED_REFUSALS.wrongTime;
  const signed = { method: request.method ?? '', url: request.url ?? '', body };
  return hasPamSignature(signed, { publishKey, secretKey })
    ? undefined
    : RECORDED_REFUSALS.wrongSignature;
};

/** `POST` and `DELETE /v3/pam/{subscribe key}/grant[/{token}]`; the result writes the response. */
export const serveAccess = (
  access: AccessManager,
  keyset: Keyset,
  exchange: Exchange,
  body: string,
): (() => void) => {
  const fault = findSignatureFault(exchange, body, keyset);
  if (fault !== undefined) return () => answerText(exchange, fault);
  if (exchange.request.method === 'DELETE') {
    // The answer while "Revoke v3 Token" is off is unknown, except that it is a refusal.
    if (!keyset.revokes) return () => answerAccess(exchange, refuse('Forbidden'), 403);
    const message = access.revoke(decodeURIComponent(exchange.parts[4] ?? ''));
    const answer = message
      ? toBadRequest('revoke', 'Invalid token', {
          message,
          location: 'token',
          locationType: 'path',
        })
      : { data: { message: 'Success' }, service: 'Access Manager', status: 200 };
    return () => answerAccess(exchange, answer, answer.status);
  }
  const wrong = findFault(exchange, body);
  if (wrong !== undefined) return () => answerAccess(exchange, wrong, wrong.status);
  const token = access.issue(grantSchema.parse(JSON.parse(body)));
  const data = { message: 'Success', token };
  return () => answerAccess(exchange, { data, service: 'Access Manager', status: 200 }, 200);
};

/** Refuses a request for rooms, with the line break at the end. */
export const answerRefusal = (exchange: Exchange, refusal: Refusal): void =>
  answerText(exchange, {
    status: refusal.status,
    type: UNQUOTED,
    body: `${JSON.stringify(refusal)}\n`,
  });

export const answerWrongKey = (exchange: Exchange): void =>
  answerText(exchange, RECORDED_REFUSALS.wrongSubscribeKey);
