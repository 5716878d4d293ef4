import { fail, ok } from '#domain/result.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { fromEpochMs } from '#domain/timetoken.ts';
import { createLoginMachine } from '#machines/session/login.machine.ts';
import { CATCH_UP_ROUNDS_MAX } from '#machines/kit/limits.ts';
import { createLogoutMachine } from '#machines/sign-out/logout.machine.ts';
import { createDeskMachine } from '#machines/app/desk.machine.ts';
import { createConnectionMachine } from '#machines/connection/connection.machine.ts';
import { createOutboxMachine } from '#machines/outbox/outbox.machine.ts';
import { createRoomSenderMachine } from '#machines/outbox/room-sender.machine.ts';
import { createRetentionMachine } from '#machines/leader/retention.machine.ts';
import { createSessionMachine } from '#machines/session/session.machine.ts';
import { createTeamsMachine } from '#machines/teams/teams.machine.ts';
import { createHistoryMachine } from '#machines/history/history.machine.ts';
import { findUncovered, type Walk } from '#tests/support/machines/cover-machine.ts';
import { createLateMachines, createWholeApp } from '#tests/support/machines/whole-app.ts';
import { MACHINES } from '#tests/support/machines/machine-list.ts';
import { openMemoryStore } from '#tests/support/memory-ports/store.ts';
import { MemoryWorld, sessionOf } from '#tests/support/memory-ports/memory-ports.ts';
import { createActor, type EventObject } from 'xstate';
import { describe, expect, it } from 'vitest';

import { connectionSnapshot, outboxSnapshot, senderSnapshot } from './child-snapshots.ts';
import { keptWalk } from './sign-out/kept-walk.ts';
import { MARK_LOG_WALK } from './mark-log/mark-log-walk.ts';
import { PERIOD_WALK } from './period/period-walk.ts';
import { UPDATE_WALK } from './app/update-walk.ts';

const world = new MemoryWorld();
const calm = world.openTab();
const forgetful = new MemoryWorld();
forgetful.engine.idempotent = false;
const dark = world.openTab();
Object.assign(dark.environment, { online: false, visible: false });
const store = openMemoryStore(world.database());
const room = toRoomKey('c_001', 'team');
const from = fromEpochMs(world.clock.now());
const [error, unauthenticated] = [{ kind: 'unreachable' }, { kind: 'unauthenticated' }] as const;
const [fenced, malformed] = [{ kind: 'fenced' }, { kind: 'malformed', detail: '' }] as const;
const item = { id: 'a', room, seq: 1, text: 'a', uid: 'u_me', at: 1, state: 'queued' } as const;
const leader = { store, uid: 'u_me', fence: 1 };
const late = createLateMachines(calm);
let hours = 0;
/** A tab whose sessions expire after they were confirmed. */
const aging = { ...calm, clock: { now: () => world.clock.now() + 3_600_000 * hours++ } };
const deskMachine = createDeskMachine(calm, () => Promise.resolve(late));

const plain = (...types: readonly string[]): readonly EventObject[] =>
  types.map((type) => ({ type }));

/** A session as the app sees it. */
const sessionSnapshot = (uid?: string): EventObject => {
  const actor = createActor(createSessionMachine(calm));
  const snapshot = { ...actor.getSnapshot(), context: { session: uid && sessionOf(uid) } };
  const matches = (value: unknown) =>
    JSON.stringify(value) ===
    JSON.stringify({ status: uid === undefined ? 'unauthenticated' : 'authenticated' });
  return { type: 'xstate.snapshot.session', snapshot: { ...snapshot, matches } } as EventObject;
};

const sessionSignals = [
  ...plain('stored.read', 'session.denied', 'session.unreachable', 'session.revalidate'),
  ...plain('session.closed', 'session.changed', 'session.ended', 'page.shown', 'network.returned'),
  ...[0, 60].map((seconds) => ({ type: 'poll.configured', seconds })),
  { type: 'session.confirmed', session: sessionOf('u_me') },
  { type: 'session.confirmed', session: sessionOf('u_me', -1) },
];

const teamsOutputs = {
  readCache: [...[world.clock.now() - 60_000, 0, undefined].map(ok), fail(error)],
  fetchTeams: [ok(world.clock.now()), fail(error), fail(unauthenticated)],
  fetchProducers: [ok([]), fail(error), fail(unauthenticated)],
};

const networkSignals = plain('network.returned', 'network.lost');
const historySignals = plain('newest.failed', 'more.requested', 'retry.requested', 'page.shown');
const read = [fail(error), ...[true, false].map((more) => ok({ from, more }))];

const senderSignals = [
  { type: 'queue.changed', activeRoomCount: 1 },
  ...plain('sending.resume'),
  ...plain('connection.restored', 'connection.lost'),
  ...networkSignals,
];

const senderOutputs = {
  findNext: [ok(item), ok({ ...item, attemptedAfter: from }), ok(undefined), fail(error)],
  send: [ok(undefined), fail(error), fail(unauthenticated), fail(fenced)],
  record: [ok(1), fail(error), fail(fenced)],
};

const connectionSignals = [
  ...['stream.advanced', 'stream.rewound'].map((type) => ({ type, cursor: from })),
  { type: 'stream.began', at: from },
  ...plain(
    'stream.beat',
    'stream.current',
    'stream.overflowed',
    'stream.ended',
    'stream.refused',
    'store.fenced',
  ),
  ...plain('retry.requested', 'engine.answered', 'page.shown'),
  ...networkSignals,
];

const leaderSignals = [
  ...[true, false].map((recent) => ({
    type: 'leader.seen',
    row: { fence: 1, tabId: 'tab-2', at: 1, link: { kind: 'online' } },
    recent,
  })),
  ...[true, false].map((isFull) => ({ type: 'space.changed', isFull })),
  ...['offline', 'waiting', { linked: 'online' }].map((at) => connectionSnapshot(at)),
  outboxSnapshot([room]),
  ...['connection', 'outbox'].map((part) => ({ type: `xstate.done.actor.${part}` })),
  ...plain('lock.held', 'lock.lost', 'retry.requested', 'page.shown'),
];

const outboxSignals = [
  { type: 'queue.changed', rooms: [room] },
  senderSnapshot(room),
  { type: `xstate.done.actor.${room}` },
  ...plain('send.answered', 'retry.requested'),
  ...plain('connection.restored', 'connection.lost'),
];

const submitted = { type: 'login.submitted', email: 'a@b.c', password: '12345', callbackUrl: '/' };

const WALKS: Readonly<Record<keyof typeof MACHINES, readonly Walk[]>> = {
  app: [
    {
      machine: createWholeApp(calm),
      signals: [sessionSnapshot('u_me'), sessionSnapshot()],
      outputs: { loadDesk: [deskMachine], purgeSignedOutUsers: [true, false] },
      keyOf: ({ context }) => context.uid,
    },
  ],
  connection: [calm, dark].map((tab) => ({
    machine: createConnectionMachine(tab),
    input: leader,
    signals: connectionSignals,
    outputs: { catchUp: [ok(undefined), ...[error, malformed, unauthenticated, fenced].map(fail)] },
    keyOf: ({ context }) => Math.min(context.catchUpFailures, CATCH_UP_ROUNDS_MAX),
  })),
  desk: [
    {
      machine: deskMachine,
      input: { uid: 'u_me' },
      signals: [
        { type: 'store.opened', store } as EventObject,
        { type: 'store.failed', error } as EventObject,
        ...plain('retry.requested', 'store.lost', 'page.shown', 'network.returned'),
      ],
      outputs: { loadLate: [late], requestPersistentStorage: [true] },
    },
  ],
  history: [
    {
      machine: createHistoryMachine(calm, store, () => {}),
      input: { room },
      signals: [...historySignals, ...networkSignals],
      outputs: { readCache: [ok(undefined), ...read], readNewest: read, readMore: read },
      keyOf: ({ context }) => context.shown,
    },
  ],
  'unsent-restore': [keptWalk(leader)],
  leader: [
    {
      machine: late.leader,
      input: leader,
      signals: leaderSignals,
      outputs: {
        takeFence: [ok(2), fail(error)],
        writeHeartbeat: [ok(undefined), fail(fenced)],
        retention: [undefined],
      },
      keyOf: ({ context }) => [context.link, context.isFull],
    },
  ],
  login: [
    {
      machine: createLoginMachine(calm),
      signals: [submitted, ...plain('session.missing')],
      outputs: { signIn: [ok('/'), fail(error)] },
    },
  ],
  logout: [
    {
      machine: createLogoutMachine(calm),
      signals: [
        ...plain('logout.cancelled', 'send.chosen', 'keep.chosen', 'discard.chosen'),
        { type: 'logout.requested', uid: 'u_me', store, hasDrafts: () => false } as EventObject,
        ...[[], [room]].map((rooms) => ({ type: 'queue.changed', rooms })),
      ],
      outputs: {
        findUnsent: [
          ok({}),
          ok({ asks: true, keepable: true }),
          ok({ marks: true, sharing: true }),
          fail(error),
        ],
        signOut: [ok(undefined), fail(error)],
      },
    },
  ],
  outbox: [{ machine: createOutboxMachine(calm), input: leader, signals: outboxSignals }],
  'room-sender': [calm, dark, forgetful.openTab()].map((tab) => ({
    machine: createRoomSenderMachine(tab),
    input: { ...leader, room, activeRoomCount: 1 },
    signals: senderSignals,
    outputs: senderOutputs,
    keyOf: ({ context }) => [context.item, context.linked, context.retryAfterMs, context.failedAt],
  })),
  'mark-log': [MARK_LOG_WALK],
  period: [PERIOD_WALK],
  retention: [
    {
      machine: createRetentionMachine(calm),
      input: leader,
      signals: [],
      outputs: { prune: [ok(1), fail(error), fail(fenced)] },
    },
  ],
  session: [calm, aging].map((tab) => ({
    machine: createSessionMachine(tab),
    signals: sessionSignals,
    outputs: {
      findStored: [sessionOf('u_me'), undefined],
      fetchSession: [{ type: 'session.denied' }],
      clearStored: [undefined],
    },
    keyOf: ({ context }) => `${context.session?.expires} ${context.pollMs}`,
  })),
  teams: [calm, aging].map((tab) => ({
    machine: createTeamsMachine(tab),
    input: { store },
    signals: plain('retry.requested', 'network.returned', 'page.shown'),
    outputs: teamsOutputs,
  })),
  update: [UPDATE_WALK],
};

describe('every state is reached and every transition taken', () => {
  it.each(Object.keys(MACHINES))('%s', (name) => {
    expect(findUncovered(WALKS[name] ?? [])).toEqual([]);
  });
});
