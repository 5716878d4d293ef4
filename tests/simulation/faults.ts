import type { SimRandom } from './world/random.ts';

/** Faults of single requests. */
export const REQUEST_FAULTS = [
  'drop request',
  'drop answer',
  'duplicate request',
  'unavailable 503',
  'forbidden 403',
  'malformed answer',
  'slow',
  'reset',
  'cursor lost',
  'stalled stream',
] as const;

/** Faults that happen at a moment; some last a while. */
export const EVENT_FAULTS = [
  'server restart',
  'outage',
  'captive portal',
  'token expiry',
  'offline',
  'tab kill',
  'browser kill',
  'freeze',
  'quota',
  'burst',
  'clock jump',
  'another user',
  'upgrade',
  'hidden',
] as const;

/** Faults in content that people write. */
export const CONTENT_FAULTS = ['poison envelope', 'refused message'] as const;

export type RequestFault = (typeof REQUEST_FAULTS)[number];
export type EventFault = (typeof EVENT_FAULTS)[number];
export type Fault = RequestFault | EventFault | (typeof CONTENT_FAULTS)[number];

export const FAULTS: readonly Fault[] = [...REQUEST_FAULTS, ...EVENT_FAULTS, ...CONTENT_FAULTS];

/** One fault event, `at` ms after the start. */
export interface FaultEvent {
  /** Its position in the plan before any cut. */
  readonly number: number;
  readonly at: number;
  readonly fault: EventFault;
  /** The affected device, if it matters. */
  readonly device: number;
  /** How long, ms, where it lasts. */
  readonly ms: number;
  /** A random number for the event to use. */
  readonly value: number;
}

/** How often an event happens, seconds in between, and how long it lasts, ms. */
const FAULT_SCHEDULES: Readonly<Record<EventFault, { every: number; min: number; max: number }>> = {
  'server restart': { every: 45, min: 500, max: 8000 },
  outage: { every: 60, min: 5000, max: 40_000 },
  'captive portal': { every: 70, min: 2000, max: 25_000 },
  'token expiry': { every: 30, min: 0, max: 0 },
  offline: { every: 40, min: 200, max: 30_000 },
  'tab kill': { every: 15, min: 0, max: 4000 },
  'browser kill': { every: 40, min: 100, max: 8000 },
  freeze: { every: 35, min: 1000, max: 40_000 },
  quota: { every: 60, min: 1000, max: 15_000 },
  burst: { every: 50, min: 0, max: 0 },
  'clock jump': { every: 50, min: 0, max: 0 },
  'another user': { every: 50, min: 0, max: 0 },
  upgrade: { every: 80, min: 0, max: 0 },
  hidden: { every: 25, min: 1000, max: 60_000 },
};

/** The events of one fault over `totalMs`, at random moments. */
export const planEvents = (
  fault: EventFault,
  totalMs: number,
  devices: number,
  random: SimRandom,
): readonly Omit<FaultEvent, 'number'>[] => {
  const { every, min, max } = FAULT_SCHEDULES[fault];
  const events: Omit<FaultEvent, 'number'>[] = [];
  let at = random.next() * every * 1000;
  while (at < totalMs) {
    const device = random.int(0, devices - 1);
    events.push({ at, fault, device, ms: random.between(min, max), value: random.next() });
    at += (0.3 + random.next() * 1.4) * every * 1000;
  }
  return events;
};
