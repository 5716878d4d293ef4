import { openByShortcut } from '../page/shell.ts';
import { tap } from '../page/touch.ts';
import { openRoom } from './rooms.ts';
import type { Screen, Stage } from './screen.ts';

const ROOM = '/chat/c_001/general';

/** The message of the open room in the middle of the visible part, with its button. */
const toMiddle = ({ room }: Stage) => room.region.locator('[data-message-id]').nth(-4);
const toButton = (stage: Stage) => toMiddle(stage).getByRole('button', { name: 'Message actions' });

const showActions = async (stage: Stage): Promise<void> => {
  await openRoom(stage, ROOM);
  await toButton(stage).waitFor({ state: 'attached' });
  if (stage.device.kind === 'phone') await tap(toMiddle(stage).locator('[data-readable]'));
  else await toMiddle(stage).hover();
};

/** Opens a room by the address of one of its messages. */
const openAt = async (stage: Stage, at: string): Promise<void> => {
  await openRoom(stage, `${ROOM}?m=${at}`);
};

/** The ways to one message. */
export const FINDING: readonly Screen[] = [
  { name: 'message-actions', by: 'staff', show: showActions, anew: true },
  {
    name: 'message-menu',
    by: 'staff',
    anew: true,
    show: async (stage) => {
      await showActions(stage);
      if (stage.device.kind === 'phone') await tap(toButton(stage));
      else await toButton(stage).click();
      await stage.user.page().getByRole('menuitem', { name: 'Copy link' }).waitFor();
    },
  },
  {
    name: 'message-linked',
    by: 'staff',
    show: async (stage) => {
      const { room, user } = stage;
      await openRoom(stage, ROOM);
      const time = await toMiddle(stage).locator('time').first().getAttribute('datetime');
      const link = user.page().getByRole('link', { name: /\?m=/ }).last();
      if ((await link.count()) === 0) {
        await room.send(`${user.page().url()}?m=${String(Date.parse(time ?? ''))}0000`);
      }
      await link.click();
      await room.region.locator('[aria-current]').waitFor();
    },
  },
  {
    name: 'message-linked-missing',
    by: 'staff',
    show: async (stage) => {
      await openAt(stage, '17000000000000001');
      await stage.user.page().getByText("The linked message isn't in this room.").waitFor();
    },
  },
  {
    name: 'message-linked-away',
    by: 'staff',
    show: async (stage) => {
      await openRoom(stage, '/chat/c_001/team');
      await stage.user.goOffline();
      await openRoom(stage, '/chat/c_001/team?m=17000000000000001');
      await stage.user.page().getByText("The linked message isn't on this device").waitFor();
    },
  },
  {
    name: 'message-linked-wrong',
    by: 'staff',
    show: async (stage) => {
      await openAt(stage, 'yesterday');
      await stage.user.page().getByText("This link doesn't point to a message").waitFor();
    },
  },
  {
    name: 'search',
    by: 'staff',
    show: async ({ user }) => {
      await user.visit('/search');
      await user
        .page()
        .getByText(/Searched .* on this device/)
        .waitFor();
    },
  },
  {
    name: 'search-hits',
    by: 'staff',
    show: async ({ user }) => {
      await user.visit('/search?q=cameras');
      await user.page().getByRole('list', { name: 'Results' }).waitFor();
    },
  },
  {
    name: 'search-clients',
    by: 'staff',
    show: async ({ user }) => {
      await user.visit('/search?q=nadia');
      await user.page().getByRole('list', { name: 'Clients' }).waitFor();
      await user.page().getByRole('list', { name: 'Results' }).waitFor();
    },
  },
  {
    name: 'search-none',
    by: 'staff',
    show: async ({ user }) => {
      await user.visit('/search?q=zebra+after:whenever');
      await user.page().getByText('No message on this device matches').waitFor();
    },
  },
  {
    name: 'palette-messages',
    by: 'staff',
    show: async (stage) => {
      await openRoom(stage, ROOM);
      await openByShortcut(stage.user.page(), 'Control+k');
      await stage.user.page().getByRole('combobox').fill('camera');
      await stage.user.page().getByRole('option', { name: 'All matching messages' }).waitFor();
    },
  },
];
