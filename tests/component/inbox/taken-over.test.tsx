import 'fake-indexeddb/auto';

import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';

import { toRoomKey } from '#domain/rooms.ts';
import { toMarkWire } from '#domain/schemas/mark-payload.ts';
import { toMarkKey } from '#domain/schemas/marks.ts';
import { navigate } from '#src/ui/address.tsx';
import { createDeskPage, type DeskPage } from '#tests/support/scenes/desk-page.tsx';

import { composer, wire, withoutLayout } from '../prepare-page.ts';

withoutLayout();
afterEach(() => void vi.restoreAllMocks());

const ROOM = toRoomKey('c_001', 'general');
const TEXT = 'Leila Haddad took over Maya Okafor · General.';

const taken = () => screen.findByTitle('You took this room');
const lost = () => screen.findByTitle('Taken by Leila Haddad');
/** Waits until what arrives was just written: until then the clients keep their places. */
const caughtUp = async (page: DeskPage): Promise<void> => {
  page.world.engine.write(toRoomKey('c_002', 'team'), wire('two', 'Bye.'));
  const clients = screen.getByRole('navigation', { name: 'Clients' });
  await waitFor(() =>
    expect(clients.querySelector('a')?.dataset['hoverLabel']).toBe('Søren Kjærgaard'),
  );
};
/** The user takes the room, on this device. */
const take = (page: DeskPage) =>
  act(() => page.mustGetStore().recordMarks([{ kind: 'taken', room: ROOM, value: 'u_me' }]));
/** A colleague takes it, in a later turn. */
const takeElsewhere = (page: DeskPage, turn: number, value = 'u_other') => {
  const marks = new Map([[toMarkKey('taken', ROOM), { turn, value }]]);
  act(() => void page.world.engine.writeStaff(toMarkWire({ marks })));
};
const open = async (options?: Parameters<typeof createDeskPage>[0]): Promise<DeskPage> => {
  const page = createDeskPage(options);
  page.world.engine.write(ROOM, wire('one', 'Any news?'));
  page.open('/chat/c_001/general');
  await composer();
  return page;
};
const show = (state: DocumentVisibilityState): void => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
};

it('a room that a colleague takes over is announced, with a way to it', async () => {
  const page = await open();
  await screen.findByText('Any news?');
  await take(page);
  await taken();
  await caughtUp(page);
  act(() => navigate('/chat/c_002/team'));
  takeElsewhere(page, 1);
  const text = await screen.findByText(TEXT);
  expect(screen.getAllByRole('status').some((status) => status.contains(text))).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'Open' }));
  expect(window.location.pathname).toBe('/chat/c_001/general');
  await lost();
});

it('in a hidden page it is announced once that is visible, unless the room was released', async () => {
  const page = await open();
  await screen.findByText('Any news?');
  await take(page);
  await taken();
  await caughtUp(page);
  show('hidden');
  takeElsewhere(page, 1);
  await lost();
  takeElsewhere(page, 2, '');
  await waitFor(() => expect(screen.queryByTitle(/^Taken by/)).toBeNull());
  show('visible');
  expect(screen.queryByText(TEXT)).toBeNull();
  await take(page);
  await taken();
  show('hidden');
  takeElsewhere(page, 4);
  await lost();
  expect(screen.queryByText(TEXT)).toBeNull();
  show('visible');
  await screen.findByText(TEXT);
});

it('takeovers from before the page was opened are not announced', async () => {
  const settings = Promise.withResolvers<void>();
  const page = await open({ settingsHeld: settings.promise });
  await take(page);
  takeElsewhere(page, 1);
  settings.resolve();
  await lost();
  await take(page);
  await taken();
  await caughtUp(page);
  expect(screen.queryByText(TEXT)).toBeNull();
  // From now on it is.
  takeElsewhere(page, 3);
  await screen.findByText(TEXT);
});
