import { HELD_MS, PUBLISH, waitUntilSent } from './messages.ts';
import { openRoom, say } from './rooms.ts';
import type { Screen } from './screen.ts';

const ROOM = '/chat/c_005/team';
const EVERYTHING = /^\/api\//;

/** The states of the connection line. */
export const CONNECTION: readonly Screen[] = [
  {
    name: 'offline',
    by: 'staff',
    show: async (stage) => {
      await openRoom(stage, ROOM);
      await stage.user.goOffline();
      await stage.shell.connection.filter({ hasText: 'Offline' }).waitFor();
    },
  },
  {
    name: 'reconnecting',
    by: 'staff',
    show: async (stage) => {
      await openRoom(stage, ROOM);
      stage.backend.proxy.break(EVERYTHING, { kind: 'refuse' });
      await stage.user.goOffline();
      await stage.shell.connection.filter({ hasText: 'Offline' }).waitFor();
      await stage.user.goOnline();
      await stage.user.page().getByRole('button', { name: 'Try now' }).waitFor();
    },
  },
  {
    name: 'held-up',
    by: 'staff',
    show: async (stage) => {
      await openRoom(stage, ROOM);
      stage.backend.proxy.break(PUBLISH, { kind: 'status', status: 503 });
      await say(stage, 'The server does not take this one yet.');
      await stage.user.page().getByText("can't be sent right now").waitFor();
    },
    leave: waitUntilSent,
  },
  {
    name: 'back-online',
    by: 'staff',
    show: async (stage) => {
      await openRoom(stage, ROOM);
      stage.backend.proxy.break(PUBLISH, { kind: 'delay', ms: HELD_MS });
      await stage.user.goOffline();
      await say(stage, 'Written in the tunnel.');
      await say(stage, 'And this after it.');
      await stage.shell.connection.filter({ hasText: 'Offline' }).waitFor();
      await stage.user.goOnline();
      await stage.user.page().getByText('Sending 2 messages').waitFor();
    },
    leave: waitUntilSent,
  },
];
