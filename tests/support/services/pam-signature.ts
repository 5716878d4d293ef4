import { createHmac } from 'node:crypto';

/** A signed request as it arrived; `url` is the path and query below the origin's prefix. */
interface SignedRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

interface SigningKeys {
  readonly publishKey: string;
  readonly secretKey: string;
}

/**
 * True if a request has the documented signature (v2): base64url HMAC-SHA256 by the secret key
 * over method, publish key, path, the query sorted by name without the signature, and body, one
 * per line. Reads the query as sent, encoded.
 */
export const hasPamSignature = (
  { method, url, body }: SignedRequest,
  { publishKey, secretKey }: SigningKeys,
): boolean => {
  const [path = '', query = ''] = url.split('?');
  const pairs = query.split('&');
  const signed = pairs.filter((pair) => !pair.startsWith('signature=')).toSorted();
  const text = `${method}\n${publishKey}\n${path}\n${signed.join('&')}\n${body}`;
  const digest = createHmac('sha256', secretKey).update(text).digest('base64');
  const expected = digest.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return pairs.includes(`signature=v2.${expected}`);
};
