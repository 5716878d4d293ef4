import { v7 } from 'uuid';

import { createRealtimeClient } from '#tests/support/server/realtime-client.ts';
import { mustOpen } from '#tests/support/server/realtime-server.ts';

import { type Product, startProduct } from '../world/product.ts';
import type { Settings } from '../bench.ts';
import type { Figure } from '../figure.ts';
import { openPublisher } from './load.ts';

const CHANNEL = 'chat.c_016.team';
const ROOM = 'c_016/team';

/** Publishes on one connection until the server is gone; records what was acknowledged. */
const publishUntilGone = async (
  engine: Product,
  acknowledged: Map<string, string>,
): Promise<void> => {
  const publisher = await openPublisher(engine.port(), engine.tokens());
  for (;;) {
    const id = v7();
    const timetoken = await publisher.publish(CHANNEL, 'do not lose me', id);
    if (timetoken === undefined) return;
    acknowledged.set(id, timetoken);
  }
};

/** E3: an acknowledged publish is on disk, whenever the process is killed. */
export const measureDurability = async ({
  product,
  isQuick,
}: Settings): Promise<readonly Figure[]> => {
  const [rounds, perRound] = isQuick ? [5, 300] : [100, 300];
  const engine = await startProduct(product);
  const acknowledged = new Map<string, string>();
  let slowest = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const senders = Array.from({ length: 16 }, () => publishUntilGone(engine, acknowledged));
    while (acknowledged.size < round * perRound) await new Promise((next) => setTimeout(next, 2));
    await engine.kill();
    await Promise.all(senders);
    const from = performance.now();
    await engine.start();
    slowest = Math.max(slowest, performance.now() - from);
  }
  await engine.kill();
  const data = await mustOpen(engine.dataDir);
  const rows = data.sql.prepare('SELECT id, timetoken FROM log WHERE room = ?').all(ROOM);
  const stored = new Map(rows.map((row) => [String(row['id']), String(row['timetoken'])]));
  const lost = [...acknowledged].filter(([id, timetoken]) => stored.get(id) !== timetoken).length;
  const integrity = data.sql.prepare('PRAGMA integrity_check').get()?.['integrity_check'];
  data.close();
  await engine.dispose();
  const id = 'E3';
  const what = `${rounds} kills, ${acknowledged.size.toLocaleString('en')} acknowledged`;
  return [
    { id, what: `${what}: lost`, measured: [lost], unit: '', target: 0 },
    {
      id,
      what: `${what}: damage found`,
      measured: [integrity === 'ok' ? 0 : 1],
      unit: '',
      target: 0,
    },
    {
      id,
      what: 'slowest start to first answer',
      measured: [slowest / 1000],
      unit: 's',
      target: 5,
      stretch: 1,
    },
  ];
};

/** E5: a reader that was away reads from the log, across a restart. */
export const measureBacklog = async ({
  product,
  isQuick,
}: Settings): Promise<readonly Figure[]> => {
  const missed = isQuick ? 1000 : 10_000;
  const engine = await startProduct(product);
  const reader = createRealtimeClient(engine.port(), engine.token());
  const before = await reader.stream();
  await before.until('the first beat', ({ beats }) => beats.length > 0);
  const cursor = before.beats.at(-1);
  before.stop();
  const publishers = await Promise.all(
    Array.from({ length: 16 }, () => openPublisher(engine.port(), engine.tokens())),
  );
  const timetokens: string[] = [];
  const work = async (index: number): Promise<void> => {
    for (let n = index; n < missed; n += 16) {
      timetokens.push((await publishers[index]!.publish(CHANNEL, `missed ${n}`)) ?? '');
    }
  };
  await Promise.all(publishers.map((_, index) => work(index)));
  await engine.kill();
  await engine.start();
  const back = await createRealtimeClient(engine.port(), engine.token()).stream(cursor);
  await back.until('everything missed', ({ entries }) => entries.length >= missed);
  const got = back.entries.map(({ timetoken }) => timetoken);
  const wrong = timetokens.toSorted().filter((timetoken, i) => got[i] !== timetoken).length;
  back.stop();
  await engine.dispose();
  const what = `${missed.toLocaleString('en')} missed over a restart: lost, duplicated or out of order`;
  return [{ id: 'E5', what, measured: [wrong], unit: '', target: 0 }];
};

/** E6: a publish repeated concurrently on many connections is one message. */
export const measureIdempotence = async ({
  product,
  isQuick,
}: Settings): Promise<readonly Figure[]> => {
  const messages = isQuick ? 100 : 1000;
  const engine = await startProduct(product);
  const publishers = await Promise.all(
    Array.from({ length: 5 }, () => openPublisher(engine.port(), engine.tokens())),
  );
  let odd = 0;
  for (let n = 0; n < messages; n += 1) {
    const id = v7();
    const answers = await Promise.all(
      publishers.map((publisher) => publisher.publish(CHANNEL, 'five times', id)),
    );
    if (answers[0] === undefined || new Set(answers).size !== 1) odd += 1;
  }
  await engine.kill();
  const data = await mustOpen(engine.dataDir);
  const rows = Number(
    data.sql.prepare('SELECT count(*) AS n FROM log WHERE room = ?').get(ROOM)?.['n'],
  );
  data.close();
  await engine.dispose();
  const what = `${messages} messages published five times at once`;
  return [
    {
      id: 'E6',
      what: `${what}: answered with different timetokens`,
      measured: [odd],
      unit: '',
      target: 0,
    },
    {
      id: 'E6',
      what: `${what}: excess rows`,
      measured: [rows - messages],
      unit: '',
      target: 0,
    },
  ];
};
