import { waitFor } from '#tests/support/wait-for.ts';

import { openRoom } from './rooms.ts';
import type { Screen, Stage } from './screen.ts';

/** Longer than a stream's backlog of 100, so that a part of it has to be read as history. */
const MISSED = 350;
/** A little less than a phone's visible part: the gap is never scrolled past. */
const STEP_PX = 250;

const loseMessages = async (stage: Stage, clientId: string): Promise<void> => {
  const { desk, user, room } = stage;
  const channel = `chat.${clientId}.general`;
  const itsHistory = new RegExp(`/realtime/history\\?.*${channel}`);
  await openRoom(stage, `/chat/${clientId}/general`);
  await user.goOffline();
  const texts = Array.from({ length: MISSED }, (_, index) => `Shot ${index + 1} is logged.`);
  await desk.write(channel, texts);
  // The newest page arrives, the rest of the gap does not.
  desk.proxy.break(itsHistory, { kind: 'delay', ms: 0 }, 1);
  desk.proxy.break(itsHistory, { kind: 'status', status: 503 });
  await user.goOnline();
  await room.message(`Shot ${MISSED} is logged.`).last().waitFor();
  const gap = room.region.locator('[data-gap]');
  await waitFor('the gap', async () => {
    await room.region.evaluate((region, step) => region.scrollBy(0, -step), STEP_PX);
    return (await gap.count()) > 0;
  });
  await gap.scrollIntoViewIfNeeded();
};

/** Where messages are missing. */
export const GAPS: readonly Screen[] = [
  { name: 'gap-filling', by: 'staff', show: (stage) => loseMessages(stage, 'c_007') },
  {
    name: 'gap-waiting',
    by: 'staff',
    show: async (stage) => {
      await loseMessages(stage, 'c_009');
      await stage.user.goOffline();
      await stage.room.region.locator('[data-gap="waiting"]').waitFor();
    },
  },
];
