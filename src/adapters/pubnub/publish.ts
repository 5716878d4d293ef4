import type { AppError } from '#domain/errors.ts';
import { MESSAGE_BYTES_MAX } from '#domain/limits.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { toMessageBytes } from '#domain/schemas/message.ts';
import { parseTimetoken, type Timetoken } from '#domain/timetoken.ts';

import type { PubnubAccess } from './access.ts';

/** The engine's error for a message over its limit, with 400 or 413. */
const isTooLarge = (error: AppError): boolean =>
  error.kind === 'rejected' && (error.status === 413 || /too large/i.test(error.text ?? ''));

/** Publishes and stores a message once; the value is its position. */
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
  if (!answer.ok) return isTooLarge(answer.error) ? tooLarge : answer;
  const timetoken = parseTimetoken(answer.value.timetoken);
  return timetoken ? ok(timetoken) : fail({ kind: 'malformed', detail: 'publish' });
};
