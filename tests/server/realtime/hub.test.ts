import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { type Timetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';
import { migrate } from '#server/embedded/migrate.ts';
import { createLog } from '#server/kernel/log.ts';
import { createHub, type Hub } from '#server/realtime/hub.ts';
import { createLogStore, type LogStore } from '#server/realtime/log/store.ts';

const MINUTE_MS = 60_000;
const ALL = { kind: 'all' } as const;

let sql: DatabaseSync;
let clock: number;
let store: LogStore;
let hub: Hub;
let lines: string[];

const openHub = (of: LogStore): Hub => {
  lines = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  return createHub({ store: of, channelTemplate: 'chat.{cid}.{rid}', log }, () => clock);
};

beforeEach(() => {
  sql = new DatabaseSync(':memory:');
  migrate(sql);
  clock = 1_700_000_000_000;
  store = createLogStore(sql, () => clock);
  hub = openHub(store);
});
afterEach(() => sql.close());

/** A client under the test's control. */
const createFarEnd = () => {
  const far = {
    isSlow: false,
    ended: undefined as undefined | 'gently' | 'hard',
    frames: [] as Buffer[],
    write: (frame: Buffer): boolean => {
      far.frames.push(frame);
      return !far.isSlow;
    },
    end: (stalled: boolean): void => {
      far.ended = stalled ? 'hard' : 'gently';
    },
    texts: (): readonly string[] =>
      [
        ...Buffer.concat(far.frames)
          .toString()
          .matchAll(/"text":"(\w+)"/g),
      ].map(([, text]) => text!),
    beats: (): number => Buffer.concat(far.frames).toString().split('event: beat').length - 1,
  };
  return far;
};

const publish = async (text: string): Promise<void> => {
  const message = JSON.stringify({ id: text, text });
  await store.publish({ room: 'c_001/team', publisher: 'u', id: text, message });
  await new Promise((resolve) => setImmediate(resolve));
};
/** Lets every waiting subscriber have its turn. */
const takeTurns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((next) => setImmediate(next));
};
const countUp = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `m${i}`);

test('a slow client gets one page at a time until it accepts it, then everything', async () => {
  const far = createFarEnd();
  const subscription = hub.open(ALL, undefined, far);
  far.isSlow = true;
  for (const text of countUp(500)) await publish(text);
  expect(far.frames).toHaveLength(2);
  expect(far.texts()).toEqual(['m0']);
  far.isSlow = false;
  subscription.drained();
  await takeTurns();
  expect(far.texts()).toEqual(countUp(500));
});

test('a long backlog is sent page by page, and others get their turn in between', async () => {
  for (const text of countUp(450)) await publish(text);
  const far = createFarEnd();
  const subscription = hub.open(ALL, TIMETOKEN_ZERO, far);
  expect([far.texts().length, far.beats()]).toEqual([100, 0]);
  subscription.beat();
  expect([far.texts().length, far.beats()]).toEqual([200, 0]);
  await publish('live');
  await takeTurns();
  expect(far.texts()).toEqual([...countUp(450), 'live']);
  expect(far.beats()).toBe(1);
});

test('a client that accepts nothing for a minute is disconnected; one that drains stays', () => {
  const far = createFarEnd();
  far.isSlow = true;
  const subscription = hub.open(ALL, TIMETOKEN_ZERO, far);
  clock += MINUTE_MS;
  subscription.beat();
  expect([far.beats(), far.ended]).toEqual([1, undefined]);
  clock += 1;
  subscription.beat();
  expect(far.ended).toBe('hard');

  const patient = createFarEnd();
  const other = hub.open(ALL, TIMETOKEN_ZERO, patient);
  clock += 10 * MINUTE_MS;
  other.beat();
  expect([patient.beats(), patient.ended]).toEqual([2, undefined]);
});

test('the first beat follows the backlog, later ones state the head of the log', async () => {
  for (const text of countUp(150)) await publish(text);
  const far = createFarEnd();
  const subscription = hub.open({ kind: 'client', clientId: 'c_001' }, TIMETOKEN_ZERO, far);
  await takeTurns();
  expect(far.texts()).toEqual(countUp(150));
  expect(far.frames.map((frame) => frame.toString().slice(0, 14))).toEqual([
    'event: entries',
    'event: entries',
    'event: beat\nda',
  ]);
  await store.publish({ room: 'c_002/team', publisher: 'u', id: 'x', message: '{}' });
  subscription.beat();
  expect(far.frames.at(-1)?.toString()).toBe(`event: beat\ndata: {"cursor":"${store.head()}"}\n\n`);
});

test('closing ends every stream gracefully and once; afterwards nothing is written', async () => {
  const far = createFarEnd();
  const subscription = hub.open(ALL, undefined, far);
  hub.close();
  expect(far.ended).toBe('gently');
  far.ended = undefined;
  const seen = far.frames.length;
  subscription.close();
  await publish('late');
  subscription.drained();
  subscription.beat();
  subscription.notify('own', Buffer.from('event: own'));
  expect([far.frames.length, far.ended]).toEqual([seen, undefined]);
});

test('if the log cannot be read subscribers are disconnected, to resume from their cursors', () => {
  const unreadable: LogStore = {
    ...store,
    readAfter: () => {
      throw new Error('disk I/O error');
    },
  };
  hub = openHub(unreadable);
  const openAndEnd = (): void => {
    const far = createFarEnd();
    hub.open(ALL, '00000000000000001' as Timetoken, far);
    expect(far.ended).toBe('gently');
  };
  openAndEnd();
  clock += MINUTE_MS - 1;
  openAndEnd();
  expect(lines).toHaveLength(1);
  clock += 1;
  openAndEnd();
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line).toContain('disk I/O error');
});

test('a reader ahead of a restored log gets everything new, in strict order', async () => {
  clock += MINUTE_MS;
  await publish('lost');
  const seen = store.head();
  // The backup is older, and the clock of its server is behind.
  sql.exec('DELETE FROM log');
  clock -= MINUTE_MS;
  store = createLogStore(sql, () => clock);
  hub = openHub(store);
  await publish('stored before the return');
  const head = store.head();
  const far = createFarEnd();
  hub.open(ALL, seen, far);
  await takeTurns();
  expect(Buffer.concat(far.frames).toString()).toContain(`"cursor":"${head}"`);
  expect(head < seen).toBe(true);
  await publish('first');
  await publish('second');
  await takeTurns();
  expect(far.texts()).toEqual(['first', 'second']);
  const stored = store.readAfter(ALL, TIMETOKEN_ZERO, 10).map(({ timetoken }) => timetoken);
  expect(stored.toSorted()).toEqual(stored);
  expect(stored.every((timetoken) => timetoken < seen)).toBe(true);
  const resumed = createFarEnd();
  hub.open(ALL, head, resumed);
  await takeTurns();
  expect(resumed.texts()).toEqual(['first', 'second']);
});

test('a client that was slow gets the newest report of each log of marks', async () => {
  const far = createFarEnd();
  const subscription = hub.open(ALL, undefined, far);
  const report = (log: 'own' | 'staff', n: number): void =>
    subscription.notify(log, Buffer.from(`event: ${log}\ndata: ${n}\n\n`));
  const listReports = (): readonly string[] =>
    [
      ...Buffer.concat(far.frames)
        .toString()
        .matchAll(/event: ((?:own|staff)\ndata: \d)/g),
    ].map(([, text]) => text!.replace('\ndata: ', ' '));
  report('own', 1);
  expect(listReports()).toEqual(['own 1']);
  far.isSlow = true;
  await publish('waits');
  report('own', 2);
  report('staff', 3);
  report('own', 4);
  expect(listReports()).toEqual(['own 1']);
  far.isSlow = false;
  subscription.drained();
  expect(listReports()).toEqual(['own 1', 'own 4', 'staff 3']);
  await takeTurns();
  expect(far.texts()).toEqual(['waits']);
  subscription.close();
  report('own', 5);
  expect(listReports()).toHaveLength(3);
});
