import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

import { v7 } from 'uuid';

import { type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { toFullName } from '#domain/schemas/team.ts';
import { fromEpochMs, laterOf, nextTimetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import type { LogRow } from '../../realtime/log/row.ts';
import { DEMO_ACCOUNTS, DEMO_CLIENTS } from './people.ts';
import { parseScript, type Speaker } from './script.ts';
import { type TimedLine, toTimeline } from './timeline.ts';

const ROOMS = new URL('rooms/', import.meta.url);
const [PRODUCER, TEAM] = DEMO_ACCOUNTS;

export interface DemoRow extends LogRow {
  readonly id: string;
}

interface ScriptedMessage extends TimedLine {
  readonly room: RoomKey;
  readonly clientId: string;
  readonly id: string;
}

const IDS_FROM = Date.parse('2026-01-01T00:00:00Z');

/**
 * Message ids are the same in every seeded folder, so that a browser that has the conversation from
 * an earlier one shows it once.
 */
const toMessageId = (room: RoomKey, index: number): string =>
  v7({
    msecs: IDS_FROM + index,
    seq: index,
    random: createHash('sha256').update(`${room} ${index}`).digest(),
  });

/** Publisher and name of a speaker in a client's room. */
const toSpeaker = (speaker: Speaker, clientId: string): readonly [string, string] => {
  if (speaker === 'J') return [PRODUCER.uid, PRODUCER.name];
  if (speaker === 'L') return [TEAM.uid, TEAM.name];
  const client = DEMO_CLIENTS.find(({ client_id }) => client_id === clientId);
  return [`client:${clientId}`, client ? toFullName(client) : clientId];
};

/** File names begin with the client's id. */
const readScript = (file: string, now: number): readonly ScriptedMessage[] => {
  const clientId = file.slice(0, 'c_000'.length);
  return parseScript(readFileSync(new URL(file, ROOMS), 'utf8')).flatMap(({ roomId, scenes }) => {
    const room = toRoomKey(clientId, roomId);
    return toTimeline(scenes, now).map((line, index) =>
      Object.assign({ room, clientId, id: toMessageId(room, index) }, line),
    );
  });
};

/** All demo conversations as rows of the log, in rising order, ending shortly before `now`. */
export const listDemoRows = (now: number): readonly DemoRow[] => {
  let timetoken = TIMETOKEN_ZERO;
  return readdirSync(ROOMS)
    .flatMap((file) => readScript(file, now))
    .sort((a, b) => a.at - b.at)
    .map(({ room, clientId, speaker, text, at, id }) => {
      timetoken = laterOf(fromEpochMs(at), nextTimetoken(timetoken));
      const [publisher, clientName] = toSpeaker(speaker, clientId);
      const message = JSON.stringify({ text, clientName, clientAvatar: '', id });
      return { room, timetoken, publisher, id, message };
    });
};
