import type { AppError } from '#domain/errors.ts';
import * as z from 'zod/mini';

import { AnswerError } from './answer-error.ts';

const sdkErrorSchema = z.object({
  status: z.object({
    category: z.optional(z.string()),
    statusCode: z.optional(z.number()),
    errorData: z.optional(z.unknown()),
  }),
});

/** The engine's error text; `payload` names what a token does not cover. */
const refusalSchema = z.object({
  message: z.catch(z.optional(z.string()), undefined),
  error_message: z.catch(z.optional(z.string()), undefined),
  payload: z.optional(z.unknown()),
});

/** The subject of a refusal: the token, the room it does not cover, or the keyset. */
type Subject = 'token' | 'room' | 'keyset';

const readRefusal = (data: unknown): { readonly text?: string; readonly about: Subject } => {
  if (typeof data === 'string' && data !== '') return { text: data, about: 'token' };
  const { message, error_message: other, payload } = refusalSchema.safeParse(data).data ?? {};
  const text = message ?? other;
  // The Access Manager sends `message`; the history sends `error_message` when it is off.
  const isOfKeyset = message === undefined && other !== undefined;
  const about = payload === undefined ? 'token' : 'room';
  return { ...(text ? { text } : {}), about: isOfKeyset ? 'keyset' : about };
};

/**
 * The error of an SDK call that was rejected or threw. An expired or unknown token is
 * `unauthenticated`: a new one may work. A token that does not cover the room is `forbidden`. A
 * service that is off is `rejected`: a retry changes nothing.
 */
export const toSdkError = (thrown: unknown): AppError => {
  const parsed = sdkErrorSchema.safeParse(thrown);
  if (!parsed.success) return { kind: 'malformed', detail: 'sdk' };
  const { category, statusCode = 0, errorData } = parsed.data.status;
  if (errorData instanceof AnswerError) return errorData.error;
  if (category === 'PNTimeoutCategory') return { kind: 'timeout' };
  const { about, ...serverText } = readRefusal(errorData);
  if (statusCode === 403 && about === 'token') return { kind: 'unauthenticated' };
  if (statusCode === 403 && about === 'room') return { kind: 'forbidden', ...serverText };
  if (statusCode >= 400) return { kind: 'rejected', status: statusCode, ...serverText };
  return { kind: 'unreachable' };
};
