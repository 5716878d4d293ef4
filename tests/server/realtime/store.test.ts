import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { fromEpochMs, type Timetoken, TIMETOKEN_MAX, TIMETOKEN_ZERO } from '#domain/timetoken.ts';
import { migrate } from '#server/embedded/migrate.ts';
import type { Draft } from '#server/realtime/log/row.ts';
import { createLogStore, type LogStore } from '#server/realtime/log/store.ts';

const ROOM = 'c_001/team';
const ALL = { kind: 'all' } as const;

let sql: DatabaseSync;
let clock: number;
let store: LogStore;

beforeEach(() => {
  sql = new DatabaseSync(':memory:');
  migrate(sql);
  clock = 1_700_000_000_000;
  store = createLogStore(sql, () => clock);
});
afterEach(() => sql.close());

const toDraft = (id: string, room: Draft['room'] = ROOM, text = id): Draft => ({
  room,
  publisher: 'u_producer',
  id,
  message: JSON.stringify({ id, text }),
});

const publish = async (draft: Draft): Promise<Timetoken> => {
  const stored = await store.publish(draft);
  if (!stored.ok) throw new Error(stored.error.detail);
  return stored.value;
};

const countUp = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `m${i}`);
const isRising = (timetokens: readonly Timetoken[]): boolean =>
  timetokens.every((timetoken, i) => i === 0 || timetoken > timetokens[i - 1]!);

test('timetokens follow the clock', async () => {
  expect(await publish(toDraft('a'))).toBe(fromEpochMs(clock));
  clock += 5;
  expect(await publish(toDraft('b'))).toBe(fromEpochMs(clock));
});

test('timetokens rise strictly while the clock stands still or steps back', async () => {
  const first = await Promise.all(countUp(50).map((id) => publish(toDraft(id))));
  clock -= 86_400_000;
  const later = await publish(toDraft('later', 'c_002/general'));
  expect(isRising([...first, later])).toBe(true);
  expect(store.head()).toBe(later);
});

test('a reopened store continues above the stored entries, whatever the clock says', async () => {
  const last = await publish(toDraft('a'));
  clock = 0;
  store = createLogStore(sql, () => clock);
  expect(store.head()).toBe(last);
  expect((await publish(toDraft('b'))) > last).toBe(true);
});

test('the same publisher, room and id make one entry with one timetoken', async () => {
  const first = await publish(toDraft('a'));
  const copies = await Promise.all([1, 2, 3].map(() => publish(toDraft('a', ROOM, 'other text'))));
  expect(copies).toEqual([first, first, first]);
  const elsewhere = await publish(toDraft('a', 'c_001/general'));
  const other = await publish({ ...toDraft('a'), publisher: 'client:c_001' });
  expect(new Set([first, elsewhere, other]).size).toBe(3);
  expect(store.readHistory(ROOM, { count: 10 }).rows).toHaveLength(2);
});

test('copies within one commit are one entry', async () => {
  const answers = await Promise.all(countUp(20).map(() => publish(toDraft('same'))));
  expect(new Set(answers).size).toBe(1);
  expect(store.countAfter(ROOM, TIMETOKEN_ZERO)).toBe(1);
});

test('publishes that arrive together share one transaction and one notification', async () => {
  const grown: ReadonlySet<string>[] = [];
  store.onAppend((rooms) => grown.push(rooms));
  await Promise.all([publish(toDraft('a')), publish(toDraft('b', 'c_002/team'))]);
  expect(grown).toEqual([new Set([ROOM, 'c_002/team'])]);
});

test('an entry that the database refuses does not affect others', async () => {
  const broken = { ...toDraft('broken'), publisher: Symbol('no text') as unknown as string };
  const [good, bad, alsoGood] = await Promise.all([
    store.publish(toDraft('good')),
    store.publish(broken),
    store.publish(toDraft('also good')),
  ]);
  expect([good.ok, bad.ok, alsoGood.ok]).toEqual([true, false, true]);
  expect(store.readHistory(ROOM, { count: 10 }).rows).toHaveLength(2);
});

test.each([
  ['ASCII', 'x'.repeat(30_000)],
  ['three bytes a letter', '\u6587'.repeat(10_000)],
])(
  'a page of history ends at its size limit, and indicates that there is more: %s',
  async (_, text) => {
    const heavy = countUp(6).map((id) => publish(toDraft(id, ROOM, text)));
    const timetokens = await Promise.all(heavy);
    const read = (query: object) => store.readHistory(ROOM, { count: 100, ...query });
    const page = read({ bytes: 65_536 });
    expect(page.rows.map(({ timetoken }) => timetoken)).toEqual(timetokens.slice(3));
    expect(page.more).toBe(true);
    expect(read({ bytes: 1 }).rows).toHaveLength(1);
    expect(read({})).toMatchObject({ rows: { length: 6 }, more: false });
    expect(read({ count: 6 }).more).toBe(true);
  },
);

test('history returns the newest page strictly between its bounds, oldest first', async () => {
  const timetokens = await Promise.all(countUp(10).map((id) => publish(toDraft(id))));
  const [after, before] = [timetokens[2]!, timetokens[8]!];
  const read = (query: object) =>
    store.readHistory(ROOM, { count: 3, ...query }).rows.map(({ timetoken }) => timetoken);
  expect(read({})).toEqual(timetokens.slice(7));
  expect(read({ before })).toEqual(timetokens.slice(5, 8));
  expect(read({ after })).toEqual(timetokens.slice(7));
  expect(read({ after, before, count: 100 })).toEqual(timetokens.slice(3, 8));
  expect(read({ after: timetokens[9] })).toEqual([]);
});

test('counts are exact for any timetoken, stored or not', async () => {
  const timetokens = await Promise.all(countUp(7).map((id) => publish(toDraft(id))));
  await publish(toDraft('x', 'c_001/general'));
  expect(timetokens.map((timetoken) => store.countAfter(ROOM, timetoken))).toEqual([
    6, 5, 4, 3, 2, 1, 0,
  ]);
  expect(store.countAfter(ROOM, TIMETOKEN_ZERO)).toBe(7);
  expect(store.countAfter(ROOM, TIMETOKEN_MAX)).toBe(0);
  expect(store.countAfter('c_099/team', TIMETOKEN_ZERO)).toBe(0);
});

test('reading on from a cursor returns the whole log in order; a client sees only its rooms', async () => {
  const rooms = ['c_001/team', 'c_002/team', 'c_001/producers', 'c_001/general'] as const;
  for (const [index, id] of countUp(40).entries()) await publish(toDraft(id, rooms[index % 4]));
  const readAll = (scope: Parameters<LogStore['readAfter']>[0]): readonly string[] => {
    const ids: string[] = [];
    let cursor = TIMETOKEN_ZERO;
    for (;;) {
      const page = store.readAfter(scope, cursor, 7);
      if (page.length === 0) return ids;
      cursor = page.at(-1)!.timetoken;
      ids.push(...page.map(({ message }) => (JSON.parse(message) as { id: string }).id));
    }
  };
  expect(readAll(ALL)).toEqual(countUp(40));
  expect(readAll({ kind: 'client', clientId: 'c_002' })).toEqual(
    countUp(40).filter((_, index) => index % 4 === 1),
  );
  expect(readAll({ kind: 'client', clientId: 'c_001' })).toEqual(
    countUp(40).filter((_, index) => index % 4 !== 1),
  );
});

test('a page of large entries is shorter but never empty', async () => {
  for (const id of countUp(20)) await publish(toDraft(id, ROOM, 'x'.repeat(30_000)));
  const page = store.readAfter(ALL, TIMETOKEN_ZERO, 100);
  expect(page.length).toBeGreaterThan(1);
  expect(page.length).toBeLessThan(20);
});

test('every read walks an index', () => {
  const plans = [
    'SELECT * FROM log WHERE timetoken > ? ORDER BY timetoken LIMIT 100',
    'SELECT * FROM log WHERE room = ? AND timetoken < ? ORDER BY timetoken DESC LIMIT 25',
    'SELECT ordinal FROM log WHERE room = ? AND timetoken <= ? ORDER BY timetoken DESC LIMIT 1',
    'SELECT timetoken FROM log WHERE room = ? AND publisher = ? AND id = ?',
  ].map((query) => JSON.stringify(sql.prepare(`EXPLAIN QUERY PLAN ${query}`).all()));
  for (const plan of plans) {
    expect(plan).toContain('SEARCH log USING');
    expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
  }
});
