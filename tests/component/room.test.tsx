import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';

import { threadsOf } from '#db/read/threads.ts';
import { showToast } from '#src/ui/toasts/toast-store.ts';
import { createDeskPage } from '#tests/support/scenes/desk-page.tsx';

import {
  composer,
  findMessage,
  messages,
  PATH,
  ROOM,
  wire,
  withoutLayout,
} from './prepare-page.ts';

withoutLayout();

describe('a room', () => {
  it("names the sender once per group and marks the user's own messages", async () => {
    const page = createDeskPage();
    for (const text of ['one', 'two', 'three']) page.world.engine.write(ROOM, wire(text, text));
    page.open(PATH);
    await findMessage('three');
    expect(screen.getAllByText('Leila Haddad')).toHaveLength(1);
    await userEvent.type(await composer(), 'mine{Enter}');
    await waitFor(async () => expect((await findMessage('mine')).dataset['state']).toBe('sent'));
    expect((await findMessage('mine')).dataset['own']).toBe('true');
    act(() => void page.world.engine.write(ROOM, wire('four', 'four')));
    await findMessage('four');
    expect(screen.getAllByText('Leila Haddad')).toHaveLength(2);
    expect(messages().map((item) => item.dataset['messageId'])).toHaveLength(5);
  });

  it('announces live messages of others, not earlier ones', async () => {
    const page = createDeskPage();
    page.world.engine.write(ROOM, wire('old', 'an old one'));
    page.open(PATH);
    await findMessage('an old one');
    const log = await screen.findByRole('log');
    expect(log.textContent).toBe('');
    await waitFor(() => expect(page.world.engine.openStreams).toBe(1));
    act(() => void page.world.engine.write(ROOM, wire('new', 'a new one')));
    await waitFor(() => expect(log.textContent).toBe('Leila Haddad: a new one'));
  });

  it('announces the first message of an empty room', async () => {
    const page = createDeskPage();
    page.open(PATH);
    await screen.findByText('No messages yet');
    const log = await screen.findByRole('log');
    await waitFor(() => expect(page.world.engine.openStreams).toBe(1));
    const { start } = threadsOf(page.mustGetStore().database).open(ROOM);
    await waitFor(() => expect(start.get()).toBe(true));
    act(() => void page.world.engine.write(ROOM, wire('new', 'the first one')));
    await waitFor(() => expect(log.textContent).toBe('Leila Haddad: the first one'));
  });

  it('is listed as empty once it is known to be', async () => {
    const page = createDeskPage();
    page.world.engine.write(ROOM, wire('one', 'one'));
    page.open(PATH);
    await findMessage('one');
    const general = screen.getByRole('link', { name: 'General' });
    await waitFor(() => expect(general.getAttribute('aria-description')).toBe('No messages yet'));
    const team = screen.getByRole('link', { name: 'Team' });
    expect(team.getAttribute('aria-description')).toContain('one');
  });

  it('shows why a message failed, and lets its author retry or delete it', async () => {
    const user = userEvent.setup();
    const page = createDeskPage();
    page.world.engine.fail('publish', { kind: 'rejected', status: 400, text: 'Room is closed' });
    page.open(PATH);
    await user.type(await composer(), 'too late{Enter}');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Room is closed');
    await user.click(within(alert).getByRole('button', { name: 'Close' }));
    const failed = await findMessage('too late');
    expect(failed.dataset['state']).toBe('failed');
    await within(failed).findByRole('button', { name: 'Retry' });
    const buttons = within(failed).getAllByRole('button');
    const names = buttons.map((button) => button.textContent.trim()).filter(Boolean);
    expect(names).toEqual(['Retry', 'Copy', 'Delete']);
    page.world.engine.heal();
    await user.click(within(failed).getByRole('button', { name: 'Retry' }));
    await waitFor(async () =>
      expect((await findMessage('too late')).dataset['state']).toBe('sent'),
    );
    expect(document.activeElement).toBe(await composer());
  });

  it('keeps the focus when a failed message is deleted, and can put its text back', async () => {
    const user = userEvent.setup();
    const page = createDeskPage();
    page.world.engine.fail('publish', { kind: 'rejected', status: 400 });
    page.open(PATH);
    await user.type(await composer(), 'too late{Enter}');
    const alert = await screen.findByRole('alert');
    await user.click(within(alert).getByRole('button', { name: 'Close' }));
    await user.type(await composer(), 'already typed');
    const failed = await findMessage('too late');
    const remove = await within(failed).findByRole('button', { name: 'Delete' });
    const discarded = vi.spyOn(page.mustGetStore(), 'append');
    // The second click of a double click may be on the button of another message.
    fireEvent.click(remove, { detail: 2 });
    expect(discarded).not.toHaveBeenCalled();
    await user.click(remove);
    await waitFor(() => expect(failed.isConnected).toBe(false));
    const field = (await composer()) as HTMLTextAreaElement;
    const toState = () => [document.activeElement, field.value];
    expect(toState()).toEqual([field, 'already typed']);
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(toState()).toEqual([field, 'already typed\ntoo late']);
  });

  it('reports a failed message with its room, whatever room its author is in', async () => {
    const user = userEvent.setup();
    const page = createDeskPage();
    page.world.engine.fail('publish', { kind: 'rejected', status: 400 });
    page.world.engine.hold();
    page.open(PATH);
    await user.type(await composer(), 'left behind{Enter}');
    await findMessage('left behind');
    await user.click(screen.getByRole('link', { name: 'Home' }));
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull());
    // The toast would end unseen in a hidden page.
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    act(() => page.world.engine.release());
    await screen.findByRole('heading', { name: /^Not sent/ });
    expect(screen.queryByRole('alert')).toBeNull();
    visibility.mockRestore();
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toBe('An error occured sending your message! (Maya Okafor · Team)');
    await user.click(within(alert).getByRole('button', { name: 'Close' }));
  });
});

it.each([
  ['message field', composer],
  ['link to the room', () => screen.findByRole('link', { name: 'Team' })],
])(
  'the page gets the focus of the %s and shows the reason if the client is removed',
  async (_, find) => {
    const page = createDeskPage();
    page.open(PATH);
    await composer();
    const others = page.world.server.teams.filter(({ client_id }) => client_id !== 'c_001');
    const focused = await find();
    focused.focus();
    await act(() => page.mustGetStore().saveTeams(others, Date.now()));
    await waitFor(() => expect(focused.isConnected).toBe(false));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')));
    const notice = await screen.findByRole('heading', { name: 'Client not found' });
    expect(screen.getAllByRole('status').some((status) => status.contains(notice))).toBe(true);
  },
);

it('a toast without an error appears in a live region that was there before', async () => {
  createDeskPage().open(PATH);
  await composer();
  const before = screen.getAllByRole('status');
  act(() => showToast('info', 'Done.'));
  const told = screen.getAllByRole('status').filter((each) => each.textContent === 'Done.');
  expect(told).toHaveLength(1);
  expect(before).toContain(told[0]);
  await userEvent.click(within(told[0]!).getByRole('button', { name: 'Close' }));
  expect(told[0]?.textContent).toBe('');
});

describe('the connection line', () => {
  const line = () => screen.findByRole('status', { name: 'Connection' });

  it('shows text only when there is something to report', async () => {
    const page = createDeskPage();
    page.open(PATH);
    await composer();
    await waitFor(() => expect(page.world.engine.openStreams).toBe(1));
    // On a busy machine the first connection may take long enough to be reported.
    await waitFor(async () => expect((await line()).textContent).toBe(''));
    act(() => page.environment.set('offline'));
    await waitFor(async () =>
      expect((await line()).textContent).toBe(
        'Offline Showing saved messages. What you write is sent when you reconnect.',
      ),
    );
    act(() => page.environment.set('online'));
    await waitFor(async () => expect((await line()).textContent).toBe('Online'));
    await screen.findByText('again.');
  });

  it('appears before the command to sign out, which waits until the unsent messages are known', async () => {
    const { promise: storeHeld, resolve: release } = Promise.withResolvers<void>();
    const page = createDeskPage({ storeHeld });
    page.open(PATH);
    await line();
    fireEvent.keyDown(document.body, { key: 'k', code: 'KeyK', ctrlKey: true });
    const commands = async () =>
      (await screen.findByRole('dialog', { name: 'Search' })).textContent;
    await waitFor(async () => expect(await commands()).toContain('Keyboard shortcuts'));
    expect(await commands()).not.toContain('Sign out');
    release();
    await waitFor(async () => expect(await commands()).toContain('Sign out'));
  });

  it('starts the grace period of the first connection once the storage is open', async () => {
    const delays = vi.spyOn(window, 'setTimeout');
    const listGraces = () => delays.mock.calls.filter(([, ms]) => ms === 2500);
    const { promise: storeHeld, resolve: release } = Promise.withResolvers<void>();
    const page = createDeskPage({ storeHeld });
    page.open(PATH);
    await line();
    await waitFor(() => expect(page.world.server.calls).toContain('session'));
    expect(listGraces()).toEqual([]);
    release();
    await waitFor(() => expect(listGraces()).not.toEqual([]));
    delays.mockRestore();
  });

  it('shows when it retries, and retries at once on request', async () => {
    const page = createDeskPage();
    page.world.engine.fail('stream', { kind: 'unreachable' });
    page.open(PATH);
    await waitFor(async () =>
      expect((await line()).textContent).toMatch(
        /^Reconnecting Can't reach the server\. Trying again in \d+ s\.$/,
      ),
    );
    const again = screen.getByRole('button', { name: 'Try now' });
    page.world.engine.fail('stream', { kind: 'unreachable' });
    again.focus();
    await userEvent.keyboard('{Enter}');
    await waitFor(async () => expect((await line()).textContent).toMatch(/in \d+ s/));
    expect(document.activeElement).toBe(again);
    page.world.engine.heal();
    await userEvent.keyboard('{Enter}');
    await waitFor(async () => expect((await line()).textContent).toBe('Online'));
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Messages' })),
    );
  });
});
