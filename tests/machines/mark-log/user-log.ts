import { createActor } from 'xstate';

import type { Fact } from '#domain/events.ts';
import { ok } from '#domain/result.ts';
import { toRoomKey } from '#domain/rooms.ts';
import type { MarkEntry } from '#domain/schemas/mark-log.ts';
import { parseMarkEntry } from '#domain/schemas/mark-payload.ts';
import type { Marks } from '#domain/schemas/marks.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { createMarkLogMachine } from '#machines/mark-log/mark-log.machine.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { MemoryWorld } from '#tests/support/memory-ports/memory-ports.ts';
import { openMemoryStore } from '#tests/support/memory-ports/store.ts';

export const TEAM = toRoomKey('c_001', 'team');
export const GENERAL = toRoomKey('c_001', 'general');

const stops: (() => void)[] = [];
/** Stops the machines that were started. */
export const stopAll = (): void => {
  for (const stop of stops.splice(0)) stop();
};

/** By room, without the kind. */
const toValues = (marks: Marks = new Map()): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from(marks, ([key, { value }]) => [key.replace(/^.*:/, ''), value]));

/** A device with the log of its user. */
export const prepare = async () => {
  const world = new MemoryWorld();
  const tab = world.openTab();
  const store = openMemoryStore(world.database());
  const fence = await store.takeFence('tab', 1);
  if (!fence.ok) throw new Error('no fence');
  const first = world.engine.write(TEAM, { text: 'one' }).timetoken;
  let hidden: readonly Timetoken[] = [];
  const { own } = world.engine;
  const readLog = own.read.bind(own);
  own.read = async (...given) => {
    const page = await readLog(...given);
    const isShown = ({ timetoken }: MarkEntry) => !hidden.includes(timetoken);
    return page.ok ? ok({ ...page.value, entries: page.value.entries.filter(isShown) }) : page;
  };
  /** From now on, the log lacks just these entries. */
  const hide = (...timetokens: readonly Timetoken[]): void => {
    hidden = timetokens;
  };
  const read = (timetoken: Timetoken, room = TEAM): Promise<unknown> =>
    store.append([{ type: 'v1.RoomRead', room, timetoken }] satisfies Fact[]);
  const start = async (findStart: () => Timetoken | undefined = () => first) => {
    const input = { store, uid: 'u_me', fence: fence.value, log: 'own' as const, findStart };
    const actor = createActor(createMarkLogMachine(tab), { clock: world.clock.timers, input });
    stops.push(() => actor.stop());
    actor.start();
    await settle();
    return actor;
  };
  /** The published values of rooms; a device also publishes where reading began. */
  const published = () =>
    world.engine.userLog
      .map((entry) => toValues(parseMarkEntry('own', entry)?.marks))
      .filter((reads) => Object.keys(reads).length > 0);
  const findBegan = async () => {
    const listed = await store.listLocalMarks('own', undefined);
    return listed.ok ? listed.value.began : undefined;
  };
  const listRead = async () => {
    const listed = await store.listLocalMarks('own', undefined);
    return toValues(listed.ok ? listed.value.marks : undefined);
  };
  const listChoices = async () => {
    const listed = await store.listLocalMarks('own', undefined);
    const marks = listed.ok ? [...listed.value.marks] : [];
    const choices = marks.filter(([key]) => !key.startsWith('read:'));
    return Object.fromEntries(choices.map(([key, { value }]) => [key, value]));
  };
  const wait = async (ms: number): Promise<void> => {
    await world.clock.advance(ms);
    await settle();
  };
  return {
    world,
    store,
    first,
    hide,
    read,
    start,
    published,
    findBegan,
    listRead,
    listChoices,
    wait,
  };
};
