import { setTimeout as sleep } from 'node:timers/promises';

import { fail, type Result } from '#domain/result.ts';
import { toRoomKey } from '#domain/rooms.ts';

import { CLIENT_USAGE, type ClientArguments, parseClientArguments } from '../client/arguments.ts';
import { findClientName, isAnswering, isForeign, toServerUrl } from '../client/server-address.ts';
import { openClientScreen } from '../client/screen.ts';
import { createClientRealtime } from '../client/realtime.ts';
import { runClient } from '../client/session.ts';
import { type Config, loadConfig } from '../config/config.ts';
import { createTokens } from '../realtime/token.ts';
import { findSecret } from '../kernel/secret.ts';
import { ignoreTerminalErrors, report } from './command-line.ts';

/** `npm run client`: a client of the service at a terminal (see CLIENT_USAGE). */

const POLL_INTERVAL_MS = 1000;
const HOSTED =
  'The terminal client works with the embedded engine only, and PUBNUB_SUBSCRIBE_KEY is set. ' +
  "Use an app of the hosted service, or PubNub's debug console, on the channels of CHANNEL_TEMPLATE.";

const toForeign = (config: Config): string =>
  `The server at ${toServerUrl(config)} does not keep its data in ${config.dataDir}, ` +
  'or uses another AUTH_SECRET.\nSet DATA_DIR and AUTH_SECRET to the values of that server, ' +
  'or PORT and HOST to reach another one.';

const toWaiting = (config: Config): string =>
  `No server has used DATA_DIR=${config.dataDir} yet, and none answers on PORT=${config.port}.\n` +
  'If one runs elsewhere, set DATA_DIR and PORT to its values. Waiting for "npm start" …';

const toUnknown = ({ dataDir }: Config, clientId: string, known: readonly string[]): string => {
  const list = known.length > 0 ? `Clients:\n  ${known.join('\n  ')}` : 'It has no clients yet.';
  return `There is no client ${clientId} in ${dataDir}. ${list}`;
};

const toUnreadable = ({ dataDir }: Config, reason: string): string =>
  `The data in ${dataDir} cannot be read: ${reason}. Check its owner and mode, or restore a backup.`;

/** The client's name, as soon as there is data to look it up in; else the exit code. */
const waitForName = async (config: Config, clientId: string): Promise<Result<string, number>> => {
  for (let isFirst = true; ; isFirst = false) {
    const name = findClientName(config, clientId);
    if (name.ok) return name;
    const { error } = name;
    if (error.kind === 'unknown') return fail(report(toUnknown(config, clientId, error.known)));
    if (error.kind === 'unreadable') return fail(report(toUnreadable(config, error.reason), 1));
    // A server creates its data before it answers: check again, it may just have created it.
    if ((await isAnswering(config)) && !findClientName(config, clientId).ok) {
      return fail(report(toForeign(config)));
    }
    if (isFirst) report(toWaiting(config));
    await sleep(POLL_INTERVAL_MS);
  }
};

const talk = async (config: Config, { clientId, roomId }: ClientArguments): Promise<number> => {
  if (config.hosted !== undefined) return report(HOSTED);
  if (config.port === 0) return report('PORT is 0: set PORT to the port the server printed.');
  const clientName = await waitForName(config, clientId);
  if (!clientName.ok) return clientName.error;
  const room = toRoomKey(clientId, roomId);
  const url = toServerUrl(config);
  const realtime = createClientRealtime({
    url,
    template: config.channelTemplate,
    mintToken: () => {
      // Read each time: emptying the data folder changes it.
      const secret = findSecret(config);
      return secret ? createTokens(secret).forClient(clientId) : undefined;
    },
  });
  if (await isForeign(realtime, room)) return report(toForeign(config));
  return runClient({
    realtime,
    url,
    room,
    clientName: clientName.value,
    screen: openClientScreen(),
  });
};

const main = async (): Promise<number> => {
  // Lines are sent although nobody reads the conversation any more.
  ignoreTerminalErrors();
  const args = parseClientArguments(process.argv.slice(2));
  if (!args.ok) return report(`${args.error}\n\n${CLIENT_USAGE}`);
  if (args.value === 'help') {
    process.stdout.write(CLIENT_USAGE);
    return 0;
  }
  const config = loadConfig();
  return config.ok ? talk(config.value, args.value) : report(config.error.join('\n'));
};

process.exitCode = await main();
