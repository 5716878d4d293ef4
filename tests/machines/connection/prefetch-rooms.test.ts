import { settle } from '#tests/support/fake-clock.ts';
import { describe, expect, it } from 'vitest';

import { GENERAL, prepareConnection, TEAM } from './prepare-connection.ts';

const MAYA = { client_id: 'c_001', client: { first_name: 'Maya', last_name: 'Okafor' } };

describe('prefetch', () => {
  it('reads the newest page of every unopened room, including rooms of later clients', async () => {
    const { world, store, run, known, stored, inLog, count } = await prepareConnection();
    for (let n = 0; n < 40; n += 1) world.engine.write(TEAM, { text: `m${n}` }, { silent: true });
    await run();
    expect(count('history')).toBe(0);
    await store.saveTeams([MAYA], 1);
    await settle();
    expect(stored()).toEqual(inLog().slice(-25));
    expect(known()).toEqual([{ from: inLog().at(-25), to: inLog().at(-1) }]);
    expect(known(GENERAL)).toHaveLength(1);
    expect(count('history')).toBe(3);
  });

  it('skips rooms with coverage', async () => {
    const { store, run, learn, count } = await prepareConnection();
    await learn();
    await learn(GENERAL);
    await learn('c_001/producers');
    await store.saveTeams([MAYA], 1);
    await run();
    expect(count('history')).toBe(0);
  });

  it('stops at a failure of all rooms, and resumes when the connection is back', async () => {
    const { world, store, run, known, count } = await prepareConnection();
    await store.saveTeams([MAYA], 1);
    world.engine.fail('history', { kind: 'unreachable' });
    await run();
    expect(count('history')).toBe(1);
    world.engine.heal();
    world.engine.signal({ type: 'ended', error: { kind: 'unreachable' } });
    await world.clock.advance(5000);
    expect([known(), known(GENERAL), known('c_001/producers')].map(({ length }) => length)).toEqual(
      [1, 1, 1],
    );
  });

  it('skips a room that fails alone', async () => {
    const { world, store, run, known } = await prepareConnection();
    await store.saveTeams([MAYA], 1);
    world.engine.fail('history', { kind: 'forbidden' }, 1);
    await run();
    expect(known(GENERAL)).toHaveLength(1);
  });
});
