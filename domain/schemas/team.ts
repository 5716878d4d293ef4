import * as z from 'zod/mini';

import { isClientId } from '../rooms.ts';

/** A client as the product API lists it (spec §3). */
export const teamSchema = z.object({
  client_id: z.custom<string>(isClientId, 'expected a client id'),
  client: z.object({ first_name: z.string(), last_name: z.string() }),
});
export type Team = z.infer<typeof teamSchema>;

/** `GET /staff/teams`. Entries of another shape are dropped one by one by `parseTeams`. */
export const parseTeams = (value: unknown): readonly Team[] | undefined => {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((entry) => {
    const parsed = teamSchema.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
};

/** The client's full name, or its id if the name is empty, so that there is something to click. */
export const toFullName = (team: Team): string =>
  `${team.client.first_name} ${team.client.last_name}`.trim() || team.client_id;

/** The name in the heading of the client's rooms. */
export const toFirstName = (team: Team): string =>
  team.client.first_name.trim() || toFullName(team);
