import type { Ports } from '#domain/ports/ports.ts';
import { fail, ok } from '#domain/result.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { selectLink } from '#machines/connection/link.ts';
import { createHistoryMachine, selectHistory } from '#machines/history/history.machine.ts';
import { createSessionMachine } from '#machines/session/session.machine.ts';
import { createTeamsMachine, selectTeams } from '#machines/teams/teams.machine.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { openMemoryStore } from '#tests/support/memory-ports/store.ts';
import { MemoryWorld, sessionOf } from '#tests/support/memory-ports/memory-ports.ts';
import { createActor } from 'xstate';
import { describe, expect, it } from 'vitest';

import { prepareConnection, TEAM } from '../connection/prepare-connection.ts';
import { prepareOutbox } from '../outbox/prepare-outbox.ts';
import { viewSession } from '../session/prepare-session.ts';

const throws = (): never => {
  throw new Error('adapter');
};

/** Ways in which an adapter breaks its promise to return a value. */
const BREACHES: readonly (readonly [string, () => Promise<never>])[] = [
  ['throws', throws],
  ['rejects', () => Promise.reject(new Error('adapter'))],
  ['never answers', () => new Promise<never>(() => undefined)],
];

/** Longer than every timeout and every delay after it. */
const LONG_MS = 300_000;

/** The adapter's method fails in this way the first time, and works after that. */
const breachOnce = <T extends object>(of: T, method: keyof T, breach: () => unknown): void => {
  const works = of[method];
  Object.assign(of, {
    [method]: () => {
      Object.assign(of, { [method]: works });
      return breach();
    },
  });
};

describe.each(BREACHES)('an adapter that %s', (_how, breach) => {
  it('does not stop a room from sending', async () => {
    const { world, write, sent, queue } = await prepareOutbox();
    breachOnce(world.engine, 'publish', breach);
    await write('first');
    await write('second');
    await world.clock.advance(LONG_MS);
    expect(sent()).toEqual(['first', 'second']);
    expect(queue()).toEqual([]);
    expect(world.logged.filter((code) => code.startsWith('TASK_'))).toHaveLength(1);
  });

  it('does not stop a room from sending when the outcome cannot be stored', async () => {
    const { world, store, write, sent, queue } = await prepareOutbox();
    world.engine.hold();
    await write('first');
    await settle();
    breachOnce(store, 'append', breach);
    world.engine.release();
    await settle();
    breachOnce(store, 'findNextQueued', breach);
    await world.clock.advance(LONG_MS);
    await write('second');
    await world.clock.advance(LONG_MS);
    expect(sent()).toEqual(['first', 'second']);
    expect(queue()).toEqual([]);
  });

  it.each(['countSince', 'readHistory'] as const)(
    'delays catch-up only up to its limit: %s',
    async (method) => {
      const { world, run, learn, stored, inLog } = await prepareConnection();
      await learn();
      world.engine.write(TEAM, { text: 'missed' }, { silent: true });
      breachOnce(world.engine, method, breach);
      world.engine.complete = false;
      world.engine.openStream = (_cursor, onSignal) => {
        const beat = (): void => {
          onSignal({ type: 'beat', cursor: world.engine.newest });
          world.clock.timers.setTimeout(beat, 10_000);
        };
        onSignal({ type: 'opened', after: world.engine.newest });
        beat();
        return () => undefined;
      };
      await run();
      await world.clock.advance(LONG_MS);
      expect(stored()).toEqual(inLog().slice(1));
    },
  );

  it('does not leave a room empty', async () => {
    const world = new MemoryWorld();
    world.engine.write(TEAM, { text: 'old' });
    breachOnce(world.engine, 'readHistory', breach);
    const store = openMemoryStore(world.database());
    const machine = createHistoryMachine(world.openTab(), store, () => undefined);
    const actor = createActor(machine, {
      clock: world.clock.timers,
      input: { room: toRoomKey('c_001', 'team') },
    }).start();
    await world.clock.advance(LONG_MS);
    expect(selectHistory(actor.getSnapshot()).state).toBe('success');
    actor.stop();
  });

  it.each(['getTeams', 'getProducers'] as const)(
    'does not leave the client list failed: %s',
    async (method) => {
      const world = new MemoryWorld();
      const tab = world.openTab();
      breachOnce(tab.staffApi, method, breach);
      const store = openMemoryStore(world.database());
      const actor = createActor(createTeamsMachine(tab), {
        clock: world.clock.timers,
        input: { store },
      });
      actor.start();
      await world.clock.advance(LONG_MS);
      expect(selectTeams(actor.getSnapshot())).toEqual({
        state: 'success',
        refetching: false,
        failed: false,
      });
      actor.stop();
    },
  );

  it.each<[string, (tab: Ports) => void]>([
    ['the server', (tab) => breachOnce(tab.sessionApi, 'getSession', breach)],
    ['what is stored', (tab) => breachOnce(tab.device, 'findSession', breach)],
    ['earlier sign-outs', (tab) => breachOnce(tab.device, 'findSignOuts', breach)],
    ['keeping the answer', (tab) => breachOnce(tab.device, 'saveSession', breach)],
  ])('does not sign out a signed-in user: %s', async (_what, damage) => {
    const world = new MemoryWorld();
    world.server.session = sessionOf('u_me');
    const tab = world.openTab();
    const own = { ...tab, device: { ...tab.device }, sessionApi: { ...tab.sessionApi } };
    damage(own);
    const actor = createActor(createSessionMachine(own), { clock: world.clock.timers }).start();
    await world.clock.advance(LONG_MS);
    expect(viewSession(actor.getSnapshot())).toMatchObject({
      status: 'authenticated',
      verified: true,
    });
    actor.stop();
  });
});

describe('a method that does not return a promise', () => {
  it('does not stop a message from being sent when renewing the token throws', async () => {
    const { world, write, sent } = await prepareOutbox();
    world.engine.fail('publish', { kind: 'unauthenticated' }, 1);
    breachOnce(world.engine, 'renewToken', throws);
    await write('first');
    await world.clock.advance(LONG_MS);
    expect(sent()).toEqual(['first']);
  });

  it.each<[string, () => () => void]>([
    ['throws', throws],
    ['never signals anything', () => () => undefined],
  ])('is called again when opening the stream %s', async (_how, breach) => {
    const { world, run, stored, inLog } = await prepareConnection();
    breachOnce(world.engine, 'openStream', breach);
    const actor = await run();
    await world.clock.advance(60_000);
    world.engine.write(TEAM, { text: 'live' });
    await settle();
    expect(actor.getSnapshot().status).toBe('active');
    expect(selectLink(actor.getSnapshot())).toEqual({ kind: 'online' });
    expect(stored()).toEqual(inLog());
  });

  it('does not end the connection when renewing a refused token throws', async () => {
    const { world, run } = await prepareConnection();
    world.engine.fail('stream', { kind: 'forbidden' }, 1);
    breachOnce(world.engine, 'renewToken', throws);
    const actor = await run();
    await world.clock.advance(20_000);
    expect(actor.getSnapshot().status).toBe('active');
    expect(selectLink(actor.getSnapshot())).toEqual({ kind: 'online' });
  });

  it('does not end the connection when a log of marks renews a refused token and this throws', async () => {
    const { world, run } = await prepareConnection();
    const { own } = world.engine;
    breachOnce(own, 'read', async () => fail({ kind: 'unauthenticated' }));
    breachOnce(world.engine, 'renewToken', throws);
    const actor = await run();
    await world.clock.advance(20_000);
    expect(actor.getSnapshot().status).toBe('active');
    expect(world.logged.filter((code) => code.startsWith('TASK_'))).toHaveLength(1);
  });
});

describe('a slow request', () => {
  it('is not repeated before its timeout', async () => {
    const { world, write, tries } = await prepareOutbox();
    breachOnce(world.engine, 'publish', async () => {
      world.engine.calls.push({ operation: 'publish', room: TEAM });
      await new Promise((resolve) => world.clock.timers.setTimeout(() => resolve(1), 50_000));
      return ok(world.engine.newest);
    });
    await write('slow');
    await world.clock.advance(45_000);
    expect(tries()).toBe(1);
  });
});
