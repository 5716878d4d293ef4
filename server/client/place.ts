import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { REQUEST_TIMEOUT_MS } from '#domain/limits.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { toFullName } from '#domain/schemas/team.ts';

import type { Config } from '../config/config.ts';
import { DATABASE_FILE } from '../embedded/open.ts';
import { createStaffData } from '../embedded/staff-data.ts';

/** Addresses that mean "all of this machine" to a server and are unusable for a caller. */
const WILDCARDS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

/** Where the server of these settings listens. */
export const toServerUrl = ({ host, port }: Config): string => {
  const reachable = WILDCARDS[host] ?? (host.includes(':') ? `[${host}]` : host);
  return `http://${reachable}:${port}`;
};

/** Status of a response; undefined without one. */
const ask = (url: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> =>
  fetch(url, { headers, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) }).then(
    ({ status }) => status,
    () => undefined,
  );

/** Whether a Replay Desk answers at the address of these settings. */
export const isAnswering = async (config: Config): Promise<boolean> =>
  (await ask(`${toServerUrl(config)}/api/health`, {})) === 200;

/** Whether that server rejects a token made from these settings: its data or secret differs. */
export const isForeign = async (
  config: Config,
  { channel, token }: { readonly channel: string; readonly token: string },
): Promise<boolean> => {
  const query = new URLSearchParams({ channel, count: '1' }).toString();
  const headers = { authorization: `Bearer ${token}` };
  return (await ask(`${toServerUrl(config)}/api/realtime/history?${query}`, headers)) === 401;
};

/** `waiting`: the server has never run here, so there are no names yet. */
export type NameError =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'unknown'; readonly known: readonly string[] };

/**
 * A client's full name from the embedded data, read while the server runs. With a product API the
 * names are not stored here: the client's id is used.
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
    // The first start is still creating the tables.
    return fail({ kind: 'waiting' });
  } finally {
    sql.close();
  }
};
