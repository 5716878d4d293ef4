import { fromEpochMs } from '#domain/timetoken.ts';
import { createRealtimeClient, toMessage } from '#tests/support/realtime-client.ts';

import { type Attack, inForms, under } from './attack.ts';

const ROOM = 'chat.c_011.team';
const MINUTE_MS = 60_000;
/** Far more than two requests on loopback take. */
const SLACK_MS = 20_000;

/** One person opens a stream at a cursor of the future, another one writes. */
const movedClocks = under(
  'everybody’s clock moved by',
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

/** What one signed-in person could do to all others. */
export const staffAbuse: readonly Attack[] = [...movedClocks];
