import { sharePin } from '../page/pins.ts';
import { setDevice } from './device.ts';
import type { Screen, Stage } from './screen.ts';

const WIDE = ['desktop', 'laptop'] as const;

const toSearch = (name: string, query: string): Screen => ({
  name,
  by: 'staff',
  anew: true,
  show: async ({ user, shell }) => {
    await user.visit('/chat');
    await shell.client('Maya Okafor').waitFor();
    await user.page().getByRole('button', { name: 'Search clients' }).click();
    await user.page().getByRole('searchbox', { name: 'Search clients' }).fill(query);
  },
});

const PINNED = ['c_006', 'c_008'];

const turnPins = async ({ user }: Stage, change: 'Pin' | 'Unpin'): Promise<void> => {
  for (const client of PINNED) {
    await user.visit(`/chat/${client}`);
    await sharePin(user.page(), change);
  }
};

/** The columns beside the thread: clients, rooms, the main navigation, the user's menu. */
export const COLUMNS: readonly Screen[] = [
  {
    name: 'chat',
    by: 'staff',
    show: async ({ user, shell }) => {
      await user.visit('/chat');
      await shell.client('Maya Okafor').waitFor();
    },
  },
  {
    name: 'client',
    by: 'staff',
    anew: true,
    show: async ({ user, shell }) => {
      await user.visit('/chat/c_001');
      await shell.rooms.getByRole('link', { name: 'Team' }).waitFor();
    },
  },
  {
    name: 'client-long-name',
    by: 'staff',
    anew: true,
    show: async ({ user, shell }) => {
      await user.visit('/chat/c_008');
      await shell.rooms.getByRole('link', { name: 'Team' }).waitFor();
    },
  },
  {
    name: 'clients-expanded',
    by: 'staff',
    only: WIDE,
    show: async ({ user, room }) => {
      await user.visit('/chat/c_002/team');
      await room.region.locator('[data-message-id]').first().waitFor();
      await user.page().getByRole('button', { name: 'Expand clients' }).click();
      await user.page().getByRole('button', { name: 'Collapse clients' }).waitFor();
    },
    // It keeps its width.
    leave: async ({ user, device }) => {
      await setDevice(user.page(), device);
      await user.page().getByRole('button', { name: 'Collapse clients' }).click();
    },
  },
  {
    name: 'clients-pinned',
    by: 'staff',
    show: async (stage) => {
      const { user, device } = stage;
      await turnPins(stage, 'Pin');
      if (device.kind === 'phone') await user.visit('/chat');
      else await user.page().getByRole('button', { name: 'Expand clients' }).click();
      await user.page().getByRole('radio', { name: 'All' }).waitFor();
    },
    leave: async (stage) => {
      const { user, device } = stage;
      await setDevice(user.page(), device);
      if (device.kind !== 'phone')
        await user.page().getByRole('button', { name: 'Collapse clients' }).click();
      await turnPins(stage, 'Unpin');
    },
  },
  {
    name: 'client-pointed-at',
    by: 'staff',
    only: WIDE,
    show: async ({ user, shell }) => {
      await user.visit('/chat');
      await shell.client('Kenji Watanabe').hover();
    },
  },
  toSearch('search-open', ''),
  toSearch('search-hits', 'er'),
  toSearch('search-none', 'zebra'),
  {
    name: 'navigation-expanded',
    by: 'staff',
    only: WIDE,
    show: async ({ user, shell }) => {
      await user.visit('/chat/c_001/team');
      await shell.main.hover();
    },
  },
  {
    name: 'navigation-open',
    by: 'staff',
    only: ['phone'],
    show: async ({ user }) => {
      await user.visit('/chat');
      await user.page().getByRole('button', { name: 'Open navigation' }).click();
      await user.page().getByRole('dialog', { name: 'Navigation' }).waitFor();
    },
  },
  {
    name: 'user-menu',
    by: 'staff',
    anew: true,
    show: async ({ user }) => {
      await user.visit('/chat/c_001/general');
      await user.page().getByRole('button', { name: 'User menu' }).click();
      await user.page().getByRole('menuitem', { name: 'Logout' }).waitFor();
    },
  },
];
