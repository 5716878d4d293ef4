import type { AppError } from '#domain/errors.ts';
import { MESSAGE_BYTES_MAX } from '#domain/limits.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { toMessageBytes } from '#domain/text/message-size.ts';
import { parseTimetoken, type Timetoken } from '#domain/timetoken.ts';

import type { PubnubAccess } from './access.ts';

/** The engine's error for a message over its limit, with 400 or 413. */
const isTooLarge = (error: AppError): boolean =>
  error.kind === 'rejected' && (error.status === 413 || /too large/i.test(error.text ?? ''));

/** As the embedded engine answers for a removed client. */
const GONE = 410;

/**
 * Publishes and stores a message once; the value is its position. A channel that a new token does
 * not cover is `rejected` with 410: its client was removed from this user's list.
 */
export const publishTo = async (
  access: PubnubAccess,
  channel: string,
  message: object,
  cancel: AbortSignal,
): Promise<Result<Timetoken, AppError>> => {
  const bytes = toMessageBytes(message);
  const tooLarge = fail({ kind: 'too-large', bytes, limit: MESSAGE_BYTES_MAX } as const);
  if (bytes > MESSAGE_BYTES_MAX) return tooLarge;
  const answer = await access.call({ channel, cancel }, (client) =>
    client.publish({ channel, message: { ...message }, sendByPost: true, storeInHistory: true }),
  );
  if (!answer.ok) {
    if (isTooLarge(answer.error)) return tooLarge;
    const isRevoked = answer.error.kind === 'forbidden' && (await access.isRevoked(channel));
    return isRevoked ? fail({ kind: 'rejected', status: GONE }) : answer;
  }
  const timetoken = parseTimetoken(answer.value.timetoken);
  return timetoken ? ok(timetoken) : fail({ kind: 'malformed', detail: 'publish' });
};
