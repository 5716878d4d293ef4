import { toUserDatabaseName } from '#db/schema/database.ts';
import type { SimDevice } from './world/device.ts';
import { createLane } from './world/scheduler.ts';
import type { SimTab } from './world/tab.ts';

import type { FaultEvent } from './faults.ts';
import { staffTab, switchUser, writeBurst } from './people.ts';
import { type Simulation, USERS } from './simulation.ts';

const TABS_MAX = 3;
const DAY_MS = 86_400_000;
/** IndexedDB version of a future program. */
const NEXT_VERSION = 20;

/** Opens tabs on a device, each with a person at work. */
export const openTabs = (simulation: Simulation, device: SimDevice, count: number): void => {
  for (let i = 0; i < count; i += 1) {
    if (device.tabs.size < TABS_MAX) staffTab(simulation, simulation.openTab(device));
  }
};

const findTab = (device: SimDevice, value: number): SimTab | undefined => {
  const running = [...device.tabs].filter((tab) => tab.isRunning);
  return running[Math.floor(value * running.length)];
};

/** Does something to a tab once it is not in an operation that browsers finish first. */
const whenIdle = (simulation: Simulation, isBusy: () => boolean, run: () => void): void => {
  if (isBusy()) {
    simulation.scheduler.after(undefined, 0.3, () => whenIdle(simulation, isBusy, run));
  } else run();
};

const killTab = (simulation: Simulation, tab: SimTab): void =>
  whenIdle(
    simulation,
    () => tab.device.disk.isOpening(tab.lane),
    () => {
      if (tab.lane.state !== 'dead') tab.kill();
    },
  );

const freezeTab = (simulation: Simulation, tab: SimTab, ms: number): void => {
  const { disk } = tab.device;
  const { scheduler } = simulation;
  const isBusy = () => tab.isRunning && (disk.isOpening(tab.lane) || disk.isWorking(tab.lane));
  whenIdle(simulation, isBusy, () => {
    if (!tab.isRunning || simulation.faultsEndedAt !== undefined) return;
    simulation.note(`${tab.lane.name} freezes for ${Math.round(ms)} ms`);
    scheduler.freeze(tab.lane);
    disk.kick();
    scheduler.after(undefined, ms, () => scheduler.thaw(tab.lane));
  });
};

/** No request reaches the server for a while. */
const breakDown = (
  simulation: Simulation,
  kind: NonNullable<Simulation['network']['breakdown']>,
  ms: number,
): void => {
  const { network, scheduler, outages, devices } = simulation;
  if (network.breakdown !== undefined) return;
  simulation.note(`the server is ${kind} for ${Math.round(ms)} ms`);
  network.breakdown = kind;
  const from = scheduler.now;
  for (const { channels } of devices) {
    for (const channel of channels) {
      if (kind === 'silent') channel.stalledAt ??= from;
      else channel.hangUp();
    }
  }
  scheduler.after(undefined, ms, () => {
    network.breakdown = undefined;
    outages.push({ from, to: Math.min(scheduler.now, simulation.faultsEndedAt ?? scheduler.now) });
  });
};

/** A newer program in another window upgrades the database. */
const upgrade = ({ scheduler, note }: Simulation, { tabs, disk, uid }: SimDevice): void => {
  const isDelicate = [...tabs].some(({ lane }) => lane.state === 'frozen' || disk.isOpening(lane));
  if (isDelicate || uid === undefined) return;
  note(`the storage of ${uid} is upgraded`);
  const lane = createLane('newer program');
  const name = toUserDatabaseName(uid);
  if (disk.rows(name, 'meta').length === 0) return;
  scheduler.as(lane, () => {
    const request = disk.toFactory(lane).open(name, NEXT_VERSION);
    request.addEventListener('upgradeneeded', () => {
      if (!request.result.objectStoreNames.contains('future')) {
        request.result.createObjectStore('future', { keyPath: 'key' });
      }
    });
    request.addEventListener('success', () => request.result.close());
  });
};

const forAWhile = (simulation: Simulation, ms: number, set: (isOn: boolean) => void): void => {
  set(true);
  simulation.scheduler.after(undefined, ms, () => set(false));
};

const BREAKDOWNS = ['silent', 'refusing', 'unavailable'] as const;

/** Executes one fault. */
export const injectFault = (simulation: Simulation, event: FaultEvent): void => {
  const { scheduler, server, engine } = simulation;
  const { fault, ms, value } = event;
  const device = simulation.devices[event.device];
  if (device === undefined || simulation.faultsEndedAt !== undefined) return;
  const tab = findTab(device, value);
  switch (fault) {
    case 'server restart':
      engine.restart();
      breakDown(simulation, 'refusing', ms);
      return;
    case 'outage':
      breakDown(simulation, BREAKDOWNS[Math.floor(value * 3)] ?? 'silent', ms);
      return;
    case 'captive portal':
      breakDown(simulation, 'portal', ms);
      return;
    case 'token expiry':
      server.expireTokens();
      return;
    case 'offline':
      forAWhile(simulation, ms, (isOn) => device.setOffline(isOn));
      return;
    case 'tab kill':
      if (tab) killTab(simulation, tab);
      scheduler.after(undefined, ms, () => openTabs(simulation, device, value < 0.5 ? 1 : 2));
      return;
    case 'browser kill':
      for (const tab of device.tabs) killTab(simulation, tab);
      scheduler.after(undefined, ms, () => openTabs(simulation, device, 1 + Math.floor(value * 3)));
      return;
    case 'freeze':
      if (tab) freezeTab(simulation, tab, ms);
      return;
    case 'quota':
      forAWhile(simulation, ms, (isOn) => {
        device.disk.isFull = isOn;
        simulation.note(`${device.name} disk is ${isOn ? 'full' : 'free'}`);
      });
      return;
    case 'burst':
      writeBurst(simulation, 101 + Math.floor(value * 120));
      return;
    case 'clock jump':
      device.clockOffset = (value - 0.5) * (value < 0.8 ? 6 : 200) * DAY_MS;
      simulation.note(
        `${device.name} clock is ${Math.round(device.clockOffset / 3_600_000)} h off`,
      );
      return;
    case 'another user':
      switchUser(simulation, device, value < 0.5 ? USERS[0] : USERS[1]);
      return;
    case 'upgrade':
      upgrade(simulation, device);
      return;
    case 'hidden':
      if (tab) forAWhile(simulation, ms, (isOn) => tab.environment.show(!isOn));
      return;
    default:
      fault satisfies never;
  }
};
