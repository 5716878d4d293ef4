import { toUserDatabaseName } from '#db/schema/database.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { createMessageCommands } from '#machines/outbox/commands.ts';
import type { SimDevice } from './world/device.ts';
import { REFUSED_MARK } from './world/engine.ts';
import type { SimTab, UnsentAnswer } from './world/tab.ts';

import { chooseSomething } from './choices.ts';
import { followUp, markUnread, readRoom } from './change-marks.ts';
import { ROOMS, type Simulation } from './simulation.ts';

const PAUSE_MS = { min: 200, max: 5000 };
const CLIENT_PAUSE_MS = { min: 200, max: 6000 };
const CLIENT = 'u_client';

/** Presses Enter in a tab: the message counts as accepted once the composer is cleared. */
const write = async (simulation: Simulation, tab: SimTab): Promise<void> => {
  const { ledger, plan, mutation } = simulation;
  const { desk, uid, random } = tab;
  if (desk === undefined || uid === undefined) return;
  const room = random.chance(0.8) ? tab.room : random.pick(ROOMS);
  const isRefused = plan.faults.has('refused message') && random.chance(0.06);
  const text = `own ${ledger.next()}.${isRefused ? ` ${REFUSED_MARK}` : ''}`;
  const written = ledger.type({ text, device: tab.device.name, uid, room, isRefused });
  if (mutation.clearsEarly) ledger.accept(written, undefined);
  simulation.note(`${tab.lane.name} types "${text}" in ${room}`);
  const accepted = await createMessageCommands(tab.ports, desk.store, uid).sendTo(room)(text);
  if (!accepted.ok) return;
  ledger.accept(written, accepted.value);
  simulation.note(`${tab.lane.name} accepted "${text}"`);
};

/** Handles a message that was refused permanently. */
const settleFailed = async (simulation: Simulation, tab: SimTab): Promise<void> => {
  const { desk, random, ports, device } = tab;
  if (desk === undefined) return;
  const items = device.disk.rows(toUserDatabaseName(desk.uid), 'outbox');
  const failed = items.find(({ state }) => state === 'failed');
  const written = failed && simulation.ledger.written.get(failed.text);
  if (failed === undefined || written === undefined) return;
  const commands = createMessageCommands(ports, desk.store, desk.uid);
  if (random.chance(0.5)) {
    written.retries += 1;
    await commands.retry(failed.id);
  } else {
    written.isDiscarded = true;
    await commands.discard(failed.id);
  }
};

const act = async (simulation: Simulation, tab: SimTab): Promise<void> => {
  const chance = tab.random.next();
  if (chance < 0.55) await write(simulation, tab);
  else if (chance < 0.65) tab.showRoom(tab.random.pick(ROOMS));
  else if (chance < 0.75) tab.fetchMore();
  else if (chance < 0.8) await settleFailed(simulation, tab);
  else if (chance < 0.9) await readRoom(simulation, tab);
  else if (chance < 0.96) await followUp(simulation, tab);
  else if (chance < 0.98) await markUnread(tab);
  else await chooseSomething(tab);
};

/** A person works in a tab until the end of the faults. */
export const staffTab = (simulation: Simulation, tab: SimTab): void => {
  const live = (): void => {
    if (simulation.faultsEndedAt !== undefined) return;
    void act(simulation, tab);
    const pause = tab.random.between(PAUSE_MS.min, PAUSE_MS.max) * simulation.plan.pace;
    simulation.scheduler.after(tab.lane, pause, live);
  };
  simulation.scheduler.after(tab.lane, tab.random.between(50, 1500), live);
};

const POISON: readonly unknown[] = [
  null,
  0,
  42,
  '',
  false,
  [],
  {},
  { text: 5 },
  { text: null, id: 'x' },
  { text: ['a'] },
  { id: 'no text' },
  { text: 'odd side fields', clientName: 7, clientAvatar: {}, id: '' },
];

/** A client's message; sometimes hostile in its shape, or with another message's id. */
const toClientMessage = ({ random, ledger, plan }: Simulation): unknown => {
  const text = `theirs ${ledger.next()}.`;
  if (plan.faults.has('poison envelope') && random.chance(0.15)) {
    const ids = [...ledger.ids.keys()];
    return ids.length > 0 && random.chance(0.4)
      ? { text, id: random.pick(ids) }
      : random.pick(POISON);
  }
  if (random.chance(0.2)) return text;
  const sender = { clientName: 'Carl', clientAvatar: '' };
  return random.chance(0.6) ? { text, ...sender, id: `theirs-${text}` } : { text, ...sender };
};

/** A client writes into the rooms until the end of the faults. */
export const startClient = (simulation: Simulation): void => {
  const { scheduler, random, engine } = simulation;
  const live = (): void => {
    if (simulation.faultsEndedAt !== undefined) return;
    engine.append(random.pick(ROOMS), CLIENT, toClientMessage(simulation));
    const pause = random.between(CLIENT_PAUSE_MS.min, CLIENT_PAUSE_MS.max) * simulation.plan.pace;
    scheduler.after(undefined, pause, live);
  };
  scheduler.after(undefined, 0, live);
};

/** Messages of another publisher. */
export interface Burst {
  readonly room: RoomKey;
  readonly texts: readonly string[];
  /** The position of the first message. */
  readonly from: Timetoken | undefined;
}

/** Another publisher writes `count` messages at once. */
export const writeBurst = (simulation: Simulation, count: number): Burst => {
  const { random, engine, ledger } = simulation;
  const room = random.pick(ROOMS);
  const texts = Array.from({ length: count }, () => `theirs ${ledger.next()}.`);
  const entries = texts.map((text) =>
    engine.append(room, CLIENT, { text, clientName: 'Carl', clientAvatar: '' }),
  );
  return { room, texts, from: entries[0]?.timetoken };
};

const POLL_INTERVAL_MS = 1000;
/** Number of checks for a sign-in form before giving up. */
const CHECKS_MAX = 60;

/**
 * Signs a user in on a device as soon as a tab shows the form, until one is signed in. A later
 * call replaces an earlier one.
 */
export const signIn = ({ scheduler }: Simulation, device: SimDevice, uid: string): void => {
  const seat = {};
  device.seat = seat;
  const check = (checksLeft: number): void => {
    const tabs = [...device.tabs].filter((tab) => tab.isRunning);
    const isKnown = tabs.some((tab) => tab.uid !== undefined);
    if (checksLeft === 0 || isKnown || device.seat !== seat) return;
    const tab = tabs.find((tab) => tab.isSignedOut);
    if (tab) scheduler.soon(tab.lane, () => tab.signIn(uid));
    scheduler.after(undefined, POLL_INTERVAL_MS, () => check(checksLeft - 1));
  };
  check(CHECKS_MAX);
};

const SWITCH_MS = 2000;
const UNSENT_ANSWERS: readonly UnsentAnswer[] = ['keep', 'keep', 'keep', 'send', 'send', 'discard'];

/** Signs out in one of a device's tabs, and signs another user in after a while. */
export const switchUser = (simulation: Simulation, device: SimDevice, uid: string): void => {
  const { scheduler, note, random } = simulation;
  const tab = [...device.tabs].find((tab) => tab.isRunning);
  if (tab === undefined) return;
  const answer = random.pick(UNSENT_ANSWERS);
  note(`${tab.lane.name} signs out (unsent: ${answer})`);
  scheduler.soon(tab.lane, () => tab.signOut(answer));
  scheduler.after(undefined, SWITCH_MS, () => signIn(simulation, device, uid));
};
