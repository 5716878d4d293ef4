import { setTimeout as pause } from 'node:timers/promises';

import { type Product, startProduct } from '../world/product.ts';
import type { Settings } from '../bench.ts';
import { type Figure, findPercentile } from '../figure.ts';
import { openCrowd, openPublisher, toMarked } from './load.ts';

const CHANNEL = 'chat.c_016.team';

interface Load {
  readonly subscribers: number;
  readonly perSecond: number;
  readonly seconds: number;
}

/**
 * Publishes at a steady rate to many subscribers; every entry must reach each of them. Disposes of
 * the engine.
 */
export const deliver = async (
  engine: Pick<Product, 'port' | 'tokens' | 'cpu' | 'memory' | 'dispose'>,
  { subscribers, perSecond, seconds }: Load,
) => {
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
    const early = from + (n * 1000) / perSecond - performance.now();
    if (early > 0) await pause(early);
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
    delays: crowd.delays,
    p50: findPercentile(crowd.delays, 0.5),
    p99: findPercentile(crowd.delays, 0.99),
    memory,
    lost,
    used,
  };
};

/** E1: delivery to many subscribers. */
export const measureDelivery = async ({
  product,
  isQuick,
}: Settings): Promise<readonly Figure[]> => {
  const seconds = isQuick ? 5 : 20;
  const some = await deliver(await startProduct(product), {
    subscribers: 1000,
    perSecond: 50,
    seconds,
  });
  const id = 'E1';
  const of = '1,000 subscribers, 50/s';
  const figures: Figure[] = [
    {
      id,
      what: `${of}: p99 delivery (p50 ${some.p50.toFixed(1)} ms, ${Math.round(some.used * 100)} % of a core)`,
      measured: [some.p99],
      unit: 'ms',
      target: 50,
    },
    { id, what: `${of}: memory`, measured: [some.memory], unit: 'MB', target: 200 },
    { id, what: `${of}: lost`, measured: [some.lost], unit: '', target: 0 },
  ];
  if (isQuick) return figures;
  const many = await deliver(await startProduct(product), {
    subscribers: 5000,
    perSecond: 200,
    seconds: 10,
  });
  return [
    ...figures,
    {
      id,
      what: '5,000 subscribers, 200/s (stretch target only): p99 delivery',
      measured: [many.p99],
      unit: 'ms',
      stretch: 500,
    },
    {
      id,
      what: '5,000 subscribers, 200/s (stretch target only): memory',
      measured: [many.memory],
      unit: 'MB',
      stretch: 400,
    },
    {
      id,
      what: '5,000 subscribers, 200/s: lost',
      measured: [many.lost],
      unit: '',
      target: 0,
    },
  ];
};

/** E2: idle subscribers. */
export const measureIdle = async ({ product, isQuick }: Settings): Promise<readonly Figure[]> => {
  const size = isQuick ? 2000 : 10_000;
  const engine = await startProduct(product);
  const crowd = await openCrowd(engine.port(), engine.tokens(), size);
  await pause(isQuick ? 5000 : 30_000);
  const [held, memory] = [crowd.connected(), engine.memory()];
  crowd.close();
  await engine.dispose();
  const id = 'E2';
  const what = `${size.toLocaleString('en')} idle subscribers`;
  return [
    { id, what: `${what}: gone`, measured: [size - held], unit: '', target: 0 },
    { id, what: `${what}: memory`, measured: [memory], unit: 'MB', target: 400 },
  ];
};

/** E4: durable publishes. */
export const measureThroughput = async ({
  product,
  isQuick,
}: Settings): Promise<readonly Figure[]> => {
  const engine = await startProduct(product);
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
      measured: [perSecond],
      unit: '/s',
      target: 1000,
      stretch: 5000,
      better: 'more',
    },
  ];
};
