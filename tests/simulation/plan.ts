import { EVENT_FAULTS, type Fault, type FaultEvent, FAULTS, planEvents } from './faults.ts';
import type { EngineTraits } from './world/engine.ts';
import { SimRandom } from './world/random.ts';

/**
 * How long a seed is watched after the end of the faults: until nothing is left to do, until
 * freshness was measured as well, or for the whole promised time.
 */
export type WatchDuration = 'settled' | 'fresh' | 'whole';

/** Everything that a seed determines in advance. */
export interface Plan {
  readonly seed: number;
  readonly traits: EngineTraits;
  readonly devices: number;
  /** How much slower than the fastest people write. */
  readonly pace: number;
  /** How long faults occur, ms. */
  readonly faultMs: number;
  readonly watchDuration: WatchDuration;
  /** The tabs count unread messages and waiting rooms, as their screens do. */
  readonly counts: boolean;
  /** After the faults a user signs in on a new device, which missed messages of others. */
  readonly newDevice: boolean;
  readonly faults: ReadonlySet<Fault>;
  readonly events: readonly FaultEvent[];
}

/** How a failing seed is shrunk. */
export interface PlanCut {
  readonly withoutFaults: readonly Fault[];
  /** Events that are left out, by their number in the whole plan. */
  readonly withoutEvents: readonly number[];
  /** Faults occur no longer than this, ms. */
  readonly faultMs: number;
}

export const UNCUT: PlanCut = { withoutFaults: [], withoutEvents: [], faultMs: Infinity };

/** Each seed switches each fault on with a probability between these. */
const FAULT_CHANCE = { min: 0.4, max: 0.7 };
/** How long faults occur, ms; short seeds find as much and run more often. */
const FAULT_MS = { min: 60_000, max: 180_000 };
/** Counting takes time, and the other seeds test everything else as well. */
const COUNTS_CHANCE = 0.15;
const NEW_DEVICE_CHANCE = 0.25;
const PACE = { min: 1, max: 3 };

const toWatchDuration = (value: number): WatchDuration => {
  if (value < 0.65) return 'settled';
  return value < 0.97 ? 'fresh' : 'whole';
};

/** The plan of a seed. A cut does not change the rest. */
export const toPlan = (seed: number, cut: PlanCut = UNCUT): Plan => {
  const random = new SimRandom(seed, 'plan');
  const hosted = random.chance(0.5);
  const traits = { idempotent: !hosted, forgetful: hosted };
  const devices = random.int(1, 2);
  const fullMs = FAULT_MS.min + random.next() ** 2 * (FAULT_MS.max - FAULT_MS.min);
  const pace = random.between(PACE.min, PACE.max);
  const watchDuration = toWatchDuration(random.next());
  const chance = random.between(FAULT_CHANCE.min, FAULT_CHANCE.max);
  const on = new Set(FAULTS.filter(() => random.chance(chance)));
  const faultMs = Math.min(fullMs, cut.faultMs);
  const events = EVENT_FAULTS.filter((fault) => on.has(fault))
    .flatMap((fault) => planEvents(fault, fullMs, devices, new SimRandom(seed, fault)))
    .toSorted((a, b) => a.at - b.at)
    .map((event, number): FaultEvent => Object.assign(event, { number }))
    .filter(({ at, fault, number }) => {
      const isCut = cut.withoutFaults.includes(fault) || cut.withoutEvents.includes(number);
      return at < faultMs && !isCut;
    });
  const faults = new Set([...on].filter((fault) => !cut.withoutFaults.includes(fault)));
  const counts = new SimRandom(seed, 'counts').chance(COUNTS_CHANCE);
  const newDevice = counts && new SimRandom(seed, 'new device').chance(NEW_DEVICE_CHANCE);
  return { seed, traits, devices, pace, faultMs, watchDuration, counts, newDevice, faults, events };
};
