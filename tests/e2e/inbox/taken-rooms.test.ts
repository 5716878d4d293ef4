import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { createUser, PRODUCER, TEAM, type User } from '#tests/support/browser/user.ts';
import { keepToasts } from '#tests/support/page/long-delays.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { waitUntilCurrent } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { openTerminal } from '#tests/support/process/terminal.ts';
import { PHONE_DEVICE, setDevice } from '#tests/support/screens/device.ts';

const ROOM = '/chat/c_003/general';
const NAME = "Aoife O'Sullivan · General";

let server: ServerProcess;
let desk: User;
let colleague: User;

beforeAll(async () => {
  server = await startServer();
  [desk, colleague] = await Promise.all([createUser(server), createUser(server)]);
  for (const user of [desk, colleague]) await user.page().context().addInitScript(keepToasts);
  await Promise.all([desk.signIn(PRODUCER), colleague.signIn(TEAM)]);
  for (const user of [desk, colleague]) {
    // From then on, takeovers are news.
    await waitUntilCurrent(user.page());
    await user.page().evaluate((path) => history.pushState(null, '', path), ROOM);
    await toRoomPage(user.page()).waitForLateParts();
    await button(user, 'Follow up').waitFor();
  }
});
afterAll(async () => {
  await desk.dispose();
  await colleague.dispose();
  await server.dispose();
});
afterEach(() => {
  for (const user of [desk, colleague]) expect(user.problems.take()).toEqual([]);
});

const button = (user: User, name: string): Locator => user.page().getByRole('button', { name });
const toBox = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect());
const left = { state: 'detached' } as const;

test('before a room is taken over, the dialog shows that a colleague has taken it meanwhile', async () => {
  await button(desk, 'Follow up').click();
  const dialog = desk.page().getByRole('dialog', { name: 'Follow up' });
  await dialog.getByRole('button', { name: 'Take this room' }).waitFor();
  await button(colleague, 'Follow up').click();
  await button(colleague, 'Take this room').click();
  await dialog.getByText('Leila Haddad has taken this room.').waitFor();
  await dialog.getByRole('button', { name: 'Take over' }).click();
  await colleague.page().getByText('Taken by Jonas Weidner', { exact: true }).waitFor();
  // The colleague may be on another page.
  await colleague.page().getByText(`Jonas Weidner took over ${NAME}.`, { exact: true }).waitFor();
  await button(desk, 'Undo').click();
  // The colleague has it again.
  const theirs = desk.page().getByText('Taken by Leila Haddad', { exact: true });
  await theirs.waitFor();
  await colleague.page().getByText('You took this room', { exact: true }).waitFor();
  await button(colleague, 'Follow up').click();
  await button(colleague, 'Release').click();
  await theirs.waitFor(left);
  expect(
    await desk
      .page()
      .getByText(/took this room|Taken by|took over/)
      .count(),
  ).toBe(0);
});

test('undoing Done does not undo that of a colleague who has seen later messages', async () => {
  const client = await openTerminal(server, 'c_003', 'general');
  const openDialog = async (user: User): Promise<Locator> => {
    await button(user, 'Follow up').click();
    return user.page().getByRole('dialog', { name: 'Follow up' });
  };
  for (const [user, text] of [
    [desk, 'Thanks, that was all.'],
    [colleague, 'Thanks to you, too.'],
  ] as const) {
    client.write(text);
    await toRoomPage(user.page()).message(text).waitFor();
    await (await openDialog(user)).getByRole('button', { name: 'Done, no reply needed' }).click();
    await user.page().getByText(`${NAME}: no reply needed.`).waitFor();
  }
  // What a user does next arrives after the marks before it.
  await (await openDialog(colleague)).getByRole('button', { name: 'Take this room' }).click();
  await desk.page().getByText('Taken by Leila Haddad', { exact: true }).waitFor();
  await button(desk, 'Undo').last().click();
  await (await openDialog(desk)).getByRole('button', { name: 'Take over' }).click();
  await colleague.page().getByText('Taken by Jonas Weidner', { exact: true }).waitFor();
  const theirs = await openDialog(colleague);
  await theirs.getByRole('button', { name: 'Take over' }).waitFor();
  expect(await theirs.getByRole('button', { name: 'Mark as needing a reply' }).count()).toBe(1);
  await colleague.page().keyboard.press('Escape');
  await (await openDialog(desk)).getByRole('button', { name: 'Release' }).click();
  await colleague.page().getByText('Taken by Jonas Weidner', { exact: true }).waitFor(left);
  await client.close();
});

test('the room itself shows who took it, to all staff and until it is released', async () => {
  const mine = desk.page().getByText('You took this room', { exact: true });
  const theirs = colleague.page().getByText('Taken by Jonas Weidner', { exact: true });
  await button(desk, 'Follow up').click();
  await button(desk, 'Take this room').click();
  await mine.waitFor();
  await theirs.waitFor();
  await button(desk, 'Expand clients').click();
  await desk.page().getByRole('radio', { name: 'Mine' }).check();
  const clients = desk.page().getByRole('navigation', { name: 'Clients' });
  await expect.poll(() => clients.getByRole('link').count()).toBe(1);
  expect(await clients.getByRole('link').getAttribute('href')).toBe(ROOM);
  // A phone has it in its bar, below the client's name.
  await setDevice(colleague.page(), PHONE_DEVICE);
  const bar = colleague.page().getByRole('banner').first();
  const around = await toBox(bar);
  const inside = await toBox(bar.getByTitle('Taken by Jonas Weidner'));
  expect(inside.y).toBeGreaterThanOrEqual(around.y);
  expect(inside.y + inside.height).toBeLessThanOrEqual(around.y + around.height);
  const beside = await toBox(bar.getByRole('button', { name: 'Follow up' }));
  expect(inside.x + inside.width).toBeLessThanOrEqual(beside.x);
  await button(desk, 'Follow up').click();
  await button(desk, 'Release').click();
  await mine.waitFor(left);
  await bar.getByTitle('Taken by Jonas Weidner').waitFor(left);
});
