import * as z from 'zod';

import type { AppError } from '#domain/errors.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { isClientId } from '#domain/rooms.ts';
import type { Producer } from '#domain/schemas/producer.ts';
import type { Team } from '#domain/schemas/team.ts';

import { apiPersonSchema, idSchema, nameSchema } from './person.ts';

/** The readable part of a list. */
export interface ParsedList<T> {
  readonly entries: readonly T[];
  /** Number of entries of another shape. */
  readonly dropped: number;
}

/** An entry of `GET /staff/teams` (spec §3); unknown fields are dropped. */
const teamSchema: z.ZodType<Team> = z.object({
  client_id: idSchema.refine(isClientId),
  client: z.object({ first_name: nameSchema, last_name: nameSchema }),
});

/** An entry of `GET /staff/producers`; the spec leaves its fields open. */
const producerSchema: z.ZodType<Producer> = apiPersonSchema
  .transform(({ uid, name }) => ({ uid, name: name ?? '' }))
  .refine(({ name }) => name !== '');

/**
 * Parses entry by entry: one broken record must not hide all clients. An answer that is not a
 * list, or a list without any valid entry, comes from another endpoint.
 */
const parseList = <T>(
  schema: z.ZodType<T>,
  toKey: (entry: T) => string,
  value: unknown,
): Result<ParsedList<T>, AppError> => {
  if (!Array.isArray(value)) return fail({ kind: 'malformed', detail: 'not a list' });
  const entries = new Map<string, T>();
  for (const item of value) {
    const parsed = schema.safeParse(item);
    const key = parsed.success ? toKey(parsed.data) : undefined;
    if (parsed.success && key !== undefined && !entries.has(key)) entries.set(key, parsed.data);
  }
  const isForeign = value.length > 0 && entries.size === 0;
  return isForeign
    ? fail({ kind: 'malformed', detail: 'a list without one entry of the expected shape' })
    : ok({ entries: [...entries.values()], dropped: value.length - entries.size });
};

/** Clients of `GET /staff/teams`, each once. */
export const parseApiTeams = (value: unknown): Result<ParsedList<Team>, AppError> =>
  parseList(teamSchema, ({ client_id }) => client_id, value);

/** Staff of `GET /staff/producers`, each once. */
export const parseApiProducers = (value: unknown): Result<ParsedList<Producer>, AppError> =>
  parseList(producerSchema, ({ uid }) => uid, value);
