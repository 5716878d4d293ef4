import * as z from 'zod';

const UID_LENGTH_MAX = 128;

/** Ids are strings or numbers. */
export const idSchema = z.union([z.string(), z.number()]).transform(String);

/** A missing name is an empty one. */
export const nameSchema = z
  .string()
  .nullish()
  .transform((name) => name ?? '');

/**
 * A staff member as the product API may return one; the spec leaves the fields open (§3). The
 * id is `uid` or `id`, the name `name` or `first_name` and `last_name`.
 */
export const apiPersonSchema = z
  .object({
    uid: idSchema.nullish(),
    id: idSchema.nullish(),
    name: nameSchema,
    first_name: nameSchema,
    last_name: nameSchema,
    email: z.string().nullish(),
    image: z.string().nullish(),
    role: z.enum(['producer', 'team']).catch('team'),
  })
  .transform(({ uid, id, name, first_name, last_name, ...rest }) => ({
    ...rest,
    uid: uid ?? id ?? '',
    name: name || `${first_name} ${last_name}`.trim() || null,
  }))
  .refine(({ uid }) => uid.length > 0 && uid.length <= UID_LENGTH_MAX);
