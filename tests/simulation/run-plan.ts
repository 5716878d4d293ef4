import { checkRebuild } from './checks/check-rebuild.ts';
import {
  checkAccepted,
  checkPendingPurges,
  checkForeignPresent,
  checkKept,
  checkOrder,
  checkOutboxEmpty,
  checkOwnership,
  checkRefusals,
  checkShownOnce,
  checkStorageBounded,
  checkWatermarks,
  findUnsent,
} from './checks/invariants.ts';
import { type Mutation, UNBROKEN } from './variant.ts';
import { signIn, startClient, switchUser, writeBurst } from './people.ts';
import type { Plan } from './plan.ts';
import { REQUEST_FAULTS } from './faults.ts';
import type { SimDevice } from './world/device.ts';
import { checkFigures } from './checks/figures.ts';
import { checkMarks, checkKeptMarks } from './checks/marks.ts';
import { readAllStored } from './checks/stored.ts';
import { BETWEEN_STEPS_MS, Simulation, USERS, type Violation } from './simulation.ts';
import { openTabs, injectFault } from './inject-fault.ts';
import {
  checkRequestRate,
  FRESHNESS_MS,
  isComplete,
  isQuiet,
  startHealthyWatch,
  startWatch,
  watchCommits,
} from './checks/watch.ts';

/** The result of one seed. */
export interface Outcome {
  readonly seed: number;
  /** The first violation; undefined without one. */
  readonly violation: Violation | undefined;
  readonly steps: number;
  /** Virtual time passed, ms. */
  readonly ms: number;
  /** The events, one per line. */
  readonly lines: readonly string[];
  /** Messages of users in the engine's log. */
  readonly messages: number;
  /** Those of them that are in the log more than once. */
  readonly duplicates: number;
}

/** Everything must be in order this long after the end of the faults, ms. */
const SETTLED_MS_MAX = 400_000;
const POLL_INTERVAL_MS = 1000;
/** A sign-in times out and is retried after this, ms. */
const SIGN_IN_MS = 5000;
const SIGN_IN_TRIES = 10;

const startFaults = (simulation: Simulation): void => {
  const { plan, network, scheduler, devices } = simulation;
  network.faults = REQUEST_FAULTS.filter((fault) => plan.faults.has(fault));
  for (const event of plan.events) {
    scheduler.after(undefined, event.at, () => {
      simulation.note(`${event.fault} (device ${event.device + 1})`);
      injectFault(simulation, event);
    });
  }
  for (const device of devices) {
    openTabs(simulation, device, simulation.random.int(1, 3));
  }
};

const endFaults = (simulation: Simulation): void => {
  const { network, scheduler, devices } = simulation;
  simulation.note('the faults end');
  simulation.faultsEndedAt = scheduler.now;
  network.faults = [];
  network.breakdown = undefined;
  for (const device of devices) {
    device.disk.isFull = false;
    for (const tab of device.tabs) {
      scheduler.thaw(tab.lane);
      tab.environment.show(true);
    }
    device.setOffline(false);
    if (device.tabs.size === 0) simulation.openTab(device);
    if (device.uid === undefined) signIn(simulation, device, USERS[0]);
  }
};

/** More than the newest page of a room and less than the highest count. */
const MISSED = { min: 30, max: 90 };

const addNewDevice = (simulation: Simulation): void => {
  writeBurst(simulation, simulation.random.int(MISSED.min, MISSED.max));
  const device = simulation.addDevice(USERS[0]);
  simulation.note(`${device.name} is new`);
  watchCommits(simulation, device);
  simulation.openTab(device);
};

/** Runs until `isDone`, checked once a second, at most for the promised time. */
const runUntilDone = async (simulation: Simulation, isDone: () => boolean): Promise<void> => {
  const until = simulation.scheduler.now + SETTLED_MS_MAX;
  while (!simulation.isOver && simulation.scheduler.now < until) {
    if (isDone()) return;
    await simulation.run(POLL_INTERVAL_MS);
  }
};

/** Signs a user in on a device, retrying while an earlier attempt is pending. */
const comeBack = async (simulation: Simulation, device: SimDevice, uid: string): Promise<void> => {
  for (let tries = 0; tries < SIGN_IN_TRIES && device.uid !== uid; tries += 1) {
    switchUser(simulation, device, uid);
    await simulation.run(SIGN_IN_MS);
  }
};

/**
 * A user returns to a device until everything is sent. A sign-in that another tab began earlier may
 * end this session at once: then once more.
 */
const drain = async (simulation: Simulation, device: SimDevice, uid: string): Promise<void> => {
  const isSent = (): boolean => findUnsent(device, uid) === undefined;
  for (let tries = 0; tries < SIGN_IN_TRIES && !isSent(); tries += 1) {
    await comeBack(simulation, device, uid);
    await runUntilDone(simulation, () => isSent() || device.uid !== uid);
    if (device.uid === uid) return;
  }
};

/** Users who signed out with unsent messages return and send them. */
const drainOthers = async (simulation: Simulation): Promise<void> => {
  for (const device of simulation.devices) {
    for (const uid of device.users) {
      if (findUnsent(device, uid) === undefined) continue;
      await drain(simulation, device, uid);
      checkOutboxEmpty(simulation, device, uid);
    }
  }
};

/** From the end of the faults until everything is in order, or longer if the plan requires it. */
const settle = async (simulation: Simulation): Promise<void> => {
  const { watchDuration } = simulation.plan;
  const isFresh = watchDuration !== 'settled';
  endFaults(simulation);
  if (simulation.plan.newDevice) addNewDevice(simulation);
  startHealthyWatch(simulation, isFresh);
  if (isFresh) await simulation.run(watchDuration === 'whole' ? SETTLED_MS_MAX : FRESHNESS_MS);
  await runUntilDone(simulation, () => isQuiet(simulation));
  await drainOthers(simulation);
  await runUntilDone(simulation, () => isComplete(simulation));
  while (!simulation.isOver && !simulation.isCommitted) await simulation.run(BETWEEN_STEPS_MS);
};

const checkEnd = (simulation: Simulation): void => {
  checkAccepted(simulation);
  checkKept(simulation);
  checkShownOnce(simulation);
  checkForeignPresent(simulation);
  checkOrder(simulation);
  checkOwnership(simulation);
  checkPendingPurges(simulation);
  checkRefusals(simulation);
  checkRequestRate(simulation);
  checkStorageBounded(simulation);
  checkMarks(simulation);
  checkKeptMarks(simulation);
  checkFigures(simulation);
  checkRebuild(simulation);
  for (const { device, uid } of readAllStored(simulation.devices)) {
    checkWatermarks(simulation, device, uid);
  }
};

const countDuplicates = ({ engine, ledger }: Simulation) => {
  const ids = engine.log.flatMap(({ message }) => {
    const id: unknown =
      typeof message === 'object' && message !== null ? Reflect.get(message, 'id') : undefined;
    return typeof id === 'string' && ledger.ids.has(id) ? [id] : [];
  });
  return { messages: ids.length, duplicates: ids.length - new Set(ids).size };
};

/** Runs one plan to its end, on the program or on a broken variant. */
export const runPlan = async (plan: Plan, mutation: Mutation = UNBROKEN): Promise<Outcome> => {
  const simulation = new Simulation(plan, mutation);
  startWatch(simulation);
  startClient(simulation);
  startFaults(simulation);
  await simulation.run(plan.faultMs);
  if (!simulation.isOver) {
    await settle(simulation);
    if (!simulation.isOver) checkEnd(simulation);
  }
  simulation.end();
  return {
    seed: plan.seed,
    violation: simulation.violations[0],
    steps: simulation.scheduler.steps,
    ms: simulation.elapsed,
    lines: simulation.lines,
    ...countDuplicates(simulation),
  };
};
