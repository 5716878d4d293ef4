import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { fromEpochMs } from '#domain/timetoken.ts';
import {
  createRealtimeClient,
  createTestTokens,
  toMessage,
} from '#tests/support/server/realtime-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

const HOUR_MS = 3_600_000;
const CHANNEL = 'chat.c_003.general';

let server: WebServer;

beforeEach(async () => {
  server = await startWebServer();
});
afterEach(() => server.dispose());

/** Simulates a clock that was ahead when the last message was stored. */
const storeAhead = (timetoken: string): void => {
  const sql = new DatabaseSync(join(server.dataDir, 'desk.sqlite'));
  sql
    .prepare(
      `INSERT INTO log (timetoken, room, ordinal, publisher, id, message)
       VALUES (?, 'c_003/general', 1000, 'u_team', 'ahead', '{"id":"ahead","text":"ahead"}')`,
    )
    .run(timetoken);
  sql.close();
};

test('a start with a clock behind the newest message logs this, and times keep rising', async () => {
  expect(server.log()).not.toContain('clock is behind');
  const ahead = fromEpochMs(Date.now() + HOUR_MS);
  storeAhead(ahead);
  server = await server.restart();
  expect(server.log()).toMatch(/"level":40.*"behindMs":3[56]\d{5}.*the clock is behind/);
  const staff = createRealtimeClient(server.port, createTestTokens(server.dataDir).staff());
  const answers = [
    await staff.publish(CHANNEL, toMessage('one')),
    await staff.publish(CHANNEL, toMessage('two')),
  ];
  const times = [ahead, ...answers.map((answer) => String(answer.json()['timetoken']))];
  expect(times).toEqual([...new Set(times)].toSorted());
});
