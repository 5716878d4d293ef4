import { toUserDatabaseName } from '#db/schema/database.ts';
import { REQUEST_TIMEOUT_MS } from '#domain/limits.ts';
import type { SimDevice } from '../world/device.ts';

import {
  checkOwnership,
  checkShownOnce,
  checkKept,
  checkNewWatermarks,
  findGap,
  findLate,
  findUnsent,
} from './invariants.ts';
import { findMiscount } from './figures.ts';
import { findUnshared } from './marks.ts';
import { type Burst, writeBurst } from '../people.ts';
import type { Simulation } from '../simulation.ts';
import { listPendingPurges } from './stored.ts';

/** The checks that run during a seed. */

const SAMPLE_MS = 5000;

/** Checks the coverage of a device at every commit that may change it. */
export const watchCommits = (simulation: Simulation, device: SimDevice): void => {
  device.disk.onCommit = (database, tables) => {
    if (!tables.has('coverage') && !tables.has('meta')) return;
    const uid = [...device.users].find((uid) => toUserDatabaseName(uid) === database);
    if (uid !== undefined) checkNewWatermarks(simulation, device, uid);
  };
};

/** Coverage is checked at every commit, screens every 5 seconds. */
export const startWatch = (simulation: Simulation): void => {
  for (const device of simulation.devices) watchCommits(simulation, device);
  const sample = (): void => {
    simulation.whenCommitted(() => {
      checkKept(simulation);
      checkShownOnce(simulation);
    });
    checkOwnership(simulation);
    simulation.scheduler.after(undefined, SAMPLE_MS, sample);
  };
  simulation.scheduler.after(undefined, SAMPLE_MS, sample);
};

const POLL_INTERVAL_MS = 1000;
/** Longest retry delay, plus the time to notice a silent stream. */
const STOPPED_MS_MAX = 31_000;
const STALLED_MS_MAX = 26_000;

/** On a healthy network no stream stays stopped for 30 s. */
const watchStreams = (simulation: Simulation, device: SimDevice): void => {
  const { scheduler, reportViolation } = simulation;
  // A request from before the end of the faults may never be answered.
  let aliveAt = scheduler.now + REQUEST_TIMEOUT_MS;
  const check = (): void => {
    const { now } = scheduler;
    const channels = [...device.channels];
    if (channels.length > 0 || device.uid === undefined) aliveAt = now;
    if (now - aliveAt > STOPPED_MS_MAX) {
      reportViolation(
        'no stream stays stopped',
        `${device.name} for ${Math.round(now - aliveAt)} ms`,
      );
    }
    const endedAt = simulation.faultsEndedAt ?? now;
    const stalled = channels.find(({ stalledAt }) => stalledAt !== undefined);
    if (stalled && now - Math.max(endedAt, stalled.stalledAt ?? now) > STALLED_MS_MAX) {
      reportViolation('no stream stays stopped', `${device.name} holds on to a silent stream`);
    }
    scheduler.after(undefined, POLL_INTERVAL_MS, check);
  };
  check();
};

/** Time until everything is in order after the end of the faults, ms: retries, then a catch-up. */
const RECOVERY_MS = 70_000;
const FRESH_MS = 2000;
const FRESH_MS_MAX = 65_000;
const PROBE_EVERY_MS = 9000;
const PROBE_UNTIL_MS = 20_000;
const BURST_SIZE = 130;

const expectShown = (simulation: Simulation, burst: Burst, ms: number, invariant: string): void => {
  simulation.scheduler.after(undefined, ms, () => {
    for (const device of simulation.devices) {
      const late = findLate(device, burst);
      if (late.length === 0) continue;
      simulation.reportViolation(
        invariant,
        `${late.length} of ${burst.texts.length} on ${device.name}: ${late[0]}`,
      );
    }
  });
};

/**
 * A message written after the end of the faults is shown within 65 s, and within 2 s once all is in
 * order.
 */
const probeFreshness = (simulation: Simulation): void => {
  const { scheduler } = simulation;
  for (let ms = 500; ms < PROBE_UNTIL_MS; ms += PROBE_EVERY_MS) {
    scheduler.after(undefined, ms, () =>
      expectShown(simulation, writeBurst(simulation, 1), FRESH_MS_MAX, 'fresh within 65 s'),
    );
  }
  scheduler.after(undefined, RECOVERY_MS, () =>
    expectShown(simulation, writeBurst(simulation, 1), FRESH_MS, 'fresh within 2 s'),
  );
  scheduler.after(undefined, RECOVERY_MS + FRESH_MS, () =>
    expectShown(simulation, writeBurst(simulation, BURST_SIZE), FRESH_MS, 'fresh within 2 s'),
  );
};

/** The checks that begin at the end of the faults. */
export const startHealthyWatch = (simulation: Simulation, isFresh: boolean): void => {
  for (const device of simulation.devices) watchStreams(simulation, device);
  if (isFresh) probeFreshness(simulation);
};

/** Time from the end of the faults until freshness has been measured, ms. */
export const FRESHNESS_MS = Math.max(RECOVERY_MS + 3 * FRESH_MS, PROBE_UNTIL_MS + FRESH_MS_MAX);

/** No device has anything left to do for the signed-in user. */
export const isQuiet = ({ devices }: Simulation): boolean =>
  devices.every((device) => device.uid === undefined || !findUnsent(device, device.uid));

/**
 * Every device has all messages of every opened room, over open streams, all read positions, and
 * the figures of a recount.
 */
export const isComplete = (simulation: Simulation): boolean =>
  simulation.isCommitted &&
  isQuiet(simulation) &&
  simulation.devices.every((device) => listPendingPurges(device).length === 0) &&
  simulation.devices.every(
    (device) =>
      device.uid === undefined ||
      (device.channels.size > 0 &&
        findGap(simulation, device) === undefined &&
        findUnshared(simulation, device) === undefined &&
        findMiscount(simulation, device) === undefined),
  );

const OUTAGE_MS_MIN = 15_000;
/** Initial requests come close together, for every room and list. */
const BURST_ALLOWED = 30;

/** An outage causes no flood: at most one request per second and tab, on average. */
export const checkRequestRate = ({ outages, tabs, reportViolation }: Simulation): void => {
  for (const { from, to } of outages) {
    if (to - from < OUTAGE_MS_MIN) continue;
    const limit = (to - from) / 1000 + BURST_ALLOWED;
    for (const { sentAt, lane } of tabs) {
      const sent = sentAt.filter((at) => at >= from && at <= to).length;
      if (sent <= limit) continue;
      reportViolation('no storm', `${lane.name} sent ${sent} in ${Math.round(to - from)} ms`);
    }
  }
};
