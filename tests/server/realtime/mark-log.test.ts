import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { fromEpochMs, nextTimetoken, type Timetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';
import { migrate } from '#server/embedded/migrate.ts';
import { MIGRATIONS } from '#server/embedded/schema.ts';
import {
  createMarkLogStore,
  type MarkDraft,
  type MarkLogStore,
  STAFF,
} from '#server/realtime/log/mark-log.ts';
import type { PageQuery } from '#server/realtime/log/reader.ts';
import { makeDataDir, mustOpen, removeDataDir } from '#tests/support/server/realtime-server.ts';

const KEPT = 2000;

let sql: DatabaseSync;
let clock: number;
let head: Timetoken;
let store: MarkLogStore;

const open = (mustBeInPlace?: () => void): MarkLogStore =>
  createMarkLogStore(sql, { now: () => clock, findHead: () => head }, mustBeInPlace);

beforeEach(() => {
  sql = new DatabaseSync(':memory:');
  migrate(sql);
  clock = 1_700_000_000_000;
  head = TIMETOKEN_ZERO;
  store = open();
});
afterEach(() => sql.close());

const toDraft = (id: string, owner = 'u_1', text = id): MarkDraft => ({
  owner,
  id,
  payload: JSON.stringify({ text }),
});

const publish = async (draft: MarkDraft): Promise<Timetoken> => {
  const stored = await store.publish(draft);
  if (!stored.ok) throw new Error(stored.error.detail);
  return stored.value;
};

type Read = Partial<PageQuery> & { readonly owner?: string };
const read = ({ owner = 'u_1', ...query }: Read = {}) =>
  store.read(owner, { count: 100, ...query });
const readTokens = (query: Read = {}): readonly Timetoken[] =>
  read(query).rows.map(({ timetoken }) => timetoken);
const readTexts = (query: Read = {}): readonly string[] =>
  read(query).rows.map(({ payload }) => (JSON.parse(payload) as { text: string }).text);

const countUp = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `m${i}`);
const isRising = (timetokens: readonly Timetoken[]): boolean =>
  timetokens.every((timetoken, i) => i === 0 || timetoken > timetokens[i - 1]!);

test('timetokens follow the clock, and rise while it stands still or steps back', async () => {
  const first = await publish(toDraft('a'));
  expect(first).toBe(fromEpochMs(clock));
  const still = await Promise.all(countUp(50).map((id) => publish(toDraft(id))));
  clock -= 86_400_000;
  const later = await publish(toDraft('later'));
  expect(isRising([first, ...still, later])).toBe(true);
  store = open();
  expect((await publish(toDraft('reopened'))) > later).toBe(true);
  clock += 2 * 86_400_000;
  store = open();
  expect(await publish(toDraft('caught up'))).toBe(fromEpochMs(clock));
});

test('no entry is before the newest message, which it may refer to', async () => {
  head = nextTimetoken(fromEpochMs(clock + 60_000));
  const first = await publish(toDraft('a'));
  expect(first).toBe(head);
  expect(await publish(toDraft('b'))).toBe(nextTimetoken(first));
});

test('each user has a separate log, with separate ids and positions', async () => {
  clock += 5000;
  await publish(toDraft('same', 'u_2', 'theirs'));
  clock -= 5000;
  expect(await publish(toDraft('same', 'u_1', 'mine'))).toBe(fromEpochMs(clock));
  expect(readTexts()).toEqual(['mine']);
  expect(readTexts({ owner: 'u_2' })).toEqual(['theirs']);
  expect(readTexts({ owner: 'u_3' })).toEqual([]);
});

test('the staff log is one for all, apart from those of users', async () => {
  const mine = await publish(toDraft('same', 'u_1', 'mine'));
  const staff = await publish(toDraft('same', STAFF, 'staff'));
  expect(await publish(toDraft('same', STAFF, 'again'))).toBe(staff);
  expect(readTexts()).toEqual(['mine']);
  expect(read({ owner: STAFF }).rows).toEqual([{ timetoken: staff, payload: '{"text":"staff"}' }]);
  expect(staff).toBe(mine);
});

test('many entries of the staff log in one commit are reported once', async () => {
  const grown: (readonly [string, Timetoken])[] = [];
  store.onAppend((owner, timetoken) => grown.push([owner, timetoken]));
  const places = await Promise.all(countUp(30).map((id) => publish(toDraft(id, STAFF))));
  expect(grown).toEqual([[STAFF, places.at(-1)]]);
});

test('the same id makes one entry with one timetoken', async () => {
  const first = await publish(toDraft('a'));
  const copies = await Promise.all([1, 2, 3].map(() => publish(toDraft('a', 'u_1', 'other'))));
  expect(copies).toEqual([first, first, first]);
  expect(readTexts()).toEqual(['a']);
});

test('a page has the newest entries strictly between the bounds, oldest first', async () => {
  const timetokens = await Promise.all(countUp(10).map((id) => publish(toDraft(id))));
  const [after, before] = [timetokens[2]!, timetokens[8]!];
  expect(readTokens({ count: 3 })).toEqual(timetokens.slice(7));
  expect(readTokens({ count: 3, before })).toEqual(timetokens.slice(5, 8));
  expect(readTokens({ count: 3, after })).toEqual(timetokens.slice(7));
  expect(readTokens({ after, before })).toEqual(timetokens.slice(3, 8));
  expect(readTokens({ after: timetokens[9] })).toEqual([]);
  expect([read().more, read({ count: 10 }).more]).toEqual([false, true]);
});

test('a page ends at its size limit, and indicates that there is more', async () => {
  for (const id of countUp(6)) await publish(toDraft(id, 'u_1', 'x'.repeat(30_000)));
  expect(read({ bytes: 65_536 })).toMatchObject({ rows: { length: 3 }, more: true });
  expect(read({ bytes: 1 }).rows).toHaveLength(1);
});

test('only the newest entries of each user are kept', async () => {
  await publish(toDraft('another', 'u_2'));
  const timetokens: Timetoken[] = [];
  for (const id of countUp(KEPT + 25)) timetokens.push(await publish(toDraft(id)));
  const kept = sql.prepare('SELECT timetoken FROM own_log WHERE uid = ? ORDER BY timetoken');
  expect(kept.all('u_1').map(({ timetoken }) => timetoken)).toEqual(timetokens.slice(-KEPT));
  expect(readTexts({ owner: 'u_2' })).toEqual(['another']);
  expect((await publish(toDraft('next'))) > timetokens.at(-1)!).toBe(true);
});

test('the users whose logs grew are reported, once per commit, with the newest position', async () => {
  const grown: (readonly [string, Timetoken])[] = [];
  const stop = store.onAppend((owner, timetoken) => grown.push([owner, timetoken]));
  const [, second] = await Promise.all([publish(toDraft('a')), publish(toDraft('b'))]);
  const other = await publish(toDraft('c', 'u_2'));
  await publish(toDraft('a'));
  expect(grown).toEqual([
    ['u_1', second],
    ['u_2', other],
  ]);
  stop();
  await publish(toDraft('d'));
  expect(grown).toHaveLength(2);
});

test('an entry that the database refuses does not affect others', async () => {
  const broken = { ...toDraft('broken'), payload: Symbol('no text') as unknown as string };
  const [good, bad, alsoGood] = await Promise.all([
    store.publish(toDraft('good')),
    store.publish(broken),
    store.publish(toDraft('also good')),
  ]);
  expect([good.ok, bad.ok, alsoGood.ok]).toEqual([true, false, true]);
  expect(readTexts()).toEqual(['good', 'also good']);
});

test('nothing is stored once the data is no longer in place', async () => {
  store = open(() => {
    throw new Error('gone');
  });
  const refused = await store.publish(toDraft('a'));
  expect(refused).toMatchObject({ ok: false, error: { kind: 'storage' } });
  expect(readTexts()).toEqual([]);
});

test('every statement walks an index and never reads payloads that it does not return', () => {
  const plans = [
    'SELECT payload FROM own_log WHERE uid = ? AND timetoken > ? ORDER BY timetoken DESC LIMIT 25',
    'SELECT timetoken FROM own_log WHERE uid = ? AND id = ?',
    'SELECT timetoken FROM own_log WHERE uid = ? ORDER BY timetoken DESC LIMIT 1 OFFSET 2000',
  ].map((query) => JSON.stringify(sql.prepare(`EXPLAIN QUERY PLAN ${query}`).all()));
  for (const plan of plans) {
    expect(plan).toMatch(/SEARCH own_log USING (?:COVERING )?INDEX/);
    expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
  }
  expect(plans[2]).toContain('COVERING');
});

test('a database without the user log gets it, and keeps everything else', async () => {
  const dataDir = makeDataDir();
  const old = new DatabaseSync(`${dataDir}/desk.sqlite`);
  const BEFORE = 2;
  for (const step of MIGRATIONS.slice(0, BEFORE)) old.exec(step);
  old.exec(`PRAGMA user_version = ${BEFORE}`);
  old.exec(`INSERT INTO client VALUES ('c_1', 'Ada', 'Old')`);
  old.close();
  const data = await mustOpen(dataDir);
  expect(data.staffData.hasClient('c_1')).toBe(true);
  const stored = data.marks.publish(toDraft('first'));
  // Closing writes pending entries.
  data.close();
  const timetoken = await stored;
  const again = await mustOpen(dataDir);
  expect(again.marks.read('u_1', { count: 10 }).rows).toEqual([
    { timetoken: timetoken.ok && timetoken.value, payload: '{"text":"first"}' },
  ]);
  again.close();
  removeDataDir(dataDir);
});
