import { createHmac } from 'node:crypto';

import * as z from 'zod';

import type { AppError } from '#domain/errors.ts';
import { fail, ok, type Result } from '#domain/result.ts';

import type { HostedKeyset } from '../config.ts';
import { askUpstream } from '../upstream.ts';

/** What a token permits. */
export interface Grant {
  /** The one who may use it. */
  readonly uid: string;
  readonly minutes: number;
  /** Channels to read and publish on, as a regular expression; undefined for none. */
  readonly pattern: string | undefined;
}

export type GrantToken = (grant: Grant) => Promise<Result<string, AppError>>;

/** Permission bits of the Access Manager: channels read (1) and write (2), own metadata get (32). */
const READ_WRITE = 3;
const GET = 32;

const toBody = ({ uid, minutes, pattern }: Grant): string => {
  // A grant of nothing is refused; who has no clients may look at himself.
  const resources = pattern === undefined ? { uuids: { [uid]: GET } } : {};
  const patterns = pattern === undefined ? {} : { channels: { [pattern]: READ_WRITE } };
  return JSON.stringify({
    ttl: minutes,
    permissions: { resources, patterns, meta: {}, uuid: uid },
  });
};

/** Address of the hosted service, with the prefix of its origin, without a slash at the end. */
export const toEngineUrl = ({ ssl, origin }: Pick<HostedKeyset, 'ssl' | 'origin'>): string =>
  `${ssl ? 'https' : 'http'}://${origin}`;

const answerSchema = z.object({ data: z.object({ token: z.string().min(1) }) });

/**
 * Grants tokens of the Access Manager (v3): `POST /v3/pam/{subscribe key}/grant`, signed
 * (v2) by HMAC-SHA256 with the secret key over method, publish key, path, query and body.
 * The service refuses a `timestamp` (seconds) more than a minute off.
 */
export const createGrantToken = (
  keyset: HostedKeyset,
  secretKey: string,
  now: () => number,
): GrantToken => {
  const { subscribeKey, publishKey } = keyset;
  const path = `/v3/pam/${subscribeKey}/grant`;
  return async (grant) => {
    const query = `timestamp=${Math.floor(now() / 1000)}`;
    const body = toBody(grant);
    const signature = createHmac('sha256', secretKey)
      .update(['POST', publishKey, path, query, body].join('\n'))
      .digest('base64url');
    const url = `${toEngineUrl(keyset)}${path}?${query}&signature=v2.${signature}`;
    const answer = await askUpstream({ url, body });
    if (!answer.ok) return answer;
    const parsed = answerSchema.safeParse(answer.value);
    return parsed.success
      ? ok(parsed.data.data.token)
      : fail({ kind: 'malformed', detail: 'an answer of the grant without a token' });
  };
};
