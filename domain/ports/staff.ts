import type { AppError } from '../errors.ts';
import type { Cancellation } from './ports.ts';
import type { Result } from '../result.ts';
import type { Producer } from '../schemas/producer.ts';
import type { Team } from '../schemas/team.ts';

/** The staff endpoints. */
export interface StaffApi {
  getTeams(cancel: Cancellation): Promise<Result<readonly Team[], AppError>>;
  /** Never fails: errors are swallowed and nothing is returned (spec §7). */
  getProducers(cancel: Cancellation): Promise<readonly Producer[]>;
}
