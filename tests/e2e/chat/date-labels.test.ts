import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { moveToNoon } from '#tests/support/page/session.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

const ROOM = '/chat/c_001/general';
const DAY_MS = 86_400_000;

let server: ServerProcess;
let user: User;
let room: RoomPage;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
beforeEach(async () => {
  await user.startOver();
  room = toRoomPage(user.page());
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

/** Runs before the page: shifts its date by the page's `dateOffset`. */
const moveDate = (): void => {
  const RealDate = Date;
  Object.assign(globalThis, { dateOffset: 0 });
  const offset = (): number => Number(Reflect.get(globalThis, 'dateOffset'));
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given: []) =>
      given.length === 0 ? new target(target.now() + offset()) : new target(...given),
    get: (target, name) =>
      name === 'now' ? () => target.now() + offset() : Reflect.get(target, name),
  });
};

/** The page sleeps and wakes up later by this much. */
const wakeLater = (ms: number): Promise<void> =>
  user.page().evaluate((offset) => {
    Object.assign(globalThis, { dateOffset: offset });
    document.dispatchEvent(new Event('visibilitychange'));
  }, ms);

const labelOf = async (text: string): Promise<string> => {
  const time = room.message(text).locator('time').first();
  return (await time.locator('span').first().innerText()).trim();
};

test(
  'labels follow the calendar while the page is open: today, yesterday, weekday, date',
  { tags: ['S9.6'] },
  async () => {
    await moveToNoon(user.page());
    await user.page().addInitScript(moveDate);
    await user.signIn(PRODUCER, ROOM);
    await room.composer.waitFor();
    await room.send('Written today.');
    await expect.poll(() => labelOf('Written today.')).toMatch(/^Today at \d{1,2}:\d\d [AP]M$/);
    await wakeLater(DAY_MS);
    await expect.poll(() => labelOf('Written today.')).toBe('Yesterday');
    await wakeLater(3 * DAY_MS);
    await expect
      .poll(() => labelOf('Written today.'))
      .toMatch(/^Last (Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day$/);
    await wakeLater(7 * DAY_MS);
    await expect.poll(() => labelOf('Written today.')).toMatch(/^\d\d\/\d\d\/20\d\d$/);
    await wakeLater(-DAY_MS);
    await expect.poll(() => labelOf('Written today.')).toBe('Tomorrow');
    await wakeLater(-3 * DAY_MS);
    await expect
      .poll(() => labelOf('Written today.'))
      .toMatch(/^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day$/);
  },
);

test.each([
  ['Pacific/Kiritimati', '/chat/c_003/general'],
  ['Pacific/Pago_Pago', '/chat/c_004/general'],
  ['Asia/Kathmandu', '/chat/c_005/general'],
])('times are local times of the device in %s', { tags: ['S3.3'] }, async (timeZone, path) => {
  const session = await user.page().context().newCDPSession(user.page());
  await session.send('Emulation.setTimezoneOverride', { timezoneId: timeZone });
  await user.signIn(PRODUCER, path);
  await room.composer.waitFor();
  await room.send(`Written in ${timeZone}.`);
  const message = room.message(`in ${timeZone}.`);
  // Before that, it has the time of this device; afterwards that of the service.
  await message.and(user.page().locator('[data-state="sent"]')).waitFor();
  const sentAt = await message.locator('time').first().getAttribute('datetime');
  const format = new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone });
  const expected = format.format(new Date(sentAt ?? '')).replaceAll(/\s/g, ' ');
  const toDay = (at: Date): string => at.toLocaleDateString('en-US', { timeZone });
  // It may have been midnight there meanwhile.
  const isRight = (label: string): boolean =>
    label ===
    (toDay(new Date(sentAt ?? '')) === toDay(new Date()) ? `Today at ${expected}` : 'Yesterday');
  await expect.poll(() => labelOf(`in ${timeZone}.`)).toSatisfy(isRight);
});
