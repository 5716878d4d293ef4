import 'fake-indexeddb/auto';

import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';

import { toRoomKey } from '#domain/rooms.ts';
import { createDeskPage, type DeskPage } from '#tests/support/scenes/desk-page.tsx';

import { withoutLayout } from './prepare-page.ts';

withoutLayout();

/** The shortcuts work once their chunk has loaded. */
const press = async (key: KeyboardEventInit, until: () => void): Promise<void> => {
  await waitFor(() => {
    fireEvent.keyDown(document.body, key);
    until();
  });
};
const dialog = (name: string) => screen.queryByRole('dialog', { name });
const path = () => window.location.pathname;
const wire = (id: string) => ({ id, text: id, clientName: '', clientAvatar: '' });

describe('Ctrl with a key opens', () => {
  it.each([
    ['the shortcuts, where / needs Shift (German)', { key: '/', code: 'Digit7', shiftKey: true }],
    ['the shortcuts, where Shift and / is ? (Mac)', { key: '?', code: 'Slash', shiftKey: true }],
    ['the shortcuts, where the key writes no Latin', { key: '÷', code: 'Slash' }],
  ])('%s', async (_what, key) => {
    createDeskPage().open('/');
    await press({ ...key, ctrlKey: true }, () => {
      expect(dialog('Keyboard shortcuts')).not.toBeNull();
    });
  });

  it('the palette, by position on a Cyrillic keyboard, but by the letter on others', async () => {
    createDeskPage().open('/');
    await press({ key: 'л', code: 'KeyK', ctrlKey: true }, () => {
      expect(dialog('Search')).not.toBeNull();
    });
    cleanup();
    createDeskPage().open('/');
    await press({ key: 'k', code: 'KeyV', ctrlKey: true }, () => {
      expect(dialog('Search')).not.toBeNull();
    });
    cleanup();
    createDeskPage().open('/');
    await press({ key: '/', code: 'Slash', ctrlKey: true }, () => {
      expect(dialog('Keyboard shortcuts')).not.toBeNull();
    });
    fireEvent.keyDown(document.body, { key: 't', code: 'KeyK', ctrlKey: true });
    expect(dialog('Search')).toBeNull();
  });

  it('the palette, whose live region exists before it has a text', async () => {
    createDeskPage().open('/');
    await press({ key: 'k', code: 'KeyK', ctrlKey: true }, () => {
      expect(dialog('Search')).not.toBeNull();
    });
    const palette = within(screen.getByRole('dialog', { name: 'Search' }));
    const status = palette.getByRole('status');
    expect(status.textContent).toBe('');
    await userEvent.type(palette.getByRole('combobox'), 'no such client or command');
    await waitFor(() => expect(status.textContent).not.toBe(''));
    expect(status.isConnected).toBe(true);
  });
});

describe('next unread', () => {
  const openWithUnread = async (at: string): Promise<DeskPage> => {
    const page = createDeskPage();
    page.open(at);
    await screen.findByRole('navigation', { name: 'Main' });
    await waitFor(() => expect(page.world.engine.openStreams).toBe(1));
    for (const [client, room] of [
      ['c_001', 'general'],
      ['c_002', 'team'],
    ] as const) {
      page.world.engine.write(toRoomKey(client, room), wire(`${client}-${room}`));
    }
    await waitFor(() => expect(document.title).toMatch(/^\(2\)/));
    return page;
  };

  it.each(['/', '/chat', '/videos', '/chat/c_002/producers'])(
    'is one shortcut away from %s',
    async (at) => {
      await openWithUnread(at);
      await press({ key: 'ArrowDown', altKey: true, shiftKey: true }, () => {
        expect(path()).toBe('/chat/c_001/general');
      });
    },
  );

  it('wraps around from the first page to the last one', async () => {
    await openWithUnread('/');
    await press({ key: 'ArrowUp', altKey: true, shiftKey: true }, () => {
      expect(path()).toBe('/chat/c_002/team');
    });
  });
});

describe('a client', () => {
  it('opens at Team first, then at the room used last, and back skips it', async () => {
    const user = userEvent.setup();
    createDeskPage().open('/videos');
    await user.click(await screen.findByRole('link', { name: 'Chat' }));
    const clients = await screen.findByRole('navigation', { name: 'Clients' });
    await user.click(await within(clients).findByRole('link', { name: 'Maya Okafor' }));
    await waitFor(() => expect(path()).toBe('/chat/c_001/team'));
    const rooms = await screen.findByRole('navigation', { name: 'Rooms' });
    await user.click(within(rooms).getByRole('link', { name: 'General' }));
    await waitFor(() => expect(path()).toBe('/chat/c_001/general'));
    await user.click(within(clients).getByRole('link', { name: 'Søren Kjærgaard' }));
    await waitFor(() => expect(path()).toBe('/chat/c_002/team'));
    await user.click(within(clients).getByRole('link', { name: 'Maya Okafor' }));
    await waitFor(() => expect(path()).toBe('/chat/c_001/general'));
    window.history.back();
    await waitFor(() => expect(path()).toBe('/chat/c_002/team'));
  });
});

describe('the palette', () => {
  const optionNames = () =>
    screen.getAllByRole('option').map((option) => option.getAttribute('aria-label'));

  it('lists unread and recent rooms first, then clients, pages and commands', async () => {
    const page = createDeskPage();
    page.open('/chat/c_001/general');
    await screen.findByRole('textbox', { name: 'Message' });
    await waitFor(() => expect(page.world.engine.openStreams).toBe(1));
    page.world.engine.write(toRoomKey('c_002', 'producers'), wire('new'));
    await waitFor(() => expect(document.title).toMatch(/^\(1\)/));
    await userEvent.click(await screen.findByRole('link', { name: 'Home' }));
    await press({ key: 'k', ctrlKey: true }, () => expect(dialog('Search')).not.toBeNull());
    await waitFor(() =>
      expect(optionNames()).toEqual([
        'Søren Kjærgaard, Producers, 1 unread',
        'Maya Okafor, General',
        'Søren Kjærgaard, 1 unread',
        'Søren Kjærgaard, Team',
        'Søren Kjærgaard, General',
        'Søren Kjærgaard, Producers, 1 unread',
        'Maya Okafor',
        'Maya Okafor, Team',
        'Maya Okafor, General',
        'Maya Okafor, Producers',
        'Home',
        'Dashboard',
        'Videos',
        'Chat',
        'Deliveries',
        'Search messages',
        'Settings',
        'Spendings',
        'Referral',
        'Mark all as read',
        'Keyboard shortcuts',
        'Sign out',
      ]),
    );
  });

  it('keeps its highlight on the same result while messages arrive', async () => {
    const user = userEvent.setup();
    const page = createDeskPage();
    page.open('/videos');
    await waitFor(() => expect(page.world.engine.openStreams).toBe(1));
    const [room, isUnread] = [toRoomKey('c_002', 'producers'), /^\(1\)/];
    // Until unread messages are counted, the order may change: one is counted, and read.
    act(() => void page.world.engine.write(room, wire('before')));
    await waitFor(() => expect(document.title).toMatch(isUnread));
    const read = await page.mustGetStore().findRead(new Map([[room, undefined]]));
    await act(() => page.mustGetStore().append(read.ok ? read.value : []));
    await waitFor(() => expect(document.title).not.toMatch(isUnread));
    await press({ key: 'k', ctrlKey: true }, () => expect(dialog('Search')).not.toBeNull());
    await user.type(screen.getByRole('combobox'), 'r');
    const isMaya = () =>
      screen.getByRole('option', { selected: true }).getAttribute('aria-label') === 'Maya Okafor';
    await waitFor(() => expect(isMaya()).toBe(true));
    act(() => void page.world.engine.write(room, wire('new')));
    await waitFor(() => expect(document.title).toMatch(isUnread));
    expect(isMaya()).toBe(true);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(path()).toMatch(/^\/chat\/c_001/));
  });

  it("opens the client's room used last, and the other rooms in its row", async () => {
    const user = userEvent.setup();
    createDeskPage().open('/chat/c_002/general');
    await screen.findByRole('textbox', { name: 'Message' });
    await user.click(await screen.findByRole('link', { name: 'Home' }));
    await press({ key: 'k', ctrlKey: true }, () => expect(dialog('Search')).not.toBeNull());
    await user.type(screen.getByRole('combobox'), 'kjaergaard soren{Enter}');
    await waitFor(() => expect(path()).toBe('/chat/c_002/general'));
    await press({ key: 'k', ctrlKey: true }, () => expect(dialog('Search')).not.toBeNull());
    await user.type(screen.getByRole('combobox'), 'kjaergaard{ArrowRight}{Enter}');
    await waitFor(() => expect(path()).toBe('/chat/c_002/team'));
  });

  it('adds nothing to the history for the page that is open, and keeps its position', async () => {
    const user = userEvent.setup();
    createDeskPage().open('/videos');
    window.history.replaceState({ place: 'kept' }, '');
    const { length } = window.history;
    await press({ key: 'k', ctrlKey: true }, () => expect(dialog('Search')).not.toBeNull());
    await user.type(screen.getByRole('combobox'), 'videos{Enter}');
    await waitFor(() => expect(dialog('Search')).toBeNull());
    expect(window.history.length).toBe(length);
    expect(window.history.state).toEqual({ place: 'kept' });
  });

  it('runs commands', async () => {
    const user = userEvent.setup();
    createDeskPage().open('/videos');
    await press({ key: 'k', ctrlKey: true }, () => expect(dialog('Search')).not.toBeNull());
    await user.type(screen.getByRole('combobox'), 'shortcuts{Enter}');
    await waitFor(() => expect(dialog('Keyboard shortcuts')).not.toBeNull());
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await press({ key: 'k', ctrlKey: true }, () => expect(dialog('Search')).not.toBeNull());
    await user.type(screen.getByRole('combobox'), 'sign out{Enter}');
    await screen.findByRole('button', { name: 'Sign In' });
  });
});

describe('the client column', () => {
  it('keeps its width', async () => {
    const user = userEvent.setup();
    const page = createDeskPage();
    page.open('/chat/c_001/team');
    await user.click(await screen.findByRole('button', { name: 'Expand clients' }));
    await screen.findByRole('button', { name: 'Collapse clients' });
    await user.click(await screen.findByRole('link', { name: 'Videos' }));
    await user.click(await screen.findByRole('link', { name: 'Chat' }));
    await screen.findByRole('button', { name: 'Collapse clients' });
    cleanup();
    page.open('/chat/c_001/team');
    await screen.findByRole('button', { name: 'Collapse clients' });
    expect(screen.queryByRole('button', { name: 'Expand clients' })).toBeNull();
  });
});
