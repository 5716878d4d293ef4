import type { Screen } from './screen.ts';

const toSection = (name: string, path: string): Screen => ({
  name,
  by: 'staff',
  show: async ({ user }) => {
    await user.visit(path);
    await user.page().getByRole('main').getByRole('heading').first().waitFor();
  },
});

/** Pages with a heading and little else, and addresses that lead nowhere. */
export const SECTIONS: readonly Screen[] = [
  toSection('home', '/'),
  toSection('dashboard', '/dashboard'),
  toSection('videos', '/videos'),
  toSection('deliveries', '/deliveries'),
  toSection('settings', '/settings'),
  toSection('spendings', '/spendings'),
  toSection('referral', '/referral'),
  toSection('not-found', '/no-such-page'),
  toSection('no-such-client', '/chat/c_999'),
  toSection('no-such-room', '/chat/c_001/attic'),
];
