import * as z from 'zod/mini';

import { PASSWORD_LENGTH_MIN } from '../limits.ts';

/**
 * Refuses what is a typing mistake, not rare addresses: RFC 5322 allows most characters, RFC 6531
 * letters of any script.
 */
const EMAIL =
  /^[^\s@.<>()[\]\\,;:"]+(?:\.[^\s@.<>()[\]\\,;:"]+)*@(?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]{2,}$/u;

/** Sign-in form (spec §5). */
export const loginFormSchema = z.object({
  email: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, { error: 'Required', abort: true }),
      z.regex(EMAIL, 'Enter a valid email'),
    ),
  password: z
    .string()
    .check(
      z.minLength(1, { error: 'Required', abort: true }),
      z.minLength(PASSWORD_LENGTH_MIN, `Must be at least ${PASSWORD_LENGTH_MIN} characters`),
    ),
});
export type LoginFields = z.infer<typeof loginFormSchema>;
