import { openRoom } from './rooms.ts';
import type { Screen, Stage } from './screen.ts';

/** Somebody else writes in a room that is not open, and the page tells of it. */
const writeElsewhere = async ({ desk, user }: Stage): Promise<void> => {
  const before = await user.page().title();
  await desk.write('chat.c_012.producers', ['The reel is up.', 'Could you look at minute 12?']);
  await user.page().waitForFunction((title) => document.title !== title, before);
};

/** What is unread, and what becomes of it. */
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
    name: 'unread-home',
    by: 'staff',
    show: async (stage) => {
      await stage.user.visit('/');
      await writeElsewhere(stage);
      await stage.user.page().getByRole('list', { name: 'Unread' }).waitFor();
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
];
