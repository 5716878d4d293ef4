import type { Realtime } from '#domain/ports/network.ts';
import { CHANNEL_TEMPLATE_DEFAULT } from '#domain/rooms.ts';
import { findOwnChannel, findStaffChannel, toSubscription } from '#domain/rules/subscription.ts';
import type { HostedConfig } from '#domain/schemas/config.ts';
import { createPubnubRealtime } from '#src/adapters/pubnub/pubnub-realtime.ts';
import { type PubnubEndpoint, startPubnubEndpoint } from '#tests/support/pubnub/endpoint.ts';
import { installPageDocument } from '#tests/support/pubnub/page-document.ts';
import {
  type ScriptedEndpoint,
  sendJson,
  startScriptedEndpoint,
} from '#tests/support/services/scripted-endpoint.ts';

/** Short enough for tests; a poll that is quiet for this long is reopened. */
const POLL_MS = 3000;
/** Too long for tests that do not choose another value. */
const PROBE_MS = 600_000;
const STALL_MS = 2000;
const TIMEOUT_MS = 6000;
const TTL_MINUTES = 15;

const toClientIds = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `c_${at + 1}`);

/** The test double of the hosted engine, and a server that grants access to it. */
export interface PubnubEngine {
  readonly endpoint: PubnubEndpoint;
  readonly server: ScriptedEndpoint;
  /** Codes of the log lines so far. */
  readonly logged: readonly string[];
  /** The adapter of one user, with the real SDK. */
  connect(uid: string): Realtime;
  /** Tokens from now on include these clients. */
  grant(clientIds: readonly string[]): void;
  countTokens(): number;
  /** Moves the devices' clocks. */
  advance(ms: number): void;
  close(): Promise<void>;
}

export interface PubnubEngineOptions {
  readonly clientIds?: readonly string[];
  readonly needsToken?: boolean;
  /** How long a poll may be quiet, ms. */
  readonly pollMs?: number;
  /** Time between two probes, ms. */
  readonly probeMs?: number;
  /** A call times out after this, ms. */
  readonly timeoutMs?: number;
}

export const startPubnubEngine = async (
  options: PubnubEngineOptions = {},
): Promise<PubnubEngine> => {
  installPageDocument();
  const {
    clientIds = toClientIds(99),
    needsToken = true,
    pollMs = POLL_MS,
    probeMs = PROBE_MS,
    timeoutMs = TIMEOUT_MS,
  } = options;
  const endpoint = await startPubnubEndpoint({ needsToken });
  const server = await startScriptedEndpoint();
  const logged: string[] = [];
  let ahead = 0;
  let granted = clientIds;
  const toPattern = () => `^chat\\.(${granted.join('|')})\\.(team|general|producers|\\*)$`;
  const toPermissions = (uid: string, logs: readonly string[]) => ({
    uuid: uid,
    resources: { channels: Object.fromEntries(logs.map((name) => [name, 3])) },
    patterns: { channels: { [toPattern()]: 3 } },
  });
  const issue = (uid: string) => {
    const template = CHANNEL_TEMPLATE_DEFAULT;
    const logs = [findOwnChannel(template, uid), findStaffChannel(template)].flatMap(
      (channel) => channel ?? [],
    );
    const permissions = toPermissions(uid, logs);
    return {
      token: needsToken ? endpoint.access.issue({ ttl: TTL_MINUTES, permissions }) : '',
      expires: Date.now() + ahead + TTL_MINUTES * 60_000,
      uid,
      channels: [...toSubscription(template, granted), ...logs],
    };
  };
  const config: HostedConfig = {
    version: '1',
    demo: false,
    engine: 'hosted',
    channelTemplate: CHANNEL_TEMPLATE_DEFAULT,
    subscribeKey: 'sub-c-test',
    publishKey: 'pub-c-test',
    origin: endpoint.origin,
    ssl: false,
  };
  return {
    endpoint,
    server,
    logged,
    connect: (uid) => {
      const path = `/${uid}`;
      server.on(`${path}/api/realtime/token`, (request, response) =>
        sendJson(issue(uid))(request, response),
      );
      return createPubnubRealtime({
        web: { origin: server.origin + path, fetch, timeoutMs },
        clock: { now: () => Date.now() + ahead },
        log: { write: (_level, code) => void logged.push(code) },
        config,
        limits: { pollMs, probeMs, stallMs: STALL_MS },
      });
    },
    grant: (ids) => {
      granted = ids;
    },
    countTokens: () => server.requests.filter((line) => line.endsWith('/realtime/token')).length,
    advance: (ms) => {
      ahead += ms;
    },
    close: async () => {
      await server.close();
      await endpoint.close();
    },
  };
};
