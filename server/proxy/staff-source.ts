import type { AppError } from '#domain/errors.ts';
import { ok, type Result } from '#domain/result.ts';
import type { Producer } from '#domain/schemas/producer.ts';
import type { Team } from '#domain/schemas/team.ts';

import type { SessionIdentity, StaffData } from '../kernel/contracts.ts';
import type { Log } from '../kernel/log.ts';
import { askUpstream } from '../kernel/upstream.ts';
import { parseApiProducers, parseApiTeams, type ParsedList } from '../product-api/lists.ts';

type Listing<T> = Promise<Result<readonly T[], AppError>>;

/** The lists of the staff endpoints (spec §7), as the holder of a session may see them. */
export interface StaffSource {
  readonly teams: (session: SessionIdentity) => Listing<Team>;
  readonly producers: (session: SessionIdentity) => Listing<Producer>;
}
export type StaffList = keyof StaffSource;

export const createEmbeddedSource = (data: StaffData): StaffSource => ({
  teams: () => Promise.resolve(ok(data.listTeams())),
  producers: () => Promise.resolve(ok(data.listProducers())),
});

/**
 * The lists of the product API, requested with the token that its `/auth` returned at the sign-in.
 * The address consists of constants; nothing of the request becomes part of it. An answer that is
 * not a list as in the spec is `malformed`; single entries of another shape are omitted and counted
 * in the log.
 */
export const createApiSource = (apiBaseUrl: string, log: Log): StaffSource => {
  const read =
    <T>(list: StaffList, parse: (value: unknown) => Result<ParsedList<T>, AppError>) =>
    async ({ upstreamToken }: SessionIdentity): Listing<T> => {
      const answer = await askUpstream({
        url: `${apiBaseUrl}/staff/${list}`,
        token: upstreamToken,
      });
      if (!answer.ok) return answer;
      const parsed = parse(answer.value);
      if (!parsed.ok) return parsed;
      const { entries, dropped } = parsed.value;
      if (dropped > 0) log.warn({ list, dropped }, 'entries of the product API omitted');
      return ok(entries);
    };
  return { teams: read('teams', parseApiTeams), producers: read('producers', parseApiProducers) };
};
