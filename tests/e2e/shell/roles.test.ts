import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { toRoomPage } from '#tests/support/page/room.ts';
import { refuseMessage } from '#tests/support/browser/route-message.ts';
import { toShellPage } from '#tests/support/page/shell.ts';
import {
  type Device,
  DESKTOP_DEVICE,
  PHONE_DEVICE,
  setDevice,
} from '#tests/support/screens/device.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, PRODUCER, type User, waitForWorker } from '#tests/support/browser/user.ts';

const SECTIONS = ['Home', 'Dashboard', 'Videos', 'Chat', 'Deliveries'];
const DEVICES: readonly Device[] = [DESKTOP_DEVICE, PHONE_DEVICE];

let server: ServerProcess;
let user: User;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

const listNames = (links: Locator): Promise<readonly string[]> =>
  links.evaluateAll((found) =>
    found.map((one) => one.getAttribute('aria-label') ?? one.textContent.trim()),
  );
/** A part of the page as a screen reader announces it, as lines of role and name. */
const tree = (part: Locator): Promise<string> => part.ariaSnapshot();

describe.each(DEVICES)('on $name', (device) => {
  const page = () => user.page();
  const room = () => toRoomPage(page());
  const shell = () => toShellPage(page());

  test('a screen reader announces the pages before signing in', async () => {
    // Without cookies alone, a page would open with the stored session until it is refused.
    await user.startOver();
    await setDevice(page(), device);
    await user.visit('/register');
    await waitForWorker(page());
    await page().getByRole('link', { name: 'Login', exact: true }).click();
    await page().getByRole('link', { name: 'Register', exact: true }).waitFor();
    const snapshot = await tree(page().getByRole('main'));
    expect(snapshot).toContain('textbox "Email"');
    expect(snapshot).toContain('textbox "Password"');
    expect(snapshot).toContain('button "Sign In"');
    await user.signIn(PRODUCER, '/chat/c_001/team');
    await setDevice(page(), device);
  });

  test('a screen reader announces the shell', { tags: ['S1.3', 'S1.4', 'S2.11'] }, async () => {
    await user.visit('/chat/c_001/team');
    await room().region.locator('[data-message-id]').first().waitFor();
    expect(await shell().main.count()).toBe(device === PHONE_DEVICE ? 0 : 1);
    if (device === PHONE_DEVICE) {
      await page().getByRole('button', { name: 'Open navigation' }).click();
    }
    expect(await tree(shell().main)).toMatch(
      new RegExp(SECTIONS.map((name) => `link "${name}"`).join('[\\s\\S]*')),
    );
    expect(await shell().link('Chat').getAttribute('aria-current')).toBe('page');
    await page().keyboard.press('Escape');
    await expect.poll(() => page().getByRole('main').count()).toBe(1);
    await page().getByRole('button', { name: 'User menu' }).click();
    const items = page().getByRole('menuitem');
    await items.first().waitFor();
    expect(await listNames(items)).toEqual(['Settings', 'Spendings', 'Referral', 'Logout']);
    await page().keyboard.press('Escape');
    await expect.poll(() => shell().connection.innerText()).toMatch(/^(Online)?$/);
  });

  test('a screen reader announces clients and rooms', { tags: ['S4.9'] }, async () => {
    await user.visit('/chat');
    await shell().client('Maya Okafor').waitFor();
    const names = await shell().clients.getByRole('link').count();
    expect(names).toBeGreaterThanOrEqual(14);
    expect(await tree(shell().clients)).toContain(`link "Aoife O'Sullivan"`);
    await shell().clients.getByRole('button', { name: 'Search clients' }).click();
    await shell().clients.getByRole('searchbox', { name: 'Search clients' }).fill('okaf');
    await expect.poll(() => shell().clients.getByRole('link').count()).toBe(1);
    await shell().clients.getByRole('button', { name: 'Close search' }).click();
    await expect.poll(() => shell().clients.getByRole('link').count()).toBe(names);
    if (device === DESKTOP_DEVICE) {
      await shell().clients.getByRole('button', { name: 'Expand clients' }).click();
      await shell().clients.getByRole('button', { name: 'Collapse clients' }).click();
    }
    await shell().client('Maya Okafor').click();
    await shell().rooms.getByRole('heading', { name: 'Maya Rooms', exact: true }).waitFor();
    expect(await listNames(shell().rooms.getByRole('link'))).toEqual([
      'Team',
      'General',
      'Producers',
    ]);
  });

  test('a screen reader announces thread and composer', { tags: ['S2.16'] }, async () => {
    await user.visit('/chat/c_001/team');
    const messages = room().region.getByRole('list').getByRole('listitem');
    await messages.first().waitFor();
    const states = await messages.evaluateAll((items) =>
      items.map((item) => [
        item.dataset['messageId'] !== undefined,
        item.dataset['state'],
        item.dataset['own'] ?? '',
      ]),
    );
    expect(states.every(([id, state]) => id === true && state === 'sent')).toBe(true);
    expect(new Set(states.map(([, , own]) => own))).toEqual(new Set(['', 'true']));
    await room().fetchMore.scrollIntoViewIfNeeded();
    const snapshot = await tree(page().getByRole('main'));
    expect(snapshot).toContain('button "Fetch more"');
    expect(snapshot).toContain('textbox "Message"');
    expect(snapshot).toContain('button "Send"');
    expect(snapshot).toContain('region "Messages"');
  });

  test('a screen reader announces a message that failed, with its toast', async () => {
    user.problems.allow(/400/);
    await refuseMessage(page(), 'Nobody takes this one.');
    await user.visit('/chat/c_002/general');
    await room().waitForLateParts();
    await room().composer.fill('Nobody takes this one.');
    await page().getByRole('button', { name: 'Send' }).click();
    const toast = page().getByRole('alert').filter({ hasText: 'An error occured sending' });
    // It stays while the pointer is over it.
    await toast.hover();
    const failed = room().message('Nobody takes this one.');
    await failed.getByRole('button', { name: 'Retry' }).waitFor();
    expect(await failed.getAttribute('data-state')).toBe('failed');
    await expect
      .poll(() => listNames(failed.getByRole('button')))
      .toEqual(['Retry', 'Copy', 'Delete', 'Message actions']);
    await toast.getByRole('button', { name: 'Close', exact: true }).click();
    await failed.getByRole('button', { name: 'Delete' }).click();
    await failed.waitFor({ state: 'detached' });
  });
});
