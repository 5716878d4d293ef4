import { TIMETOKEN_ZERO } from '#domain/timetoken.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { expect, it } from 'vitest';

import { GENERAL, prepareConnection, TEAM } from './prepare-connection.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/**
 * A connection with two rooms covered up to now, on an engine whose log is about to be replaced.
 */
const prepare = async () => {
  const prepared = await prepareConnection();
  const { world, store, learn } = prepared;
  const client = { client_id: 'c_001', client: { first_name: 'Ada', last_name: 'One' } };
  await store.saveTeams([client], 0);
  for (let n = 0; n < 40; n += 1) world.engine.write(TEAM, { text: `old ${n}` });
  world.engine.write(GENERAL, { text: 'old' });
  await learn();
  await learn(GENERAL);
  return prepared;
};

it('misses nothing of a new log that starts below the coverage', async () => {
  const { world, run, known, stored, inLog } = await prepare();
  await run();
  const cached = stored();
  world.engine.replace(HOUR_MS);
  const missed = Array.from({ length: 20 }, (_, n) => world.engine.write(TEAM, { text: `n${n}` }));
  await world.clock.advance(MINUTE_MS);
  expect(stored()).toEqual([...missed.map(({ timetoken }) => timetoken), ...cached]);
  expect(known()).toEqual([{ from: '00000000000000000', to: inLog().at(-1) }]);
  const live = world.engine.write(GENERAL, { text: 'live' });
  await settle();
  expect(stored(GENERAL)).toContain(live.timetoken);
});

it('is detected once: later connections resume from the new log', async () => {
  const { world, run, count } = await prepare();
  const connection = await run();
  world.engine.replace(HOUR_MS);
  world.engine.write(TEAM, { text: 'new' });
  await world.clock.advance(MINUTE_MS);
  expect(connection.getSnapshot().context.cursor).toBe(world.engine.newest);
  const streams = count('stream');
  const pages = count('history');
  world.engine.signal({ type: 'ended', error: { kind: 'unreachable' } });
  await world.clock.advance(MINUTE_MS);
  expect(count('stream')).toBeGreaterThan(streams);
  expect(count('history')).toBe(pages);
});

it('is also detected at a start, from the coverage of this device', async () => {
  const { world, run, stored } = await prepare();
  world.engine.replace(HOUR_MS);
  const missed = world.engine.write(TEAM, { text: 'new' });
  await run();
  await world.clock.advance(MINUTE_MS);
  expect(stored()).toContain(missed.timetoken);
});

it('publishes the read positions to the new engine again', async () => {
  const { world, store, run, inLog } = await prepare();
  const [timetoken = TIMETOKEN_ZERO] = inLog(GENERAL);
  await store.append([{ type: 'v1.RoomRead', room: GENERAL, timetoken }]);
  await run();
  expect(world.engine.userLog.length).toBeGreaterThan(0);
  world.engine.replace(1);
  expect(world.engine.userLog).toEqual([]);
  await world.clock.advance(MINUTE_MS);
  const marks = { [`read:${GENERAL}`]: [0, timetoken] };
  const said = world.engine.userLog.map(({ payload }) => payload);
  expect(said).toContainEqual(expect.objectContaining({ marks }));
});
