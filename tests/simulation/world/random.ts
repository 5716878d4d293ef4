import type { Random } from '#domain/ports/kit.ts';

/** Reproducible random numbers: the same seed and name always give the same ones. */
export class SimRandom implements Random {
  #state: number;

  constructor(seed: number, name: string) {
    this.#state = seed >>> 0;
    for (let i = 0; i < name.length; i += 1) {
      this.#state = Math.imul(this.#state ^ name.charCodeAt(i), 0x9e_37_79_b1) >>> 0;
    }
    this.next();
  }

  /** From 0 (inclusive) to 1 (exclusive); mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d_2b_79_f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** True with probability `p`. */
  chance(p: number): boolean {
    return this.next() < p;
  }

  between(min: number, max: number): number {
    return min + this.next() * (max - min);
  }

  /** A whole number, both ends inclusive. */
  int(min: number, max: number): number {
    return Math.floor(this.between(min, max + 1));
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.int(0, items.length - 1)];
    if (item === undefined) throw new Error('Nothing to pick from');
    return item;
  }
}
