import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { getSession, moveToNoon } from '#tests/support/page/session.ts';
import { toShellPage } from '#tests/support/page/shell.ts';
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

/** Moves the device to another time zone, as a journey does, while the page stays open. */
const travelTo = async (timezoneId: string): Promise<void> => {
  const session = await getSession(user.page());
  await session.send('Emulation.setTimezoneOverride', { timezoneId });
};

/** Whether a label is that of a sent message in a time zone. */
const toCheck = async (text: string, timeZone: string): Promise<(label: string) => boolean> => {
  const message = room.message(text);
  // Before that, it has the time of this device; afterwards that of the service.
  await message.and(user.page().locator('[data-state="sent"]')).waitFor();
  const sentAt = await message.locator('time').first().getAttribute('datetime');
  const format = new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone });
  const expected = format.format(new Date(sentAt ?? '')).replaceAll(/\s/g, ' ');
  const toDay = (at: Date): string => at.toLocaleDateString('en-US', { timeZone });
  // It may have been midnight there meanwhile.
  return (label) =>
    label ===
    (toDay(new Date(sentAt ?? '')) === toDay(new Date()) ? `Today at ${expected}` : 'Yesterday');
};

test.each([
  ['Pacific/Kiritimati', '/chat/c_003/general'],
  ['Pacific/Pago_Pago', '/chat/c_004/general'],
  ['Asia/Kathmandu', '/chat/c_005/general'],
])('times are local times of the device in %s', { tags: ['S3.3'] }, async (timeZone, path) => {
  await travelTo(timeZone);
  await user.signIn(PRODUCER, path);
  await room.composer.waitFor();
  await room.send(`Written in ${timeZone}.`);
  const isRight = await toCheck(`in ${timeZone}.`, timeZone);
  await expect.poll(() => labelOf(`in ${timeZone}.`)).toSatisfy(isRight);
});

/** Fourteen hours apart: what is morning in the second one is the day before in the first one. */
const [WEST, EAST] = ['Etc/GMT+6', 'Etc/GMT-8'] as const;

test('times and days follow the device into another time zone', { tags: ['S3.3'] }, async () => {
  await travelTo(WEST);
  await user.signIn(PRODUCER, '/chat/c_006/general');
  await room.composer.waitFor();
  const text = 'Written before the flight.';
  await room.send(text);
  await expect.poll(() => labelOf(text)).toSatisfy(await toCheck(text, WEST));
  await travelTo(EAST);
  await user.page().evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect.poll(() => labelOf(text)).toSatisfy(await toCheck(text, EAST));
  await user.page().getByRole('button', { name: 'Follow up' }).click();
  const monday = user.page().getByRole('button', { name: 'Monday morning' });
  expect(await monday.innerText()).toMatch(/\sMon \d+ \w+(?: \d+)?, 9:00 AM$/);
});

test('the days of the dashboard follow the device into another time zone', async () => {
  const page = user.page();
  await travelTo(WEST);
  await user.signIn(PRODUCER, '/dashboard');
  const table = page.getByRole('table', { name: 'Messages per day' });
  const readDays = async (): Promise<readonly string[]> => {
    if (!(await table.isVisible())) await page.getByText('Show as a table').click();
    return table.locator('tbody th').allInnerTexts();
  };
  /** Today and the days before in a time zone. */
  const toDays = (timeZone: string): readonly string[] => {
    const format = { weekday: 'long', day: 'numeric', month: 'long', timeZone } as const;
    return Array.from({ length: 7 }, (_, ago) =>
      new Date(Date.now() - ago * DAY_MS).toLocaleDateString('en-GB', format),
    );
  };
  await expect.poll(readDays).toSatisfy((days) => String(days) === String(toDays(WEST)));
  await toShellPage(page).link('Home').click();
  await travelTo(EAST);
  await toShellPage(page).link('Dashboard').click();
  await expect.poll(readDays).toSatisfy((days) => String(days) === String(toDays(EAST)));
});
