import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { type FaultyServer, startFaultyServer } from '#tests/support/scenes/faulty-server.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { openByShortcut } from '#tests/support/page/shell.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

const CHANNEL = 'chat.c_001.general';
const ROOM = '/chat/c_001/general';
/** The claim of a hostile sender: a colleague's name, with marks added. */
const CLAIM = 'Leila Haddad';

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
  room = toRoomPage(user.page());
});
afterEach(() => {
  backend.proxy.heal();
  expect(user.problems.take()).toEqual([]);
});

/** The appearance of a message's sender: its header and avatar without the name. */
const lookOf = (text: string) =>
  room.message(text).evaluate((row) => {
    const [gutter, body] = row.children;
    const [name, chip] = body?.firstElementChild?.children ?? [];
    if (gutter === undefined || name === undefined || chip === undefined)
      throw new Error('no header');
    const { color, fontWeight, fontStyle } = getComputedStyle(name);
    return {
      name: name.textContent,
      chip: (chip.firstChild?.textContent ?? '').trim(),
      hand: [color, fontWeight, fontStyle].join(' '),
      avatar: gutter.querySelector('[data-initials]')?.getAttribute('data-initials') ?? 'none',
    };
  });

test('colleagues, the client and strangers are distinguished, whatever name they claim', async () => {
  await user.signIn(PRODUCER, ROOM);
  await room.composer.waitFor();
  await backend.write(CHANNEL, ['From a colleague.']);
  await backend.writeAs({ publisher: 'app-7', clientName: CLAIM }, CHANNEL, 'From a stranger.');
  await backend.writeAs(
    { publisher: 'client:c_001', clientName: CLAIM },
    CHANNEL,
    'From the client.',
  );
  await backend.writeAs({ publisher: 'client:c_002', clientName: CLAIM }, CHANNEL, 'From another.');
  await room.message('From another.').waitFor();
  await room.send('From me.');
  await room.message('From me.').waitFor();

  // No sender is checked until the staff list has loaded.
  await expect
    .poll(() => lookOf('From a colleague.'))
    .toMatchObject({ name: 'Leila Haddad', chip: 'Staff', avatar: 'LH' });
  const colleague = await lookOf('From a colleague.');
  for (const text of ['From a stranger.', 'From another.']) {
    await expect
      .poll(() => lookOf(text))
      .toMatchObject({ name: CLAIM, chip: 'Unverified', avatar: 'none' });
    expect((await lookOf(text)).hand).not.toBe(colleague.hand);
  }
  await expect
    .poll(() => lookOf('From the client.'))
    .toMatchObject({ name: 'Maya Okafor', chip: 'Client' });
  await expect.poll(() => lookOf('From me.')).toMatchObject({ name: 'Jonas Weidner', chip: 'You' });
  const spoken = await room.message('From a stranger.').innerText();
  expect(spoken).toMatch(/Unverified\s+Not on your staff list/);

  // Elsewhere no mark stands beside a name: the claim is not shown there.
  const page = user.page();
  await openByShortcut(page, 'Control+k');
  await page.getByRole('combobox').fill('"From a stranger"');
  const option = page.getByRole('option', { name: 'From a stranger.' });
  await option.waitFor();
  expect(await option.innerText()).toContain('Unverified');
  await page.getByRole('option', { name: 'All matching messages' }).click();
  const result = page.getByRole('list', { name: 'Results' }).getByRole('link');
  await result.waitFor();
  expect(await result.innerText()).toMatch(/Unverified: From a stranger\.[^]*Maya Okafor: From/);
  // Each line is the name and the text.
  const claims = page.getByText(CLAIM).locator('..');
  expect(await claims.allInnerTexts()).toEqual([
    expect.stringMatching(/^Leila Haddad: From a colleague\./),
  ]);
});

declare global {
  var rolesShown: Set<string> | undefined;
}

/** Runs in the page: records every role with which a message is ever shown. */
const recordRoles = (): void => {
  const roles = new Set<string>();
  globalThis.rolesShown = roles;
  new MutationObserver(() => {
    for (const row of document.querySelectorAll<HTMLElement>('[data-message-id]')) {
      roles.add(row.dataset['role'] ?? '');
    }
  }).observe(document, { subtree: true, childList: true, attributes: true });
};

test('a room knows its senders from the first paint once the staff list is on this device', async () => {
  await user.signIn(PRODUCER, ROOM);
  await backend.write(CHANNEL, ['Known from the start.']);
  const known = room.region.locator('[data-role="staff"]', { hasText: 'Known from the start.' });
  await known.waitFor();
  await user.page().addInitScript(recordRoles);
  await user.page().reload();
  await known.waitFor();
  const roles = await user.page().evaluate(() => [...(globalThis.rolesShown ?? [])]);
  expect(roles).toContain('staff');
  expect(roles).not.toContain('unchecked');
});

test('no sender is marked unverified while the staff list could not be loaded', async () => {
  user.problems.allow(NETWORK_AWAY);
  user.problems.allow(/503/);
  backend.proxy.break(/\/staff\/producers/, { kind: 'status', status: 503 });
  await user.signIn(PRODUCER, '/chat/c_002/general');
  await room.composer.waitFor();
  await backend.write('chat.c_002.general', ['Before the list is there.']);
  await room.message('Before the list is there.').waitFor();
  const headed = room.region.locator('[data-role="unchecked"][data-headed]').first();
  await headed.waitFor();
  expect(await headed.innerText()).toContain('Not checked yet');
  expect(await room.region.locator('[data-role="unknown"]').count()).toBe(0);
});
