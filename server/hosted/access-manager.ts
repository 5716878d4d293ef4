import { createHmac } from 'node:crypto';

import * as z from 'zod';

import { ok } from '#domain/result.ts';

import type { HostedKeyset } from '../config/config.ts';
import { askEngineFor, type EngineAnswer } from './engine-request.ts';

/** The permissions of a token. */
export interface Grant {
  /** The only uid that may use it. */
  readonly uid: string;
  readonly minutes: number;
  /** Channels to read and publish on, as a regular expression; undefined for none. */
  readonly pattern: string | undefined;
  /** Further channels to read and publish on, by name. */
  readonly channels: readonly string[];
}

export interface AccessManager {
  grant(grant: Grant): Promise<EngineAnswer<string>>;
  /** Takes effect within a minute, if the keyset permits it ("Revoke v3 Token"). */
  revoke(token: string): Promise<EngineAnswer<undefined>>;
}

/**
 * Permission bits of the Access Manager: read (1) and write (2) channels, get the user's own
 * metadata (32).
 */
const READ_WRITE = 3;
const GET = 32;

/** The service refuses an empty grant: without any channel, users may read their own metadata. */
const toResources = ({ uid, pattern, channels }: Grant): object => {
  if (channels.length > 0) {
    return { channels: Object.fromEntries(channels.map((name) => [name, READ_WRITE])) };
  }
  return pattern === undefined ? { uuids: { [uid]: GET } } : {};
};

const toBody = (grant: Grant): string => {
  const { uid, minutes, pattern } = grant;
  const resources = toResources(grant);
  const patterns = pattern === undefined ? {} : { channels: { [pattern]: READ_WRITE } };
  return JSON.stringify({
    ttl: minutes,
    permissions: { resources, patterns, meta: {}, uuid: uid },
  });
};

/** Address of the hosted service, with the prefix of its origin and without a trailing slash. */
export const toEngineUrl = ({ ssl, origin }: Pick<HostedKeyset, 'ssl' | 'origin'>): string =>
  `${ssl ? 'https' : 'http'}://${origin}`;

const grantedSchema = z.object({ data: z.object({ token: z.string().min(1) }) });
const revokedSchema = z.object({ data: z.object({ message: z.string() }) });

/**
 * The Access Manager (v3): `POST /v3/pam/{subscribe key}/grant`, and `DELETE` with the token
 * appended. Both are signed (v2) by HMAC-SHA256 with the secret key over method, publish key,
 * path, query and body. The service refuses a `timestamp` (seconds) more than a minute off.
 */
export const createAccessManager = (
  keyset: HostedKeyset,
  secretKey: string,
  now: () => number,
): AccessManager => {
  const { subscribeKey, publishKey } = keyset;
  const grants = `/v3/pam/${subscribeKey}/grant`;
  const sign = (method: 'POST' | 'DELETE', path: string, body: string): string => {
    const query = `timestamp=${Math.floor(now() / 1000)}`;
    const signature = createHmac('sha256', secretKey)
      .update([method, publishKey, path, query, body].join('\n'))
      .digest('base64url');
    return `${toEngineUrl(keyset)}${path}?${query}&signature=v2.${signature}`;
  };
  return {
    grant: async (grant) => {
      const body = toBody(grant);
      const request = { url: sign('POST', grants, body), body };
      const answer = await askEngineFor(request, grantedSchema, 'no token in it');
      return answer.ok ? ok(answer.value.data.token) : answer;
    },
    revoke: async (token) => {
      const url = sign('DELETE', `${grants}/${encodeURIComponent(token)}`, '');
      const request = { url, method: 'DELETE' } as const;
      const answer = await askEngineFor(
        request,
        revokedSchema,
        'no confirmation of the revocation',
      );
      return answer.ok ? ok(undefined) : answer;
    },
  };
};
