import type { Bench } from '../bench.ts';
import { COMPARED_BENCHES } from './compared.ts';
import { measureDelivery, measureIdle, measureThroughput } from './delivery.ts';
import { measureBacklog, measureDurability, measureIdempotence } from './durability.ts';
import { measureHostility } from './hostility.ts';

/** The promises of the engine. */
export const ENGINE_BENCHES: readonly Bench[] = [
  { name: 'E1', run: measureDelivery },
  { name: 'E2', run: measureIdle },
  { name: 'E3', run: measureDurability },
  { name: 'E4', run: measureThroughput },
  { name: 'E5', run: measureBacklog },
  { name: 'E6', run: measureIdempotence },
  { name: 'E7', run: measureHostility },
  ...COMPARED_BENCHES,
];
