import type { AppError } from '#domain/errors.ts';
import { ok, type Result } from '#domain/result.ts';

import type { StaffData } from '../contracts.ts';
import { askUpstream } from '../upstream.ts';

/** The lists of the staff endpoints (spec §7). */
export type StaffList = 'teams' | 'producers';

/** One list as JSON. */
export type StaffSource = (list: StaffList) => Promise<Result<unknown, AppError>>;

/** From the embedded database. */
export const createEmbeddedSource =
  (data: StaffData): StaffSource =>
  async (list) =>
    ok(list === 'teams' ? data.listTeams() : data.listProducers());

/** From the product API; addresses are made of constants, nothing of the request goes into them. */
export const createApiSource = (apiBaseUrl: string): StaffSource => {
  const urls: Readonly<Record<StaffList, string>> = {
    teams: `${apiBaseUrl}/staff/teams`,
    producers: `${apiBaseUrl}/staff/producers`,
  };
  return (list) => askUpstream({ url: urls[list] });
};
