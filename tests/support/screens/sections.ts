import { PRODUCER } from '#tests/support/browser/user.ts';

import { PUBLISH } from './messages.ts';
import type { Screen, Stage } from './screen.ts';

const TEAMS = '**/api/proxy/staff/teams';

const region = ({ user }: Stage, name: string) => user.page().getByRole('region', { name });
const coverage = ({ user }: Stage) => user.page().getByRole('status', { name: 'Coverage' });

const openHome = async (stage: Stage): Promise<void> => {
  await stage.user.visit('/');
  await coverage(stage).filter({ hasText: 'Up to date.' }).waitFor();
  await region(stage, 'Needs reply').getByRole('link').first().waitFor();
};

/** Opens the reply field of the nth room that waits. */
const openReply = async (stage: Stage, nth: number): Promise<void> => {
  const reply = region(stage, 'Needs reply').getByRole('button', { name: /^Reply/ });
  await reply.nth(nth).click();
  await stage.room.composer.waitFor();
};

const press = async (stage: Stage, text: string, key: string): Promise<void> => {
  await stage.room.composer.fill(text);
  await stage.room.composer.press(key);
  await stage.room.composer.waitFor({ state: 'detached' });
};

/** Leaves a draft in one room, a refused message in another, and unread ones in a third. */
const fillSections = async (stage: Stage): Promise<void> => {
  const { backend, user } = stage;
  await openHome(stage);
  await openReply(stage, 0);
  await press(stage, 'The second half is cut, and the', 'Escape');
  backend.proxy.break(PUBLISH, { kind: 'status', status: 400 });
  await openReply(stage, 1);
  await stage.room.composer.fill('Shall I send it tonight?');
  await user.page().getByRole('button', { name: 'Send' }).click();
  await user
    .page()
    .getByRole('button', { name: /^Retry/ })
    .waitFor();
  await backend.write('chat.c_007.team', ['The reel is up.', 'Could you look at minute 12?']);
  for (const name of ['Unread', 'Drafts', 'Not sent']) await region(stage, name).waitFor();
  await region(stage, 'Not sent').scrollIntoViewIfNeeded();
};

const emptySections = async (stage: Stage): Promise<void> => {
  await openReply(stage, 0);
  await press(stage, '', 'Escape');
  await region(stage, 'Drafts').waitFor({ state: 'detached' });
  await region(stage, 'Not sent')
    .getByRole('button', { name: /^Retry/ })
    .press('Enter');
  await region(stage, 'Not sent').waitFor({ state: 'detached' });
};

/** Home. */
export const HOME: readonly Screen[] = [
  { name: 'home', by: 'staff', show: openHome },
  {
    name: 'home-all',
    by: 'staff',
    show: async (stage) => {
      await openHome(stage);
      await region(stage, 'Needs reply')
        .getByRole('button', { name: /^Show all/ })
        .click();
      await region(stage, 'Needs reply').getByRole('button', { name: 'Show fewer' }).waitFor();
    },
  },
  {
    name: 'home-reply',
    by: 'staff',
    show: async (stage) => {
      await openHome(stage);
      await openReply(stage, 1);
    },
  },
  {
    name: 'home-follow-up',
    by: 'staff',
    show: async (stage) => {
      await openHome(stage);
      const buttons = region(stage, 'Needs reply').getByRole('button', { name: /^Follow up/ });
      await buttons.first().click();
      await stage.user.page().getByRole('dialog', { name: 'Follow up' }).waitFor();
    },
    leave: ({ user }) => user.page().keyboard.press('Escape'),
  },
  { name: 'home-sections', by: 'staff', show: fillSections, leave: emptySections },
  {
    name: 'home-offline',
    by: 'staff',
    show: async (stage) => {
      await openHome(stage);
      await stage.user.goOffline();
      await coverage(stage).filter({ hasText: 'Offline.' }).waitFor();
    },
  },
  {
    name: 'home-quiet',
    by: 'first-visit',
    show: async ({ user }) => {
      const json = [{ client_id: 'c_016', client: { first_name: 'Hugh', last_name: 'Pemberton' } }];
      await user.page().route(TEAMS, (route) => route.fulfill({ json }));
      await user.signIn(PRODUCER);
      await user.page().getByText("You're all caught up.").waitFor();
    },
    leave: async ({ user }) => {
      await user.page().unroute(TEAMS);
    },
  },
];

const toSection = (name: string, path: string): Screen => ({
  name,
  by: 'staff',
  show: async ({ user }) => {
    await user.visit(path);
    await user.page().getByRole('main').getByRole('heading').first().waitFor();
  },
});

/** Pages with little more than a heading, and unknown addresses. */
export const SECTIONS: readonly Screen[] = [
  {
    name: 'dashboard',
    by: 'staff',
    show: async ({ user }) => {
      await user.visit('/dashboard');
      await user.page().getByRole('table', { name: 'Clients' }).waitFor();
    },
  },
  {
    name: 'dashboard-business-hours',
    by: 'staff',
    show: async ({ user }) => {
      await user.visit('/dashboard');
      await user.page().getByRole('radio', { name: '30 days' }).check();
      const hours = user.page().getByRole('switch', { name: 'Count business hours only' });
      await hours.check();
      await user.page().getByText('Show as a table').click();
      await hours.scrollIntoViewIfNeeded();
    },
  },
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
      stage.backend.proxy.break(/^\/api\/sessions/, { kind: 'status', status: 503 });
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
