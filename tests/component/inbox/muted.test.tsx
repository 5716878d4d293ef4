import 'fake-indexeddb/auto';

import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';

import { changeNotificationChoice } from '#db/user/notifications.ts';
import { toRoomKey } from '#domain/rooms.ts';
import type { NotificationChoice } from '#domain/schemas/notification.ts';
import type { DeskPage } from '#tests/support/scenes/desk-page.tsx';

import { openWithClients, wire, withoutLayout } from '../prepare-page.ts';

withoutLayout();

const GENERAL = toRoomKey('c_001', 'general');
const PRODUCERS = toRoomKey('c_001', 'producers');

let page: DeskPage;

beforeEach(async () => {
  page = await openWithClients('/chat/c_001/team');
});

const mute = (part: Partial<NotificationChoice>) =>
  act(() => changeNotificationChoice(page.mustGetStore(), (before) => ({ ...before, ...part })));
const link = (list: string, name: string) =>
  within(screen.getByRole('navigation', { name: list })).findByRole('link', { name });
const client = () => link('Clients', 'Maya Okafor');
const bells = (part: HTMLElement): number =>
  part.querySelectorAll('svg.tabler-icon-bell-off').length;
const isQuiet = (part: HTMLElement): boolean => part.dataset['quiet'] !== undefined;

it('a muted client has a mark beside the name, but only where notifications are on', async () => {
  await mute({ mutedClients: ['c_001'], isOn: true });
  await waitFor(async () => expect(bells(await client())).toBe(1));
  await mute({ isOn: false });
  await waitFor(async () => expect(bells(await client())).toBe(0));
  await mute({ isOn: true });
  await waitFor(async () => expect(bells(await client())).toBe(1));
  expect((await client()).getAttribute('aria-description')).toBe('Muted');
  expect(bells(await link('Clients', 'Søren Kjærgaard'))).toBe(0);
  // The rooms need none of their own.
  expect(bells(await link('Rooms', 'General'))).toBe(0);
  fireEvent.click(await screen.findByRole('button', { name: 'Pin Maya Okafor to the top' }));
  await waitFor(async () =>
    expect((await client()).getAttribute('aria-description')).toBe('Pinned, Muted'),
  );
  fireEvent.click(screen.getByRole('button', { name: 'Collapse clients' }));
  expect(bells(await client())).toBe(1);
});

it('a room that alone is muted has the mark, and its client a quiet badge', async () => {
  await mute({ isOn: true, mutedRooms: [GENERAL] });
  const general = await link('Rooms', 'General');
  await waitFor(() => expect(bells(general)).toBe(1));
  expect(bells(await client())).toBe(0);
  act(() => void page.world.engine.write(GENERAL, wire('one', 'Any news?')));
  await waitFor(() =>
    expect(general.getAttribute('aria-description')).toMatch(/^1 unread, Muted, Leila: Any news\?/),
  );
  await waitFor(async () => expect(isQuiet(await client())).toBe(true));
  expect(isQuiet(general)).toBe(true);
  act(() => void page.world.engine.write(PRODUCERS, wire('two', 'Which cut?')));
  await waitFor(async () => expect(isQuiet(await client())).toBe(false));
  expect(isQuiet(general)).toBe(true);
});
