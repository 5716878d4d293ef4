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

const messageSchema = z.looseObject({
  id: z.string('The message needs an id.').check(
    z.minLength(1, 'The message needs an id.'),
    z.maxLength(
      MESSAGE_ID_LENGTH_MAX,
      `The message id is over ${MESSAGE_ID_LENGTH_MAX} characters.`,
    ),
    z.refine((id) => id.isWellFormed(), 'The message id is not valid Unicode.'),
  ),
  text: z.string('The message needs a text.'),
});

const requestSchema = z.object(
  { channel: z.string('The channel is missing.'), message: messageSchema },
  'Expected {channel, message}.',
);

/** Reads the body of a publish. Fields of other apps are stored unchanged. */
export const parsePublish = (body: string): Result<PublishRequest, Refusal> => {
  const raw = parseJson(body);
  const parsed = requestSchema.safeParse(raw);
  if (!parsed.success) {
    return fail({ status: 400, text: parsed.error.issues[0]?.message ?? 'Not a publish.' });
  }
  // The original value, not the parsed copy: a copy would drop fields such as __proto__.
  const { message } = raw as { readonly message: unknown };
  if (!isShallow(message, MESSAGE_DEPTH_MAX)) {
    return fail({ status: 400, text: 'The message is nested too deeply.' });
  }
  const text = JSON.stringify(message);
  const bytes = Buffer.byteLength(text);
  if (bytes > MESSAGE_BYTES_MAX) {
    const limit = `${bytes} of at most ${MESSAGE_BYTES_MAX} bytes`;
    return fail({ status: 413, text: `The message is too large: ${limit}.` });
  }
  return ok({ channel: parsed.data.channel, id: parsed.data.message.id, message: text });
};
