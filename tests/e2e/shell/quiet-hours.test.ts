import { afterEach, beforeEach, expect, test } from 'vitest';

import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';

let server: ServerProcess;
let user: User;

beforeEach(async () => {
  server = await startServer();
  // The small browser of other tests grants no permissions.
  user = await createUser(server, 'whole');
  await user.page().context().grantPermissions(['notifications'], { origin: server.address });
  await user.signIn(PRODUCER, '/settings');
  for (const name of ['Show notifications', 'Quiet hours']) {
    await region().getByRole('switch', { name }).click();
  }
});
afterEach(async () => {
  const problems = user.problems.take();
  await user.dispose();
  await server.dispose();
  expect(problems).toEqual([]);
});

const region = () => user.page().getByRole('region', { name: 'Notifications' });

test('quiet hours keep their times', async () => {
  const hours = region().getByRole('group', { name: 'Quiet hours' });
  const read = () => Promise.all(['From', 'To'].map((name) => hours.getByLabel(name).inputValue()));
  await hours.getByLabel('From').fill('18:30');
  await hours.getByLabel('To').fill('06:15');
  // Without the focus it shows what is stored.
  await hours.getByLabel('To').blur();
  await expect.poll(read).toEqual(['18:30', '06:15']);
  await user.page().reload();
  await expect.poll(read).toEqual(['18:30', '06:15']);
});

test('an hour of two digits can be typed, however late it is stored', async () => {
  const from = region().getByRole('group', { name: 'Quiet hours' }).getByLabel('From');
  await from.fill('20:30');
  await expect.poll(() => from.inputValue()).toBe('20:30');
  await from.focus();
  await user.page().keyboard.press('1');
  await user.page().keyboard.press('1');
  expect(await from.inputValue()).toBe('23:30');
  // Without the focus it shows what is stored.
  await from.blur();
  await expect.poll(() => from.inputValue()).toBe('23:30');
  await user.page().reload();
  await expect.poll(() => from.inputValue()).toBe('23:30');
});
