import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { type Product, startProduct } from '../world/product.ts';
import type { Bench, Settings } from '../bench.ts';
import type { Figure } from '../figure.ts';
import { deliver } from './delivery.ts';
import { openPublisher } from './load.ts';

const CHANNEL = 'chat.c_016.team';
const ROUND_MS = 1000;

/** What a load generator needs of an engine. */
type Target = Pick<Product, 'port' | 'tokens' | 'cpu' | 'memory' | 'dispose'>;

/** The floor: a bare engine in a thread of this process, so its CPU use and memory are unknown. */
const startBare = async (): Promise<Target> => {
  const worker = new Worker(new URL('./bare-engine.ts', import.meta.url));
  const [port] = (await once(worker, 'message')) as [unknown];
  if (typeof port !== 'number') throw new Error('the bare engine has no port');
  return {
    port: () => port,
    tokens: () => ['bare'],
    cpu: () => 0,
    memory: () => 0,
    dispose: async () => void (await worker.terminate()),
  };
};

/** Publishes per second of so many publishers, each of which waits for its answers. */
const countPublishes = async (engine: Target, publishers: number): Promise<number> => {
  const tokens = engine.tokens();
  const from = performance.now();
  const until = from + ROUND_MS;
  let count = 0;
  const work = async (n: number): Promise<void> => {
    const own = [...tokens.slice(n), ...tokens.slice(0, n)];
    const publisher = await openPublisher(engine.port(), own);
    while (performance.now() < until) {
      const stored = await publisher.publish(CHANNEL, 'durable');
      if (stored === undefined) throw new Error('a publish was refused');
      count += 1;
    }
    publisher.close();
  };
  await Promise.all(Array.from({ length: publishers }, (_, n) => work(n)));
  if (count === 0) throw new Error('nothing was published');
  return (count * 1000) / (performance.now() - from);
};

const toCount = (publishers: number): string =>
  publishers === 1 ? '1 publisher' : `${publishers} publishers`;

const PUBLISHERS = [
  { publishers: 1, target: 2000 },
  { publishers: 10, target: 5000 },
  { publishers: 100, target: 8000 },
] as const;

/** Durable publishes beside bare TCP, which stores nothing. */
const measurePublishes = async ({ product, samples }: Settings): Promise<readonly Figure[]> => {
  const [engine, bare] = [await startProduct(product), await startBare()];
  const figures: Figure[] = [];
  for (const { publishers, target } of PUBLISHERS) {
    const [measured, floor]: [number[], number[]] = [[], []];
    for (let n = 0; n <= samples; n += 1) {
      const [least, durable] = [
        await countPublishes(bare, publishers),
        await countPublishes(engine, publishers),
      ];
      if (n === 0) continue;
      floor.push(least);
      measured.push(durable);
    }
    figures.push({
      id: 'E4',
      what: `durable publishes, ${toCount(publishers)}; floor: bare TCP`,
      unit: '/s',
      measured,
      floor,
      limits: 'value',
      better: 'more',
      target,
    });
  }
  await engine.dispose();
  await bare.dispose();
  return figures;
};

const CROWDS = [
  { subscribers: 1000, perSecond: 50 },
  { subscribers: 5000, perSecond: 10 },
  { subscribers: 5000, perSecond: 50 },
] as const;
const SECONDS = 5;
const MEMORY_MB = 300;

/** Delivery to open streams beside bare TCP. */
const measureFanOut = async ({ product }: Settings): Promise<readonly Figure[]> => {
  const figures: Figure[] = [];
  for (const { subscribers, perSecond } of CROWDS) {
    const load = { subscribers, perSecond, seconds: SECONDS };
    const least = await deliver(await startBare(), load);
    const measured = await deliver(await startProduct(product), load);
    if (measured.lost > 0) throw new Error(`the engine lost ${measured.lost} messages`);
    if (least.lost > 0) throw new Error(`bare TCP lost ${least.lost} messages`);
    const id = 'E1';
    const what = `${subscribers.toLocaleString('en')} streams, ${perSecond}/s`;
    const samples = { measured: measured.delays, floor: least.delays, unit: 'ms' };
    figures.push(
      { id, what: `${what}: delivery; floor: bare TCP`, ...samples, target: 1.5 },
      { id, what: `${what}: delivery, p99`, ...samples, share: 0.99, target: 2 },
      { id, what: `${what}: memory`, unit: 'MB', measured: [measured.memory], target: MEMORY_MB },
    );
  }
  return figures;
};

/** The engine compared with a bare one. */
export const COMPARED_BENCHES: readonly Bench[] = [
  { name: 'publish', run: measurePublishes },
  { name: 'fan-out', run: measureFanOut },
];
