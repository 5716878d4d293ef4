import type { Clock, Ids, Random } from '#domain/ports/kit.ts';
import { v7 } from 'uuid';

/** The device's clock, random numbers and ids. */
export const systemClock: Clock = { now: () => Date.now() };
export const systemRandom: Random = { next: () => Math.random() };
export const systemIds: Ids = { next: () => v7() };
