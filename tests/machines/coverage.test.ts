import { fail, ok } from '#domain/result.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { fromEpochMs } from '#domain/timetoken.ts';
import { loginMachine } from '#machines/session/login.machine.ts';
import { createLogoutMachine } from '#machines/sign-out/logout.machine.ts';
import { createAppMachine } from '#machines/app/app.machine.ts';
import { createDeskMachine } from '#machines/app/desk.machine.ts';
import { provideConnection } from '#machines/connection/provide-connection.ts';
import { provideHistory } from '#machines/history/provide-history.ts';
import { provideLeader } from '#machines/leader/provide-leader.ts';
import { provideOutbox, provideRoomSender } from '#machines/outbox/provide-outbox.ts';
import { provideRetention } from '#machines/leader/retention.machine.ts';
import { provideSession } from '#machines/session/provide-session.ts';
import { createTeamsMachine } from '#machines/teams/teams.machine.ts';
import { findUncovered, type Walk } from '#tests/support/machines/cover-machine.ts';
import { MACHINES } from '#tests/support/machines/machine-list.ts';
import { openMemoryStore } from '#tests/support/memory-ports/store.ts';
import { MemoryWorld, sessionOf } from '#tests/support/memory-ports/memory-ports.ts';
import { createActor, type EventObject } from 'xstate';
import { describe, expect, it } from 'vitest';

import { connectionSnapshot, outboxSnapshot } from './child-snapshots.ts';
import { keptWalks } from './sign-out/kept-walk.ts';
import { UPDATE_WALK } from './app/update-walk.ts';

const world = new MemoryWorld();
const calm = world.openTab();
const dark = world.openTab();
dark.environment.online = false;
dark.environment.visible = false;
const store = openMemoryStore(world.database());
const room = toRoomKey('c_001', 'team');
const from = fromEpochMs(world.clock.now());
const error = { kind: 'unreachable' } as const;
const unauthenticated = { kind: 'unauthenticated' } as const;
const item = { id: 'a', room, seq: 1, text: 'a', uid: 'u_me', at: 1, state: 'queued' } as const;
const leader = { store, uid: 'u_me', fence: 1 };

const plain = (...types: readonly string[]): readonly EventObject[] =>
  types.map((type) => ({ type }));

/** A session as it looks to the app. */
const sessionSnapshot = (uid?: string): EventObject => {
  const actor = createActor(provideSession(calm));
  const snapshot = { ...actor.getSnapshot(), context: { session: uid && sessionOf(uid) } };
  const matches = (value: unknown) =>
    JSON.stringify(value) ===
    JSON.stringify({ status: uid === undefined ? 'unauthenticated' : 'authenticated' });
  return { type: 'xstate.snapshot.session', snapshot: { ...snapshot, matches } } as EventObject;
};

const sessionSignals = [
  ...plain('stored.missing', 'session.denied', 'session.unanswered', 'session.revalidate'),
  ...plain('session.closed', 'session.changed', 'session.ended', 'page.shown', 'network.returned'),
  ...[0, 60].map((seconds) => ({ type: 'poll.configured', seconds })),
  { type: 'stored.found', session: sessionOf('u_me') },
  { type: 'session.confirmed', session: sessionOf('u_me') },
  { type: 'session.confirmed', session: sessionOf('u_me', -1) },
];

const teamsOutputs = {
  readCache: [...[world.clock.now(), 0, undefined].map(ok), fail(error)],
  fetchTeams: [ok(world.clock.now()), fail(error), fail(unauthenticated)],
  fetchProducers: [undefined],
};

const historySignals = [
  ...['cache.found', 'newest.loaded', 'more.loaded'].flatMap((type) => [
    { type, from, more: true },
    { type, from, more: false },
  ]),
  { type: 'newest.failed', error },
  { type: 'more.failed', error },
  ...plain('cache.missing', 'more.requested', 'retry.requested', 'network.returned', 'page.shown'),
];

const senderSignals = [
  { type: 'item.found', item },
  { type: 'publish.accepted', timetoken: from },
  { type: 'publish.rejected', reason: 'no', at: 1 },
  { type: 'publish.deferred', retryAfterMs: 0 },
  { type: 'queue.changed', activeRoomCount: 1 },
  ...plain(
    'item.missing',
    'publish.found',
    'item.failed',
    'storage.full',
    'publish.unauthorized',
    'record.kept',
    'record.failed',
  ),
  ...plain(
    'record.fenced',
    'connection.restored',
    'connection.lost',
    'network.returned',
    'network.lost',
    'sending.resume',
  ),
];

const connectionSignals = [
  ...['stream.advanced', 'stream.rewound'].map((type) => ({ type, cursor: from })),
  ...plain('stream.beat', 'stream.overflowed', 'stream.ended', 'stream.refused', 'catchup.done'),
  { type: 'catchup.failed', retryAfterMs: 0 },
  ...plain('catchup.refused', 'store.fenced', 'retry.requested'),
  ...plain('network.returned', 'network.lost', 'page.shown'),
];

const leaderSignals = [
  ...[true, false].map((recent) => ({
    type: 'leader.seen',
    row: { fence: 1, tabId: 'tab-2', at: 1, link: { kind: 'online' } },
    recent,
  })),
  { type: 'fence.taken', fence: 2 },
  ...[true, false].map((isFull) => ({ type: 'space.changed', isFull })),
  ...['offline', 'waiting', { linked: 'online' }].map((at) => connectionSnapshot(at)),
  connectionSnapshot('waiting', from),
  outboxSnapshot([room]),
  ...plain('lock.held', 'lock.lost', 'fence.failed', 'beat.done', 'beat.overdue'),
  ...plain('leader.fenced'),
  ...plain('retry.requested', 'page.shown', 'engine.answered'),
];

const outboxSignals = [
  { type: 'queue.changed', rooms: [room] },
  { type: 'send.started', id: 'a' },
  { type: 'send.ended', id: 'a' },
  { type: 'send.deferred', room },
  { type: 'send.answered', room },
  { type: 'storage.full', room },
  { type: 'queue.emptied', room },
  ...plain(
    'sender.fenced',
    'retry.requested',
    'connection.restored',
    'connection.lost',
    'network.returned',
    'network.lost',
  ),
];

const retentionSignals = plain('prune.ended', 'prune.fenced');
const submitted = { type: 'login.submitted', email: 'a@b.c', password: '12345', callbackUrl: '/' };

const WALKS: Readonly<Record<keyof typeof MACHINES, readonly Walk[]>> = {
  app: [
    {
      machine: createAppMachine(calm),
      signals: [sessionSnapshot('u_me'), sessionSnapshot()],
      outputs: { purgeDepartedUsers: [true, false] },
      keyOf: ({ context }) => context.uid,
    },
  ],
  connection: [calm, dark].map((tab) => ({
    machine: provideConnection(tab),
    input: leader,
    signals: connectionSignals,
  })),
  desk: [
    {
      machine: createDeskMachine(calm),
      input: { uid: 'u_me' },
      signals: [
        { type: 'store.opened', store } as EventObject,
        { type: 'store.failed', error } as EventObject,
        ...plain('retry.requested', 'store.lost'),
      ],
      outputs: { requestPersistentStorage: [true] },
    },
  ],
  history: [
    { machine: provideHistory(calm, store, () => {}), input: { room }, signals: historySignals },
  ],
  'unsent-restore': keptWalks(leader),
  leader: [
    {
      machine: provideLeader(calm),
      input: leader,
      signals: leaderSignals,
      keyOf: ({ context }) => [context.link, context.cursor, context.isFull],
    },
  ],
  login: [
    {
      machine: loginMachine,
      signals: [
        submitted,
        { type: 'login.accepted', url: '/' } as EventObject,
        { type: 'login.refused', error } as EventObject,
        ...plain('session.missing'),
      ],
    },
  ],
  logout: [
    {
      machine: createLogoutMachine(calm),
      signals: [
        ...plain('logout.cancelled', 'send.chosen', 'keep.chosen', 'discard.chosen'),
        { type: 'logout.requested', uid: 'u_me', store, drafts: false } as EventObject,
        { type: 'queue.changed', rooms: [] } as EventObject,
        { type: 'queue.changed', rooms: [room] } as EventObject,
      ],
      outputs: {
        countUnsent: [
          ok({ count: 0, drafts: false, keepable: false }),
          ok({ count: 1, drafts: false, keepable: true }),
          fail(error),
        ],
        signOut: [ok(undefined), fail(error)],
      },
    },
  ],
  outbox: [{ machine: provideOutbox(calm), input: leader, signals: outboxSignals }],
  'room-sender': [calm, dark].map((tab) => ({
    machine: provideRoomSender(tab),
    input: { ...leader, room, activeRoomCount: 1, linked: false },
    signals: senderSignals,
  })),
  retention: [{ machine: provideRetention(calm), input: leader, signals: retentionSignals }],
  session: [
    {
      machine: provideSession(calm),
      signals: sessionSignals,
      keyOf: ({ context }) => `${context.session?.expires} ${context.pollMs}`,
    },
  ],
  teams: [
    {
      machine: createTeamsMachine(calm),
      input: { store },
      signals: plain('retry.requested', 'network.returned', 'page.shown'),
      outputs: teamsOutputs,
    },
  ],
  update: [UPDATE_WALK],
};

describe('every state is reached and every transition taken', () => {
  it.each(Object.keys(MACHINES))('%s', (name) => {
    expect(findUncovered(WALKS[name] ?? [])).toEqual([]);
  });
});
