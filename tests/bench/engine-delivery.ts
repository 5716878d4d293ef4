import { setTimeout as pause } from 'node:timers/promises';

import { startEngine } from './engine-process.ts';
import { type Figure, findPercentile } from './figure.ts';
import { openCrowd, openPublisher, toMarked } from './load.ts';

const CHANNEL = 'chat.c_016.team';

interface Load {
  readonly subscribers: number;
  readonly perSecond: number;
  readonly seconds: number;
}

/** Publishes at a steady rate to many subscribers; every entry must reach each of them. */
const deliver = async ({ subscribers, perSecond, seconds }: Load) => {
  const engine = await startEngine();
  const crowd = await openCrowd(engine.port(), engine.tokens(), subscribers);
  const publishers = await Promise.all(
    Array.from({ length: 8 }, () => openPublisher(engine.port(), engine.tokens())),
  );
  const count = perSecond * seconds;
  const from = performance.now();
  const cpu = engine.cpu();
  let memory = 0;
  const publishes: Promise<unknown>[] = [];
  for (let n = 0; n < count; n += 1) {
    const due = from + (n * 1000) / perSecond;
    if (due > performance.now()) await pause(due - performance.now());
    publishes.push(publishers[n % 8]!.publish(CHANNEL, toMarked()));
    if (n % perSecond === 0) memory = Math.max(memory, engine.memory());
  }
  await Promise.all(publishes);
  const expected = count * subscribers;
  for (let waited = 0; crowd.delays.length < expected && waited < 100; waited += 1)
    await pause(100);
  const used = (engine.cpu() - cpu) / (performance.now() - from);
  const lost = expected - crowd.delays.length;
  crowd.close();
  for (const publisher of publishers) publisher.close();
  await engine.dispose();
  return {
    p50: findPercentile(crowd.delays, 0.5),
    p99: findPercentile(crowd.delays, 0.99),
    memory,
    lost,
    used,
  };
};

/** E1: delivery to many subscribers. */
export const measureDelivery = async (isQuick: boolean): Promise<readonly Figure[]> => {
  const seconds = isQuick ? 5 : 20;
  const some = await deliver({ subscribers: 1000, perSecond: 50, seconds });
  const id = 'E1';
  const of = '1,000 subscribers, 50/s';
  const figures: Figure[] = [
    {
      id,
      what: `${of}: p99 delivery (p50 ${some.p50.toFixed(1)} ms, ${Math.round(some.used * 100)} % of a core)`,
      value: some.p99,
      unit: 'ms',
      floor: 50,
      better: 'less',
    },
    { id, what: `${of}: memory`, value: some.memory, unit: 'MB', floor: 200, better: 'less' },
    { id, what: `${of}: lost`, value: some.lost, unit: '', floor: 0, better: 'less' },
  ];
  if (isQuick) return figures;
  const many = await deliver({ subscribers: 5000, perSecond: 200, seconds: 10 });
  return [
    ...figures,
    {
      id,
      what: `5,000 subscribers, 200/s (a lead only): p99 delivery`,
      value: many.p99,
      unit: 'ms',
      floor: Infinity,
      lead: 500,
      better: 'less',
    },
    {
      id,
      what: `5,000 subscribers, 200/s (a lead only): memory`,
      value: many.memory,
      unit: 'MB',
      floor: Infinity,
      lead: 400,
      better: 'less',
    },
    {
      id,
      what: `5,000 subscribers, 200/s: lost`,
      value: many.lost,
      unit: '',
      floor: 0,
      better: 'less',
    },
  ];
};

/** E2: idle subscribers. */
export const measureIdle = async (isQuick: boolean): Promise<readonly Figure[]> => {
  const size = isQuick ? 2000 : 10_000;
  const engine = await startEngine();
  const crowd = await openCrowd(engine.port(), engine.tokens(), size);
  await pause(isQuick ? 5000 : 30_000);
  const [held, memory] = [crowd.connected(), engine.memory()];
  crowd.close();
  await engine.dispose();
  const id = 'E2';
  const what = `${size.toLocaleString('en')} idle subscribers`;
  return [
    { id, what: `${what}: gone`, value: size - held, unit: '', floor: 0, better: 'less' },
    { id, what: `${what}: memory`, value: memory, unit: 'MB', floor: 400, better: 'less' },
  ];
};

/** E4: durable publishes. */
export const measureThroughput = async (isQuick: boolean): Promise<readonly Figure[]> => {
  const engine = await startEngine();
  const until = performance.now() + (isQuick ? 2000 : 8000);
  const from = performance.now();
  let count = 0;
  const work = async (): Promise<void> => {
    const publisher = await openPublisher(engine.port(), engine.tokens());
    while (performance.now() < until) {
      if ((await publisher.publish(CHANNEL, 'durable')) !== undefined) count += 1;
    }
    publisher.close();
  };
  await Promise.all(Array.from({ length: 64 }, work));
  const perSecond = (count * 1000) / (performance.now() - from);
  await engine.dispose();
  return [
    {
      id: 'E4',
      what: 'durable publishes',
      value: perSecond,
      unit: '/s',
      floor: 1000,
      lead: 5000,
      better: 'more',
    },
  ];
};
