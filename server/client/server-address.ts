import { existsSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';

import type { Realtime } from '#domain/ports/network.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { toFullName } from '#domain/schemas/team.ts';

import type { Config } from '../config/config.ts';
import { DATABASE_FILE } from '../embedded/open.ts';
import { createStaffData } from '../embedded/staff-data.ts';
import { toReason } from '../kernel/embedded-error.ts';
import { UPSTREAM_TIMEOUT_MS } from '../kernel/limits.ts';
import { findSqliteCode, SQLITE } from '../kernel/sqlite-code.ts';

/** Addresses that mean "all of this machine" to a server and are unusable for a caller. */
const WILDCARDS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

/** Where the server of these settings listens. */
export const toServerUrl = ({ host, port }: Config): string => {
  const reachable = WILDCARDS[host] ?? (host.includes(':') ? `[${host}]` : host);
  return `http://${reachable}:${port}`;
};

/**
 * The health of the server at the address of these settings, as text; undefined unless it accepts
 * requests. An agent of its own ignores the proxy of the environment, which is for other servers.
 */
export const readHealth = (config: Config): Promise<string | undefined> =>
  new Promise<string | undefined>((resolve, reject) => {
    const options = { agent: new Agent(), signal: AbortSignal.timeout(UPSTREAM_TIMEOUT_MS) };
    const request = get(`${toServerUrl(config)}/api/health`, options, (answer) => {
      const isOk = answer.statusCode === 200;
      text(answer).then((body) => resolve(isOk ? body : undefined), reject);
    });
    request.once('error', reject);
  }).catch(() => undefined);

/** Whether a Replay Desk accepts requests at the address of these settings. */
export const isAnswering = async (config: Config): Promise<boolean> =>
  (await readHealth(config)) !== undefined;

/** Whether the server rejects a token made from these settings: its data or secret differs. */
export const isForeign = async (realtime: Realtime, room: RoomKey): Promise<boolean> => {
  const answer = await realtime.readHistory({ room, count: 1 }, new AbortController().signal);
  return !answer.ok && answer.error.kind === 'unauthenticated';
};

/** `waiting`: the server has never run here, so there are no names yet. */
export type NameError =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly known: readonly string[] };

/** Faults of a database that stay until someone repairs it. */
const LASTING: ReadonlySet<number | undefined> = new Set([
  SQLITE.inputOutput,
  SQLITE.corrupt,
  SQLITE.cannotOpen,
  SQLITE.noDatabase,
]);

/**
 * A client's full name from the embedded data, read while the server runs. With a product API the
 * names are not stored here: the client's id is used.
 */
export const findClientName = (config: Config, clientId: string): Result<string, NameError> => {
  if (config.apiBaseUrl !== undefined) return ok(clientId);
  const file = join(config.dataDir, DATABASE_FILE);
  if (!existsSync(file)) return fail({ kind: 'waiting' });
  let sql: DatabaseSync | undefined;
  try {
    sql = new DatabaseSync(file, { readOnly: true, timeout: 1000 });
    const staffData = createStaffData(sql);
    const client = staffData.findClient(clientId);
    if (client !== undefined) return ok(toFullName(client));
    const known = staffData.listTeams().map((team) => `${team.client_id} ${toFullName(team)}`);
    return fail({ kind: 'unknown', known });
  } catch (thrown) {
    // Otherwise the first start is still creating the tables.
    return LASTING.has(findSqliteCode(thrown))
      ? fail({ kind: 'unreadable', reason: toReason(thrown) })
      : fail({ kind: 'waiting' });
  } finally {
    sql?.close();
  }
};
