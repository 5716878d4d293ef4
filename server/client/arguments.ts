import { parseArgs } from 'node:util';

import { fail, ok, type Result } from '#domain/result.ts';
import { isClientId, isRoomId, ROOM_IDS, type RoomId } from '#domain/rooms.ts';

export interface ClientArguments {
  readonly clientId: string;
  readonly roomId: RoomId;
}

const ROOM_DEFAULT: RoomId = 'team';

export const CLIENT_USAGE = `Usage: npm run client -- --client <client id> [--room ${ROOM_IDS.join('|')}]

Chats with the staff as one of their clients, live, through the running server.
PORT, HOST, DATA_DIR, API_BASE_URL, AUTH_SECRET and CHANNEL_TEMPLATE (environment or .env)
must match that server.
Each line you type or pipe in is sent as one message. The default room is ${ROOM_DEFAULT}.

Example: npm run client -- --client c_001 --room general
`;

/** The arguments of the terminal client, or what is wrong with them. */
export const parseClientArguments = (
  args: readonly string[],
): Result<ClientArguments | 'help', string> => {
  try {
    const options = {
      client: { type: 'string' },
      room: { type: 'string', default: ROOM_DEFAULT },
      help: { type: 'boolean', short: 'h', default: false },
    } as const;
    const { client, room, help } = parseArgs({ args: [...args], options }).values;
    if (help) return ok('help');
    if (client === undefined) return fail('--client is missing. Name the client to write as.');
    if (!isClientId(client)) return fail(`--client ${JSON.stringify(client)} is not a client id.`);
    if (isRoomId(room)) return ok({ clientId: client, roomId: room });
    return fail(`--room ${JSON.stringify(room)} is not a room. Rooms are: ${ROOM_IDS.join(', ')}.`);
  } catch (thrown) {
    return fail(thrown instanceof Error ? thrown.message : String(thrown));
  }
};
