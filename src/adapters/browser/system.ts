import type { Clock, Ids, Random } from '#domain/ports/kit.ts';
import { v7 } from 'uuid';

/** The device's clock, random numbers and ids. */
export const systemClock: Clock = { now: () => Date.now() };
export const systemRandom: Random = { next: () => Math.random() };
/** UUIDv7. Without the time, the library would continue from the latest one it has seen. */
export const systemIds: Ids = { next: () => v7({ msecs: Date.now() }) };
