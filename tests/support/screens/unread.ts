import { waitFor } from '../wait-for.ts';
import { openRoom, say } from './rooms.ts';
import type { Screen, Stage } from './screen.ts';

/** Another user writes in a room that is not open, and the page shows it. */
const writeElsewhere = async ({ backend, user }: Stage): Promise<void> => {
  const before = await user.page().title();
  await backend.write('chat.c_012.producers', ['The reel is up.', 'Could you look at minute 12?']);
  await user.page().waitForFunction((title) => document.title !== title, before);
};

/** One room per device: a visible message is not unread on the next device. */
const NEWS = { desktop: 'c_013', laptop: 'c_014', phone: 'c_015' } as const;
const LONG_NEWS = Array.from(
  { length: 18 },
  (_, n) => `Clip ${n + 1} of 18 is cut.\nThe goal, the replay from behind, and the bench.`,
);

/** Unread marks, and how they change. */
export const UNREAD: readonly Screen[] = [
  {
    name: 'unread-columns',
    by: 'staff',
    show: async (stage) => {
      await openRoom(stage, '/chat/c_012/team');
      await writeElsewhere(stage);
    },
  },
  {
    name: 'room-tabs',
    by: 'staff',
    only: ['phone'],
    show: async (stage) => {
      const { user, room, shell } = stage;
      await openRoom(stage, '/chat/c_012/general');
      await room.composer.fill('The reel needs another hour,');
      await shell.rooms.getByRole('link', { name: 'Team' }).click();
      await waitFor('the other room', async () => (await room.composer.inputValue()) === '');
      await writeElsewhere(stage);
      await shell.rooms
        .getByRole('link', { name: 'General' })
        .locator('[data-text^="Draft"]')
        .waitFor();
      await user.goOffline();
      await say(stage, 'Written in a tunnel.');
      await shell.rooms.locator('[data-kind="queued"]').waitFor();
    },
    leave: async (stage) => {
      await openRoom(stage, '/chat/c_012/general');
      await stage.room.composer.fill('');
    },
  },
  {
    name: 'unread-line',
    by: 'staff',
    show: async (stage) => {
      await openRoom(stage, '/chat/c_012/team');
      await writeElsewhere(stage);
      await openRoom(stage, '/chat/c_012/producers');
      await stage.room.region.getByText('New', { exact: true }).waitFor();
    },
  },
  {
    name: 'unread-above',
    by: 'staff',
    show: async (stage) => {
      const { backend, user, device } = stage;
      await openRoom(stage, '/chat/c_001/general');
      const room = NEWS[device.kind];
      await backend.write(`chat.${room}.general`, LONG_NEWS);
      // All of them: messages that arrive while the room is open are read at once.
      await user
        .page()
        .locator(`a[href^="/chat/${room}"][aria-description^="${LONG_NEWS.length} "]`)
        .waitFor({ state: 'attached' });
      await openRoom(stage, `/chat/${room}/general`);
      await user
        .page()
        .getByRole('button', { name: / new since / })
        .waitFor();
      // The room is short: its newest page contains all of it.
      await stage.room.fetchMore.waitFor({ state: 'detached' });
    },
  },
  {
    name: 'unread-reached',
    by: 'staff',
    show: async (stage) => {
      const { user, room } = stage;
      await openRoom(stage, `/chat/${NEWS[stage.device.kind]}/general`);
      await user
        .page()
        .getByRole('button', { name: / new since / })
        .click();
      await room.region.getByRole('separator', { name: 'New messages' }).waitFor();
    },
  },
];
