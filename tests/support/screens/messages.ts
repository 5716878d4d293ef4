import { allowCopying, readCopied } from '#tests/support/page/message-menu.ts';
import { waitFor } from '#tests/support/wait-for.ts';

import type { Screen, Stage } from './screen.ts';
import { openRoom, say } from './rooms.ts';

export const PUBLISH = /\/realtime\/publish/;
/** Long enough to be inspected. */
export const HELD_MS = 20_000;
const HISTORY = /\/realtime\/history/;
const ROOM = '/chat/c_002/general';
/** No other screen writes there: one of the README's pictures shows it. */
const UNTOUCHED = { desktop: 'c_010', laptop: 'c_011', phone: 'c_012' } as const;

/** Queued messages are sent before the next screen: a new page retries at once. */
export const waitUntilSent = async ({ user, room }: Stage): Promise<void> => {
  await user.page().reload();
  await room.region.locator('[data-state="sent"]').last().waitFor();
  for (const state of ['queued', 'sending']) {
    await room.region.locator(`[data-state="${state}"]`).first().waitFor({ state: 'detached' });
  }
};

const discardFailed = async ({ room }: Stage): Promise<void> => {
  const remove = room.region.getByRole('button', { name: 'Delete' });
  await remove.press('Enter');
  await remove.waitFor({ state: 'detached' });
};

/** The states of messages, and of the thread while they arrive. */
export const MESSAGES: readonly Screen[] = [
  {
    name: 'message-queued',
    by: 'staff',
    show: async (stage) => {
      await openRoom(stage, `/chat/${UNTOUCHED[stage.device.kind]}/general`);
      await stage.user.goOffline();
      await say(stage, 'Cutting the second half on the train.');
      await say(stage, 'It goes out with the next signal.');
      await stage.room.message('next signal').getByText('Queued').waitFor();
    },
    leave: waitUntilSent,
  },
  {
    name: 'message-sending',
    by: 'staff',
    show: async (stage) => {
      await openRoom(stage, '/chat/c_003/general');
      stage.backend.proxy.break(PUBLISH, { kind: 'delay', ms: HELD_MS });
      await say(stage, 'Kick-off times for Saturday are in the sheet.');
      await stage.room.message('in the sheet').last().getByText('Sending').waitFor();
    },
    leave: waitUntilSent,
  },
  {
    name: 'message-failed',
    by: 'staff',
    show: async (stage) => {
      await openRoom(stage, ROOM);
      await stage.room.waitForLateParts();
      stage.backend.proxy.break(PUBLISH, { kind: 'status', status: 400 });
      await say(stage, 'Shall I send the goal to the club as well?');
      await stage.room.message('to the club').getByRole('button', { name: 'Retry' }).waitFor();
      await stage.user.page().getByRole('alert').waitFor();
    },
    leave: discardFailed,
  },
  {
    name: 'copied',
    by: 'staff',
    show: async (stage) => {
      const { backend, room, user } = stage;
      await user.page().context().grantPermissions(['clipboard-write']);
      await openRoom(stage, ROOM);
      backend.proxy.break(PUBLISH, { kind: 'status', status: 400 });
      await say(stage, 'Shall I send the goal to the club as well?');
      await room.message('to the club').getByRole('button', { name: 'Copy' }).click();
      await user.page().getByText('Copied.').waitFor();
    },
    leave: discardFailed,
  },
  {
    name: 'message-quoted',
    by: 'staff',
    show: async (stage) => {
      const { room, user } = stage;
      await allowCopying(user.page());
      await openRoom(stage, '/chat/c_008/team');
      const last = room.region.locator('[data-message-id]').last();
      await last.getByRole('button', { name: 'Message actions' }).press('Enter');
      await user.page().getByRole('menuitem', { name: 'Copy link' }).press('Enter');
      await user.page().getByText('Link copied.').waitFor();
      await openRoom(stage, '/chat/c_006/general');
      await say(stage, `Is this the one? ${await readCopied(user.page())}`);
      await room
        .message('Is this the one?')
        .getByRole('link', { name: /^Quote: / })
        .last()
        .waitFor();
    },
  },
  {
    name: 'fetching-more',
    by: 'staff',
    show: async (stage) => {
      await openRoom(stage, '/chat/c_001/team');
      await stage.room.fetchMore.scrollIntoViewIfNeeded();
      stage.backend.proxy.break(HISTORY, { kind: 'mute' });
      const loading = stage.room.region.locator('button[aria-disabled]');
      await waitFor('a page on its way', async () => {
        // By key: it works while arriving rows move the button.
        if ((await loading.count()) === 0) await stage.room.fetchMore.press('Enter');
        return (await loading.count()) > 0;
      });
    },
  },
  {
    name: 'scrolled-up',
    by: 'staff',
    show: async (stage) => {
      await openRoom(stage, '/chat/c_001/team');
      await stage.room.fetchMore.scrollIntoViewIfNeeded();
      await stage.user.page().getByRole('button', { name: 'Latest messages' }).waitFor();
    },
  },
  {
    name: 'new-below',
    by: 'staff',
    show: async (stage) => {
      await openRoom(stage, '/chat/c_001/team');
      await stage.room.fetchMore.scrollIntoViewIfNeeded();
      await stage.user.page().getByRole('button', { name: 'Latest messages' }).waitFor();
      await stage.backend.write('chat.c_001.team', ['Uploaded, you can look now.']);
      await stage.user.page().getByRole('button', { name: 'New messages' }).waitFor();
    },
  },
];
