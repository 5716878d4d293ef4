import { fromEpochMs } from '#domain/timetoken.ts';
import { PIPELINED_MAX } from '#server/kernel/limits.ts';
import {
  createRealtimeClient,
  createTestTokens,
  toMessage,
} from '#tests/support/server/realtime-client.ts';
import { sendRaw } from '#tests/support/server/web-client.ts';

import { type Attack, inForms, under } from '../attack.ts';

const ROOM = 'chat.c_011.team';
const MINUTE_MS = 60_000;
/** Far more time than two requests on loopback take. */
const SLACK_MS = 20_000;

/** One user opens a stream with a cursor in the future, another one writes. */
const movedClocks = under(
  'the server’s clock moved by',
  inForms<number>(
    [
      ['58 minutes', 58 * MINUTE_MS],
      ['a second', 1000],
      ['a year', 365 * 24 * 60 * MINUTE_MS],
    ],
    async ({ server, tokens }, ahead) => {
      const attacker = createRealtimeClient(server.port, tokens.staff('u_team', 'another-session'));
      const cursor = fromEpochMs(Date.now() + SLACK_MS + ahead);
      const stream = await attacker.stream(cursor);
      await stream.until('a beat', ({ beats }) => beats.length > 0);
      const other = createRealtimeClient(server.port, tokens.staff());
      const answer = await other.publish(ROOM, toMessage('what time is it?'));
      stream.stop();
      return [answer.status, String(answer.json()['timetoken']) < cursor];
    },
    [200, true],
  ),
);

const countStatuses = (statuses: readonly number[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

/**
 * Opens many streams concurrently; returns the results of other users, and of the same one
 * elsewhere.
 */
const crowding: Attack = {
  title: 'unlimited streams, by one browser',
  attempt: ({ alone }) =>
    alone(async (server) => {
      const tokens = createTestTokens(server.dataDir);
      const open = (sid: string, uid?: string) =>
        createRealtimeClient(server.port, tokens.staff(uid, sid)).stream();
      const opened = await Promise.all(Array.from({ length: 100 }, () => open('one')));
      const others = [await open('two'), await open('three', 'u_team')];
      for (const stream of [...opened, ...others]) stream.stop();
      const refused = opened.find(({ status }) => status === 429);
      const wait = Number(refused?.headers.get('retry-after'));
      return [
        countStatuses(opened.map(({ status }) => status)),
        others.map(({ status }) => status),
        wait >= 1 && wait <= 60,
        refused?.headers.get('content-type'),
      ];
    }),
  outcome: [{ 200: 16, 429: 84 }, [200, 200], true, 'application/json'],
};

const crowdingByPerson: Attack = {
  title: 'unlimited streams, by one person in many browsers',
  attempt: ({ alone }) =>
    alone(async (server) => {
      const tokens = createTestTokens(server.dataDir);
      const opened = await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          createRealtimeClient(server.port, tokens.staff('u_team', `session-${n}`)).stream(),
        ),
      );
      for (const stream of opened) stream.stop();
      return countStatuses(opened.map(({ status }) => status));
    }),
  outcome: { 200: 64, 429: 36 },
};

/** More than a person may publish at once, sent without waiting for an answer. */
const FLOOD = 3000;
/** As many as a connection may have without an answer, with the one that closes it. */
const BATCH = PIPELINED_MAX - 1;

const toPublishBytes = (token: string): string => {
  const body = JSON.stringify({ channel: ROOM, message: toMessage('noise') });
  const head = ['POST /api/realtime/publish HTTP/1.1', 'host: localhost'];
  const more = [`authorization: Bearer ${token}`, `content-length: ${body.length}`];
  return `${[...head, ...more].join('\r\n')}\r\n\r\n${body}`;
};

const LAST = 'GET /api/health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n';

const flooding: Attack = {
  title: 'a flood of messages, which does not delay others',
  attempt: ({ alone }) =>
    alone(async (server) => {
      const tokens = createTestTokens(server.dataDir);
      const attacker = tokens.staff('u_team', 'one');
      const batch = Array.from({ length: BATCH }, () => toPublishBytes(attacker)).join('');
      const received = await Promise.all(
        Array.from({ length: FLOOD / BATCH }, () => sendRaw(server.port, batch + LAST)),
      );
      const answers = received.flatMap((text) => text.split('HTTP/1.1 ').slice(1, -1));
      const stored = answers.filter((answer) => answer.startsWith('200'));
      const refused = answers.filter((answer) => !answer.startsWith('200'));
      const other = createRealtimeClient(server.port, tokens.staff());
      const { status } = await other.publish(ROOM, toMessage('beside the flood'));
      const history = await other.history({ channel: ROOM, count: '2' });
      return [
        [answers.length, stored.length >= 1000, refused.length > 0],
        refused.filter((answer) => !/^429 .*\r\nretry-after: 1\r\n/is.test(answer)),
        status,
        history.map(({ message }) => message.text),
      ];
    }),
  outcome: [[FLOOD, true, true], [], 200, ['noise', 'beside the flood']],
};

/** Actions by which one signed-in user could harm others. */
export const staffAbuse: readonly Attack[] = [...movedClocks, crowding, crowdingByPerson, flooding];
