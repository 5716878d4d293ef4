import * as z from 'zod/mini';

import { isClientId } from '../rooms.ts';

/** A client as the product API lists it (spec §3). */
export const teamSchema = z.object({
  client_id: z.custom<string>(isClientId, 'expected a client id'),
  client: z.object({ first_name: z.string(), last_name: z.string() }),
});
export type Team = z.infer<typeof teamSchema>;

/** The clients of `GET /staff/teams`, without malformed ones; undefined if it is not a list. */
export const parseTeams = (value: unknown): readonly Team[] | undefined => {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((entry) => {
    const parsed = teamSchema.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
};

/**
 * A name as it is shown: without characters that change the reading direction of the text around
 * it.
 */
const toName = (name: string): string => name.replaceAll(/\p{Bidi_C}/gu, '').trim();

/** The client's full name, or its id if the name is empty, so that there is something to click. */
export const toFullName = ({ client, client_id }: Team): string =>
  toName(`${client.first_name} ${client.last_name}`) || client_id;

/** The name in the heading of the client's rooms. */
export const toFirstName = (team: Team): string =>
  toName(team.client.first_name) || toFullName(team);

const isSameTeam = (a: Team, b: Team): boolean =>
  a.client.first_name === b.client.first_name && a.client.last_name === b.client.last_name;

/**
 * `next` with every unchanged client taken from `previous`, and `previous` itself if nothing
 * changed: components compare by identity.
 */
export const keepSameTeams = (
  previous: readonly Team[],
  next: readonly Team[],
): readonly Team[] => {
  const known = new Map(previous.map((team) => [team.client_id, team]));
  const kept = next.map((team) => {
    const old = known.get(team.client_id);
    return old && isSameTeam(old, team) ? old : team;
  });
  const isSame = kept.length === previous.length && kept.every((team, i) => team === previous[i]);
  return isSame ? previous : kept;
};
