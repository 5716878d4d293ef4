import type { Screen } from './screen.ts';

const toSection = (name: string, path: string): Screen => ({
  name,
  by: 'staff',
  show: async ({ user }) => {
    await user.visit(path);
    await user.page().getByRole('main').getByRole('heading').first().waitFor();
  },
});

/** Pages with a heading and little else, and unknown addresses. */
export const SECTIONS: readonly Screen[] = [
  toSection('home', '/'),
  toSection('dashboard', '/dashboard'),
  toSection('videos', '/videos'),
  toSection('deliveries', '/deliveries'),
  {
    name: 'settings',
    by: 'staff',
    show: async (stage) => {
      await stage.user.visit('/settings');
      await stage.user.page().getByRole('main').getByRole('listitem').first().waitFor();
    },
  },
  {
    name: 'settings-offline',
    by: 'staff',
    show: async (stage) => {
      await stage.user.visit('/settings');
      await stage.user.page().getByRole('main').getByRole('listitem').first().waitFor();
      await stage.user.goOffline();
      await stage.user.page().getByText("Sessions load when you're back online").waitFor();
    },
  },
  {
    name: 'settings-failed',
    by: 'staff',
    show: async (stage) => {
      stage.desk.proxy.break(/^\/api\/sessions/, { kind: 'status', status: 503 });
      await stage.user.visit('/settings');
      await stage.user.page().getByRole('button', { name: 'Try again' }).waitFor();
    },
  },
  toSection('spendings', '/spendings'),
  toSection('referral', '/referral'),
  toSection('not-found', '/no-such-page'),
  toSection('no-such-client', '/chat/c_999'),
  toSection('no-such-room', '/chat/c_001/attic'),
];
