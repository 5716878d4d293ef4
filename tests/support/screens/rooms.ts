import type { Screen, Stage } from './screen.ts';

/** Opens a room and waits until its messages are on the screen. */
export const openRoom = async ({ user, room }: Stage, path: string): Promise<void> => {
  await user.visit(path);
  await room.region.locator('[data-message-id]').first().waitFor();
};

/** Sends a message with the button, which works on every device. */
export const say = async ({ room, user }: Stage, text: string): Promise<void> => {
  await room.composer.fill(text);
  await user.page().getByRole('button', { name: 'Send' }).click();
  await room.message(text).last().waitFor();
};

const toRoom = (name: string, path: string): Screen => ({
  name,
  by: 'staff',
  show: (stage) => openRoom(stage, path),
});

const HARD_TEXTS = [
  'The whole list is at https://replays.example.com/deliveries/2026/autumn/league-two/matchday-14/second-half/camera-three/goal-from-behind-the-goal-in-slow-motion-with-audio-track-two.mp4 and stays there for a week.',
  `Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen${'verleihung'.repeat(14)}`,
  '😀🎬🏆',
  '🇵🇹🇳🇴 the clip is ready 👩‍👩‍👧‍👦 ✅',
  'שלום, הקליפ מוכן. See you at 18:30 ב-Stadium.',
  '<b>Not bold</b> & "quoted" — javascript:alert(1) is not a link, mailto:desk@example.com is.',
  'Sign in at https://аррӏе.com/account before kick-off.',
  'One\n\nthree\n    indented four',
];

const SIX_LINES = ['Kick-off times:', 'Friday 20:30', 'Saturday 15:00', 'Saturday 18:30'].concat(
  'Sunday 13:00 (moved, was 15:00)',
  'Monday 20:00, and the pitch-side camera has to be taken down before midnight',
);

const toComposing = (name: string, text: string): Screen => ({
  name,
  by: 'staff',
  show: async (stage) => {
    await openRoom(stage, '/chat/c_001/general');
    await stage.room.composer.fill(text);
  },
  leave: ({ room }) => room.composer.fill(''),
});

/** Threads of all lengths and scripts, and the composer. */
export const ROOMS: readonly Screen[] = [
  toRoom('room', '/chat/c_001/team'),
  toRoom('room-short', '/chat/c_008/producers'),
  toRoom('room-right-to-left', '/chat/c_004/general'),
  toRoom('room-long-name', '/chat/c_008/team'),
  {
    name: 'room-hard-texts',
    by: 'staff',
    show: async (stage) => {
      await openRoom(stage, '/chat/c_006/producers');
      const last = stage.room.message('indented four');
      if ((await last.count()) === 0) {
        await stage.backend.write('chat.c_006.producers', HARD_TEXTS);
      }
      await last.waitFor();
    },
  },
  {
    name: 'room-sender-identity',
    by: 'staff',
    show: async (stage) => {
      const { backend, room } = stage;
      await openRoom(stage, '/chat/c_006/team');
      if ((await room.message('I am the client').count()) === 0) {
        await backend.write('chat.c_006.team', ['I am a colleague, on the staff list.']);
        for (const [publisher, text] of [
          ['client:c_006', 'I am the client.'],
          ['app-7', 'I only say that I am Leila Haddad.'],
        ] as const) {
          const sender = { publisher, clientName: 'Leila Haddad' };
          await backend.writeAs(sender, 'chat.c_006.team', text);
        }
        await say(stage, 'And I am signed in here.');
      }
      await room.message('signed in here').waitFor();
    },
  },
  {
    name: 'room-empty',
    by: 'staff',
    show: async ({ user, room }) => {
      await user.visit('/chat/c_016/producers');
      await room.region.getByRole('heading', { name: 'No messages yet' }).waitFor();
    },
  },
  {
    name: 'room-begin',
    by: 'staff',
    show: async (stage) => {
      await openRoom(stage, '/chat/c_003/team');
      const start = stage.room.region.getByText('This is the start of the conversation.');
      await start.scrollIntoViewIfNeeded();
    },
  },
  toComposing('composing', 'On my way to the stadium, the cut is ready in an hour.'),
  toComposing('composing-six-lines', SIX_LINES.join('\n')),
  {
    name: 'composing-too-long',
    by: 'staff',
    show: async (stage) => {
      await openRoom(stage, '/chat/c_001/general');
      await stage.room.composer.fill('All of it. '.repeat(4000));
      await stage.user.page().getByRole('button', { name: 'Send' }).click();
      await stage.user.page().getByText('This message is too long').waitFor();
    },
    leave: ({ room }) => room.composer.fill(''),
  },
];
