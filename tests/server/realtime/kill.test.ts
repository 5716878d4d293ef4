import { afterEach, beforeEach, expect, test } from 'vitest';

import { type NodeProcess, runScript } from '#tests/support/process/node-process.ts';
import {
  createRealtimeClient,
  createTestTokens,
  type RealtimeClient,
  toMessage,
} from '#tests/support/server/realtime-client.ts';
import { makeDataDir, mustOpen, removeDataDir } from '#tests/support/server/realtime-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const ROUNDS = 4;
const SENDERS = 16;
const ACKNOWLEDGED_PER_ROUND = 300;
const CHANNEL = 'chat.c_016.team';

let dataDir: string;
let server: NodeProcess;

beforeEach(() => {
  dataDir = makeDataDir();
});
afterEach(async () => {
  server.kill('SIGKILL');
  await server.exited;
  removeDataDir(dataDir);
});

const start = async (): Promise<RealtimeClient> => {
  server = runScript('server/bin/start.ts', ['--built'], {
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'silent',
  });
  await server.waitForOutput('Press Ctrl+C');
  const port = Number(/localhost:(\d+)/.exec(server.output())?.[1]);
  return createRealtimeClient(port, createTestTokens(dataDir).staff());
};

/**
 * Publishes continuously until the server is gone; records the acknowledged messages. Returns the
 * message that was not acknowledged.
 */
const publishUntilGone = async (
  client: RealtimeClient,
  acknowledged: Map<string, string>,
): Promise<ReturnType<typeof toMessage>> => {
  for (;;) {
    const message = toMessage('do not lose me');
    const answer = await client.publish(CHANNEL, message).catch(() => undefined);
    if (answer?.status !== 200) return message;
    acknowledged.set(message.id, String(answer.json()['timetoken']));
  }
};

/** Repeats unanswered publishes: whether stored before or not, each is stored once afterwards. */
const publishAgain = async (
  client: RealtimeClient,
  unanswered: readonly ReturnType<typeof toMessage>[],
  acknowledged: Map<string, string>,
): Promise<void> => {
  for (const message of unanswered) {
    const [one, other] = await Promise.all([1, 2].map(() => client.publish(CHANNEL, message)));
    expect(one?.json()).toEqual(other?.json());
    acknowledged.set(message.id, String(one?.json()['timetoken']));
  }
};

test('a server killed during publishes has stored every acknowledged one', async () => {
  const acknowledged = new Map<string, string>();
  let unanswered: readonly ReturnType<typeof toMessage>[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const client = await start();
    await publishAgain(client, unanswered, acknowledged);
    const senders = Array.from({ length: SENDERS }, () => publishUntilGone(client, acknowledged));
    await waitFor('acknowledgements', () => acknowledged.size >= round * ACKNOWLEDGED_PER_ROUND);
    server.kill('SIGKILL');
    expect(await server.exited).toBe('SIGKILL');
    unanswered = await Promise.all(senders);
  }
  const data = await mustOpen(dataDir);
  const rows = data.sql.prepare('SELECT id, timetoken FROM log WHERE room = ?').all('c_016/team');
  const stored = new Map(rows.map((row) => [String(row['id']), String(row['timetoken'])]));
  expect(rows).toHaveLength(stored.size);
  const lost = [...acknowledged].filter(([id, timetoken]) => stored.get(id) !== timetoken);
  expect(lost).toEqual([]);
  expect(data.sql.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  data.close();
});
