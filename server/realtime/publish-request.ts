import * as z from 'zod/mini';

import { MESSAGE_BYTES_MAX } from '#domain/limits.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { isShallow } from '#domain/rules/nesting.ts';
import { parseJson } from '#domain/schemas/json.ts';

import type { Refusal } from './access.ts';
import { MESSAGE_DEPTH_MAX, MESSAGE_ID_LENGTH_MAX } from './limits.ts';

/** A checked publish; `message` is the payload's JSON text with all its fields. */
export interface PublishRequest {
  readonly channel: string;
  readonly id: string;
  readonly message: string;
}

/** A checked publish to a user log or the staff log; `payload` is JSON text with all its fields. */
export interface MarkPublishRequest {
  readonly id: string;
  readonly payload: string;
}

const toIdSchema = (of: 'message' | 'entry') =>
  z.string(`The ${of} has no id.`).check(
    z.minLength(1, `The ${of} has no id.`),
    z.maxLength(MESSAGE_ID_LENGTH_MAX, `The ${of} id is over ${MESSAGE_ID_LENGTH_MAX} characters.`),
    z.refine((id) => id.isWellFormed(), `The ${of} id is not valid Unicode.`),
  );

const messageSchema = z.looseObject({
  id: toIdSchema('message'),
  text: z.string('The message has no text.'),
});

const requestSchema = z.object(
  { channel: z.string('The channel is missing.'), message: messageSchema },
  'Expected {channel, message}.',
);

const markRequestSchema = z.object(
  { id: toIdSchema('entry'), payload: z.looseObject({}, 'The payload must be a JSON object.') },
  'Expected {id, payload}.',
);

const toRefusal = (error: z.core.$ZodError): Refusal => ({
  status: 400,
  text: error.issues[0]?.message ?? 'Invalid publish request.',
});

/** The JSON text of content to store, if it is neither too deep nor too large. */
const toStorable = (content: unknown, name: string): Result<string, Refusal> => {
  if (!isShallow(content, MESSAGE_DEPTH_MAX)) {
    return fail({ status: 400, text: `The ${name} is nested too deeply.` });
  }
  const text = JSON.stringify(content);
  const bytes = Buffer.byteLength(text);
  if (bytes <= MESSAGE_BYTES_MAX) return ok(text);
  const limit = `${bytes} of at most ${MESSAGE_BYTES_MAX} bytes`;
  return fail({ status: 413, text: `The ${name} is too large: ${limit}.` });
};

/** Reads the body of a publish. Fields of other apps are stored unchanged. */
export const parsePublish = (body: string): Result<PublishRequest, Refusal> => {
  const raw = parseJson(body);
  const parsed = requestSchema.safeParse(raw);
  if (!parsed.success) return fail(toRefusal(parsed.error));
  const { channel, message } = parsed.data;
  // The original value, not the parsed copy: a copy would drop fields such as __proto__.
  const text = toStorable((raw as { readonly message: unknown }).message, 'message');
  return text.ok ? ok({ channel, id: message.id, message: text.value }) : text;
};

/** Reads the body of a publish to a user log or the staff log, in the same way. */
export const parseMarkPublish = (body: string): Result<MarkPublishRequest, Refusal> => {
  const raw = parseJson(body);
  const parsed = markRequestSchema.safeParse(raw);
  if (!parsed.success) return fail(toRefusal(parsed.error));
  const text = toStorable((raw as { readonly payload: unknown }).payload, 'payload');
  return text.ok ? ok({ id: parsed.data.id, payload: text.value }) : text;
};
