import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { type FaultyServer, startFaultyServer } from '#tests/support/scenes/faulty-server.ts';
import { changeFont, FONTS, measureFonts, openWithFont } from '#tests/support/page/font.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import {
  type Device,
  DESKTOP_DEVICE,
  PHONE_DEVICE,
  setDevice,
} from '#tests/support/screens/device.ts';
import { toRestingEnd } from '#tests/support/page/thread-end.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

const PUBLISH = /\/realtime\/publish/;
const ROOMS = ['/chat/c_001/team', '/chat/c_001/general', '/chat/c_001/producers'] as const;
const DEVICES: readonly Device[] = [
  { ...PHONE_DEVICE, name: '320 px', width: 320 },
  { ...PHONE_DEVICE, name: '390 px' },
  { ...PHONE_DEVICE, name: '412 px', width: 412 },
  { ...DESKTOP_DEVICE, name: '1440 px' },
];

let backend: FaultyServer;
let user: User;
let room: RoomPage;

beforeAll(async () => {
  backend = await startFaultyServer();
  user = await createUser(backend.server);
});
afterAll(async () => {
  await user.dispose();
  await backend.dispose();
});
beforeEach(async () => {
  await user.startOver();
  user.problems.allow(NETWORK_AWAY);
  room = toRoomPage(user.page());
});
afterEach(() => {
  backend.proxy.heal();
  expect(user.problems.take()).toEqual([]);
});

const open = async (path: string): Promise<void> => {
  await user.visit(path);
  await room.region.locator('[data-message-id]').first().waitFor();
};
const say = async (text: string): Promise<void> => {
  await room.composer.fill(text);
  await user.page().getByRole('button', { name: 'Send' }).click();
  await room.message(text).waitFor();
};

const OTHER_FONT = { [FONTS[0]]: FONTS[1], [FONTS[1]]: FONTS[0] } as const;

test.each(DEVICES)(
  'every room opens at its end, and stays there while fonts arrive: $name',
  { tags: ['S4.10'] },
  async (device) => {
    await setDevice(user.page(), device);
    await user.signIn(PRODUCER, '/chat');
    const ends: Record<string, number> = {};
    // The first visit of a room reads from the server, the second from the cache.
    for (const font of FONTS) {
      await openWithFont(user.page(), font);
      for (const path of ROOMS) {
        await open(path);
        ends[`${path} in ${font}`] = await toRestingEnd(room.region);
        await changeFont(user.page(), OTHER_FONT[font]);
        ends[`${path} after ${font}`] = await toRestingEnd(room.region);
      }
    }
    const [wide = 0, narrow = 0] = await measureFonts(user.page());
    expect(wide).toBeGreaterThan(narrow * 1.02);
    expect(Object.entries(ends).filter(([, end]) => Math.abs(end) > 1)).toEqual([]);
  },
);

const sent = (text: string) =>
  room.message(text).and(room.region.locator('[data-state="sent"]')).waitFor();

test.each(DEVICES)(
  'a refused message that moves below later ones keeps its buttons visible: $name',
  async (device) => {
    user.problems.allow(/400/);
    await setDevice(user.page(), device);
    await user.signIn(PRODUCER, '/chat');
    for (const font of FONTS) {
      const look = `${device.name}, ${font}`;
      await openWithFont(user.page(), font);
      await open('/chat/c_001/general');
      backend.proxy.break(PUBLISH, { kind: 'status', status: 400 });
      await say(`Refused (${look}), which is a text that is long enough for two lines.`);
      const failed = room.message(`Refused (${look})`);
      await failed.getByRole('button', { name: 'Retry' }).waitFor();
      await user.goOffline();
      backend.proxy.heal();
      await say(`Written in the tunnel (${look}).`);
      await say(`And this after it (${look}).`);
      expect(Math.abs(await toRestingEnd(room.region))).toBeLessThanOrEqual(1);
      await user.goOnline();
      await sent(`Written in the tunnel (${look}).`);
      await sent(`And this after it (${look}).`);
      expect(Math.abs(await toRestingEnd(room.region))).toBeLessThanOrEqual(1);
      const composer = await room.composer.boundingBox();
      for (const name of ['Retry', 'Copy', 'Delete']) {
        const button = await failed.getByRole('button', { name }).boundingBox();
        expect((button?.y ?? Infinity) + (button?.height ?? 0)).toBeLessThan(composer?.y ?? 0);
      }
    }
  },
);
