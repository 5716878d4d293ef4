import { openByShortcut } from '../page/shell.ts';
import { waitUntilSent } from './messages.ts';
import { openRoom, say } from './rooms.ts';
import type { Screen, Stage } from './screen.ts';

const ROOM = '/chat/c_003/general';

/** Starts a sign-out and waits for the question. */
const askToSignOut = async ({ user, shell }: Stage): Promise<void> => {
  await shell.chooseFromUserMenu('Logout');
  await user.page().getByRole('dialog').waitFor();
};

const stay = async ({ user }: Stage): Promise<void> => {
  const answer = user.page().getByRole('button', { name: /^(?:Cancel|Stay signed in)$/ });
  if ((await answer.count()) > 0) await answer.click();
};

/** All overlays that open over a page. */
export const OVERLAYS: readonly Screen[] = [
  {
    name: 'palette',
    by: 'staff',
    show: async (stage) => {
      await openRoom(stage, ROOM);
      await openByShortcut(stage.user.page(), 'Control+k');
      await stage.user.page().getByRole('option').first().waitFor();
    },
  },
  {
    name: 'palette-hits',
    by: 'staff',
    show: async (stage) => {
      await openRoom(stage, ROOM);
      await openByShortcut(stage.user.page(), 'Control+k');
      await stage.user.page().getByRole('combobox').fill('team');
      await stage.user.page().getByRole('option').first().waitFor();
    },
  },
  {
    name: 'palette-none',
    by: 'staff',
    show: async (stage) => {
      await openRoom(stage, ROOM);
      await openByShortcut(stage.user.page(), 'Control+k');
      await stage.user.page().getByRole('combobox').fill('zebra');
      await stage.user.page().getByText('No matching client, room or message.').waitFor();
    },
  },
  {
    name: 'shortcuts',
    by: 'staff',
    show: async (stage) => {
      await openRoom(stage, ROOM);
      await openByShortcut(stage.user.page(), 'Control+/');
      await stage.user.page().getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
  },
  {
    name: 'sign-out-draft',
    by: 'staff',
    show: async (stage) => {
      await openRoom(stage, ROOM);
      await stage.room.composer.fill('Not sent yet.');
      await askToSignOut(stage);
    },
    leave: async (stage) => {
      await stay(stage);
      await stage.room.composer.fill('');
    },
  },
  {
    name: 'sign-out-unsent',
    by: 'staff',
    show: async (stage) => {
      await openRoom(stage, ROOM);
      await stage.user.goOffline();
      await say(stage, 'Waits for the network.');
      await say(stage, 'This one, too.');
      await askToSignOut(stage);
    },
    stop: stay,
    leave: waitUntilSent,
  },
  {
    name: 'sign-out-sending',
    by: 'staff',
    show: async (stage) => {
      await openRoom(stage, ROOM);
      await stage.user.goOffline();
      await say(stage, 'Before I go.');
      await askToSignOut(stage);
      await stage.user.page().getByRole('button', { name: 'Send first' }).click();
      await stage.user.page().getByRole('heading', { name: 'Sending before sign-out' }).waitFor();
    },
    stop: stay,
    leave: waitUntilSent,
  },
  {
    name: 'update',
    by: 'staff',
    show: async (stage) => {
      const { backend, user } = stage;
      await openRoom(stage, ROOM);
      const text = await (await fetch(`${backend.server.address}/sw.js`)).text();
      backend.proxy.break(/^\/sw\.js/, { kind: 'script', text: `${text}\n` });
      await user.page().evaluate(async () => {
        await (await navigator.serviceWorker.ready).update();
      });
      await stage.user.page().getByText('A new version is ready.').waitFor();
    },
    leave: async ({ user }) => {
      await user.page().evaluate(async () => {
        await (await navigator.serviceWorker.getRegistration())?.unregister();
      });
    },
  },
];
