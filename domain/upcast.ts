import * as z from 'zod/mini';

import type { Envelope } from './envelope.ts';
import { factSchema } from './events.ts';

/**
 * A stored row of the log as this version reads it. A fact of an unknown type (written by a
 * newer version) stays in the log and is skipped.
 */
export type StoredEnvelope =
  | { readonly kind: 'known'; readonly envelope: Envelope }
  | { readonly kind: 'unknown'; readonly type: string }
  | { readonly kind: 'malformed'; readonly reason: string };

const shellSchema = z.object({
  seq: z.int(),
  key: z.string(),
  at: z.number(),
  fact: z.looseObject({ type: z.string() }),
});

const KNOWN_TYPES: ReadonlySet<string> = new Set(
  factSchema.def.options.flatMap(({ shape }) => shape.type.def.values),
);

/** Reads one stored row of the log. A step from `v1.X` to `v2.X` belongs here. */
export const parseEnvelope = (value: unknown): StoredEnvelope => {
  const shell = shellSchema.safeParse(value);
  if (!shell.success) return { kind: 'malformed', reason: z.prettifyError(shell.error) };
  const { seq, key, at, fact } = shell.data;
  if (!KNOWN_TYPES.has(fact.type)) return { kind: 'unknown', type: fact.type };
  const parsed = factSchema.safeParse(fact);
  return parsed.success
    ? { kind: 'known', envelope: { seq, key, at, fact: parsed.data } }
    : { kind: 'malformed', reason: z.prettifyError(parsed.error) };
};
