import { waitFor } from '#tests/support/wait-for.ts';

import { openRoom } from './rooms.ts';
import type { Screen, Stage } from './screen.ts';

const STREAM = /^\/api\/realtime\/stream/;
/** Longer than a page, so that a part of it is missing before the newest one. */
const MISSED = 350;
/** A little less than a phone's visible part: the gap is never scrolled past. */
const STEP_PX = 250;

const loseMessages = async (stage: Stage, clientId: string): Promise<void> => {
  const { backend, user, room } = stage;
  const channel = `chat.${clientId}.general`;
  await openRoom(stage, `/chat/${clientId}/general`);
  // A room whose first page is still being read would begin with the newest one.
  const start = user.page().getByText('This is the start of the conversation.');
  await start.or(room.fetchMore).first().waitFor({ state: 'attached' });
  await user.goOffline();
  // Until the page detects that, its stream may still deliver.
  await stage.shell.connection.filter({ hasText: 'Offline' }).waitFor();
  const texts = Array.from({ length: MISSED }, (_, index) => `Shot ${index + 1} is logged.`);
  await backend.write(channel, texts);
  // The newest page arrives, but the stream does not.
  backend.proxy.break(STREAM, { kind: 'status', status: 503 });
  await user.goOnline();
  await user.page().evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await room.message(`Shot ${MISSED} is logged.`).last().waitFor();
  const gap = room.region.locator('[data-gap]');
  await waitFor('the gap', async () => {
    await room.region.evaluate((region, step) => region.scrollBy(0, -step), STEP_PX);
    return (await gap.count()) > 0;
  });
  await gap.scrollIntoViewIfNeeded();
};

/** The places where messages are missing. */
export const GAPS: readonly Screen[] = [
  { name: 'gap-waiting', by: 'staff', show: (stage) => loseMessages(stage, 'c_009') },
];
