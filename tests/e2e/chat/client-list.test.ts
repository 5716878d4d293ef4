import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { pressAndAnswer, refuseUntilPressed } from '#tests/support/browser/refuse-until-pressed.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { PHONE_DEVICE, setDevice } from '#tests/support/screens/device.ts';
import { openConnected, type ShellPage, toShellPage } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { holdRequests } from '#tests/support/browser/hold-requests.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

const TEAMS = '**/api/proxy/staff/teams';
const PRODUCERS = '**/api/proxy/staff/producers';
/** Spec §9. */
const TEAMS_FRESH_MS = 1_800_000;
/** Longer than the test takes. */
const SLACK_MS = 600_000;

let server: ServerProcess;
let user: User;
let shell: ShellPage;

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
  shell = toShellPage(user.page());
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

test('a spinner shows until the clients have loaded', { tags: ['S4.6'] }, async () => {
  const { release } = await holdRequests(user.page(), TEAMS);
  await user.signIn(PRODUCER, '/chat');
  const spinner = shell.clients.getByLabel('Loading clients');
  await spinner.waitFor();
  release();
  await shell.client('Maya Okafor').waitFor();
  await expect.poll(() => spinner.count()).toBe(0);
});

test(
  'a failure shows a red icon with its tooltip; a retry loads the clients',
  { tags: ['S4.6', 'S8.5'] },
  async () => {
    user.problems.allow(/502/);
    await refuseUntilPressed(user.page(), TEAMS, 502);
    await user.signIn(PRODUCER, '/chat');
    const icon = shell.clients.getByRole('button', { name: 'Error loading clients' });
    await icon.waitFor();
    await icon.hover();
    await user.page().getByRole('tooltip', { name: 'Error loading clients' }).waitFor();
    const [red, green, blue] = await icon.evaluate((element) =>
      (getComputedStyle(element).color.match(/[\d.]+/g) ?? []).map(Number),
    );
    expect(red! - Math.max(green!, blue!)).toBeGreaterThan(60);
    const page = user.page();
    await page.getByRole('heading', { name: 'Error loading clients' }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await pressAndAnswer(icon);
    await shell.client('Maya Okafor').waitFor();
    await page.getByRole('heading', { name: 'Choose a client' }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  },
);

test('the room gets the focus of “Try again” on a phone, where its field does not', async () => {
  user.problems.allow(/502/);
  const page = user.page();
  await setDevice(page, PHONE_DEVICE);
  await refuseUntilPressed(page, TEAMS, 502);
  await user.signIn(PRODUCER, '/chat/c_001/team');
  await pressAndAnswer(page.getByRole('button', { name: 'Try again' }));
  const { region } = toRoomPage(page);
  await region.locator('[data-message-id]').first().waitFor();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.matches('main, main *')))
    .toBe(true);
  await page.unrouteAll({ behavior: 'wait' });
});

/** Starting with its next load, the page's date is later by this much; calls add up. */
const laterBy = (ms: number) =>
  user.page().addInitScript((offset) => {
    const RealDate = Date;
    globalThis.Date = new Proxy(RealDate, {
      construct: (target, given: []) =>
        given.length === 0 ? new target(target.now() + offset) : new target(...given),
      get: (target, name) =>
        name === 'now' ? () => target.now() + offset : Reflect.get(target, name),
    });
  }, ms);

test(
  'teams are requested once in 30 minutes, and again afterwards',
  { tags: ['S7.3', 'S9.2'] },
  async () => {
    let asked = 0;
    user.page().on('request', (request) => {
      if (request.url().endsWith('/staff/teams')) asked += 1;
    });
    await user.signIn(PRODUCER, '/chat');
    await shell.client('Maya Okafor').waitFor();
    expect(asked).toBe(1);
    await user.page().reload();
    await shell.client('Maya Okafor').waitFor();
    await shell.link('Videos').click();
    await shell.link('Chat').click();
    await shell.client('Maya Okafor').waitFor();
    expect(asked).toBe(1);
    await laterBy(TEAMS_FRESH_MS - SLACK_MS);
    await openConnected(user.page(), () => user.page().reload());
    await shell.client('Maya Okafor').waitFor();
    expect(asked).toBe(1);
    await laterBy(SLACK_MS + 1000);
    await user.page().reload();
    await expect.poll(() => asked).toBe(2);
  },
);

test('a failed request for producers shows nothing', { tags: ['S7.2'] }, async () => {
  user.problems.allow(/500/);
  const answered = user.page().waitForResponse(PRODUCERS);
  await user
    .page()
    .route(PRODUCERS, (route) =>
      route.fulfill({ status: 500, contentType: 'application/json', body: '{"error":"no"}' }),
    );
  await user.signIn(PRODUCER, '/chat/c_001/team');
  expect((await answered).status()).toBe(500);
  await toRoomPage(user.page()).region.locator('[data-message-id]').first().waitFor();
  expect(await user.page().getByRole('alert').allInnerTexts()).toEqual([]);
});

test(
  'every client has an avatar, and its full name as accessible name',
  { tags: ['S2.13'] },
  async () => {
    await user.signIn(PRODUCER, '/chat');
    await shell.client('Maya Okafor').waitFor();
    const links = await shell.clients.getByRole('link').all();
    expect(links.length).toBeGreaterThanOrEqual(14);
    for (const link of links) {
      expect(await link.locator('[data-initials]').getAttribute('data-initials')).not.toBe('');
    }
  },
);

test('a client without a name can still be found and opened', async () => {
  const nameless = [
    { client_id: 'c_001', client: { first_name: '', last_name: ' ' } },
    { client_id: 'c_002', client: { first_name: ' ', last_name: 'Kjærgaard' } },
  ];
  await user.page().route(TEAMS, (route) => route.fulfill({ json: nameless }));
  await user.signIn(PRODUCER, '/chat');
  await shell.client('c_001').click();
  await shell.rooms.getByRole('heading', { name: 'c_001 Rooms' }).waitFor();
  await shell.client('Kjærgaard').click();
  await shell.rooms.getByRole('heading', { name: 'Kjærgaard Rooms' }).waitFor();
  const names = await shell.clients.getByRole('link').allInnerTexts();
  expect(new Set(names)).toEqual(new Set(['c_001', 'Kjærgaard']));
});
