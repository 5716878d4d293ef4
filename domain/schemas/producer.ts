import * as z from 'zod/mini';

/** A staff member as listed by `GET /staff/producers`; the spec leaves the fields open. */
export const producerSchema = z.object({
  uid: z.string(),
  name: z.string(),
});
export type Producer = z.infer<typeof producerSchema>;

/** Entries of another shape are dropped; anything but a list is an empty list (spec §7). */
export const parseProducers = (value: unknown): readonly Producer[] => {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry) => {
    const parsed = producerSchema.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
};
