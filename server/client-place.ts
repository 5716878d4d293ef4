import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { fail, ok, type Result } from '#domain/result.ts';
import { toFullName } from '#domain/schemas/team.ts';

import type { Config } from './config.ts';
import { DATABASE_FILE } from './embedded/open.ts';
import { createStaffData } from './embedded/staff-data.ts';

/** Addresses that mean "all of this machine" to a server and nothing to a caller. */
const WILDCARDS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

/** Where the server of these settings listens. */
export const toServerUrl = ({ host, port }: Config): string => {
  const reachable = WILDCARDS[host] ?? (host.includes(':') ? `[${host}]` : host);
  return `http://${reachable}:${port}`;
};

/** `waiting`: the server has never run here, so there is nobody to ask yet. */
export type NameError =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'unknown'; readonly known: readonly string[] };

/**
 * A client's full name from the embedded data, read beside the running server. With a
 * product API the names are there and not here: the client goes by its id.
 */
export const findClientName = (config: Config, clientId: string): Result<string, NameError> => {
  if (config.apiBaseUrl !== undefined) return ok(clientId);
  const file = join(config.dataDir, DATABASE_FILE);
  if (!existsSync(file)) return fail({ kind: 'waiting' });
  const sql = new DatabaseSync(file, { readOnly: true, timeout: 1000 });
  try {
    const staffData = createStaffData(sql);
    const client = staffData.findClient(clientId);
    if (client !== undefined) return ok(toFullName(client));
    const known = staffData.listTeams().map((team) => `${team.client_id} ${toFullName(team)}`);
    return fail({ kind: 'unknown', known });
  } catch {
    // The first start is still laying the tables.
    return fail({ kind: 'waiting' });
  } finally {
    sql.close();
  }
};
