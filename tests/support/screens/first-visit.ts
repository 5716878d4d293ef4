import { PRODUCER } from '#tests/support/browser/user.ts';

import type { Screen } from './screen.ts';

const HISTORY = /\/realtime\/history/;
const TEAMS = /\/proxy\/staff\/teams/;
const ROOM = '/chat/c_001/team';

/** Screens before anything is cached on the device. */
export const FIRST_VISIT: readonly Screen[] = [
  {
    name: 'clients-loading',
    by: 'first-visit',
    show: async ({ user, backend, shell }) => {
      backend.proxy.break(TEAMS, { kind: 'mute' });
      await user.signInByForm(PRODUCER, '/chat');
      await shell.clients.getByLabel('Loading clients').waitFor();
    },
  },
  {
    name: 'clients-error',
    by: 'first-visit',
    anew: true,
    show: async ({ user, backend, shell }) => {
      backend.proxy.break(TEAMS, { kind: 'status', status: 502 });
      await user.signInByForm(PRODUCER, '/chat');
      await shell.clients.getByRole('button', { name: 'Error loading clients' }).hover();
      await user.page().getByRole('tooltip').waitFor();
    },
  },
  {
    name: 'room-unreachable',
    by: 'first-visit',
    show: async ({ user, backend }) => {
      backend.proxy.break(TEAMS, { kind: 'status', status: 502 });
      await user.signInByForm(PRODUCER, ROOM);
      await user.page().getByRole('heading', { name: 'Error loading clients' }).waitFor();
    },
  },
  {
    name: 'history-loading',
    by: 'first-visit',
    show: async ({ user, backend, room }) => {
      backend.proxy.break(HISTORY, { kind: 'mute' });
      await user.signInByForm(PRODUCER, ROOM);
      await room.region.getByRole('status', { name: 'Loading messages' }).waitFor();
    },
  },
  {
    name: 'history-error',
    by: 'first-visit',
    show: async ({ user, backend }) => {
      backend.proxy.break(HISTORY, { kind: 'status', status: 500 });
      await user.signInByForm(PRODUCER, ROOM);
      await user.page().getByText('Error loading chatroom!').waitFor();
    },
  },
  {
    name: 'room-not-here-offline',
    by: 'first-visit',
    show: async ({ user, backend, shell }) => {
      backend.proxy.break(HISTORY, { kind: 'mute' });
      await user.signInByForm(PRODUCER, '/chat');
      await shell.client('Maya Okafor').waitFor();
      await user.goOffline();
      await shell.client('Maya Okafor').click();
      await shell.rooms.getByRole('link', { name: 'Team' }).click();
      await user.page().getByText('Not downloaded yet').waitFor();
    },
  },
];
