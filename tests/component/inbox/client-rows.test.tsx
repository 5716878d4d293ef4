import 'fake-indexeddb/auto';

import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { setDraft, toDraftKey } from '#src/drafts/drafts.ts';
import { navigate } from '#src/ui/address.tsx';
import type { DeskPage } from '#tests/support/scenes/desk-page.tsx';

import { openWithClients, wire, withoutLayout } from '../prepare-page.ts';

withoutLayout();

const TEAM = toRoomKey('c_001', 'team');
const GENERAL = toRoomKey('c_001', 'general');
const PRODUCERS = toRoomKey('c_001', 'producers');

let page: DeskPage;

/** Opens the room of another client, beside the list with its texts. */
beforeEach(async () => {
  page = await openWithClients('/chat/c_002/team');
});

afterEach(() => void vi.restoreAllMocks());

const row = async (): Promise<HTMLAnchorElement> =>
  within(screen.getByRole('navigation', { name: 'Clients' })).findByRole('link', {
    name: 'Maya Okafor',
  });
const describeRow = async () => (await row()).getAttribute('aria-description') ?? '';
const write = (room: RoomKey, text: string): void =>
  act(() => void page.world.engine.write(room, wire(text, text)));
const unread = (count: number) => waitFor(() => expect(document.title).toContain(`(${count}) `));
const draft = (room: RoomKey, text: string) => act(() => setDraft(toDraftKey('u_me', room), text));

describe('with a draft, the row of a client shows', () => {
  it('the newest unread message of the other rooms, with its time', async () => {
    write(GENERAL, 'Any news?');
    write(PRODUCERS, 'Which cut?');
    await unread(2);
    draft(TEAM, 'A thought that');
    draft(GENERAL, 'Soon');
    await waitFor(async () =>
      expect(await describeRow()).toMatch(/^2 unread, Leila: Which cut\?, .*\d/),
    );
    expect((await row()).textContent).toMatch(/^Maya Okafor.+Leila: Which cut\?$/);
  });

  it('an unread message in a room that has a draft, too, if it is not the one shown', async () => {
    write(GENERAL, 'Any news?');
    await unread(1);
    draft(TEAM, 'A thought that');
    draft(GENERAL, 'Soon');
    await waitFor(async () => expect(await describeRow()).toMatch(/^1 unread, Leila: Any news\?,/));
  });

  it('the draft with its room, and the time of the newest message, by which the list is ordered', async () => {
    write(GENERAL, 'Any news?');
    await unread(1);
    const PATTERN = /^1 unread, Leila: Any news\?, (?<time>.+)$/;
    const time = await waitFor(async () => {
      const found = PATTERN.exec(await describeRow())?.groups?.['time'];
      if (found === undefined) throw new Error(await describeRow());
      return found;
    });
    draft(GENERAL, 'A thought that');
    const said = 'Draft in General: A thought that';
    await waitFor(async () => expect(await describeRow()).toBe(`1 unread, ${said}, ${time}`));
    expect((await row()).textContent).toBe(`Maya Okafor${time}${said}`);
  });
});

describe('the row of a client with unread messages', () => {
  const open = (name: string) =>
    within(screen.getByRole('navigation', { name: 'Rooms' })).getByRole('link', { name });
  const link = async (): Promise<string> => new URL((await row()).href).pathname;
  const path = () => window.location.pathname;

  it('opens the first room that has some, otherwise the room used last', async () => {
    fireEvent.click(await row());
    await waitFor(() => expect(path()).toBe('/chat/c_001/team'));
    act(() => navigate('/chat/c_002/team'));
    write(PRODUCERS, 'Which cut?');
    write(GENERAL, 'Any news?');
    await unread(2);
    await waitFor(async () => expect(await link()).toBe('/chat/c_001/producers'));
    // So does Enter in the search, which covers all clients.
    fireEvent.click(screen.getByRole('button', { name: 'Search clients' }));
    const field = await screen.findByRole('searchbox', { name: 'Search clients' });
    fireEvent.change(field, { target: { value: 'maya' } });
    fireEvent.keyDown(field, { key: 'Enter' });
    await waitFor(() => expect(path()).toBe('/chat/c_001/producers'));
  });

  it('opens it once by a double click, although the link then leads to another room', async () => {
    write(GENERAL, 'Any news?');
    await unread(1);
    await waitFor(async () => expect(await link()).toBe('/chat/c_001/general'));
    fireEvent.click(await row());
    await waitFor(() => expect(path()).toBe('/chat/c_001/general'));
    act(() => navigate('/chat/c_001/team'));
    fireEvent.click(await row(), { detail: 2 });
    expect(path()).toBe('/chat/c_001/team');
  });

  it('leads to the open room as long as that has some', async () => {
    vi.spyOn(document, 'hasFocus').mockReturnValue(false);
    write(GENERAL, 'Any news?');
    write(TEAM, 'Which cut?');
    await unread(2);
    await waitFor(async () => expect(await link()).toBe('/chat/c_001/general'));
    act(() => navigate('/chat/c_001/team'));
    await screen.findByText('New');
    await waitFor(async () => expect(await link()).toBe('/chat/c_001/team'));
    fireEvent.click(open('Producers'));
    await waitFor(async () => expect(await link()).toBe('/chat/c_001/general'));
  });
});
