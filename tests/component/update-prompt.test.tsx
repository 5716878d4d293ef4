import 'fake-indexeddb/auto';

import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';

import { fail } from '#domain/result.ts';
import type { Updates } from '#domain/ports/browser.ts';
import { reloadOnLostPart } from '#src/boot/throttled-reload.ts';
import { clearDrafts } from '#src/drafts/drafts.ts';
import { createDeskPage, type DeskPage } from '#tests/support/scenes/desk-page.tsx';

type Listener = Parameters<Updates['watch']>[0];

let notify: Listener;
let onWatch: (listener: Listener) => void;
let done: string[];
let desk: DeskPage;

const updates: Updates = {
  watch: (listener) => {
    onWatch(listener);
    return () => undefined;
  },
  check: () => void done.push('check'),
  activate: () => void done.push('activate'),
  reload: () => void done.push('reload'),
};

const start = async (): Promise<void> => {
  done = [];
  const watched = Promise.withResolvers<Listener>();
  onWatch = watched.resolve;
  desk = createDeskPage({ updates });
  desk.open('/chat/c_001/team');
  await userEvent.type(await screen.findByRole('textbox', { name: 'Message' }), 'half a thought');
  // The prompt loads after the conversation was painted.
  notify = await watched.promise;
};
afterEach(() => {
  clearDrafts();
  vi.restoreAllMocks();
  cleanup();
});

const findRow = () => desk.mustGetStore().database.drafts.toArray();

test('a new version is offered; once accepted, it loads after drafts are stored', async () => {
  await start();
  notify('found');
  await screen.findByText('A new version is ready.');
  await userEvent.click(screen.getByRole('button', { name: 'Reload' }));
  await screen.findByText('Installing the update…');
  expect(screen.queryByRole('button', { name: 'Reload' })).toBeNull();
  await waitFor(() => expect(done).toEqual(['activate']));
  expect(await findRow()).toMatchObject([{ texts: [['c_001/team', 'half a thought']] }]);
  notify('replaced');
  await waitFor(() => expect(done).toEqual(['activate', 'reload']));
});

test('a new version does not wait for a stored draft of a session that has ended', async () => {
  await start();
  await waitFor(async () => expect(await findRow()).toHaveLength(1));
  desk.signElsewhere('out');
  await screen.findByRole('textbox', { name: 'Email' });
  notify('found');
  await userEvent.click(await screen.findByRole('button', { name: 'Reload' }));
  await waitFor(() => expect(done).toEqual(['activate']));
});

test('a new version is installed from the sign-in page after a sign-out', async () => {
  await start();
  await waitFor(async () => expect(await findRow()).toHaveLength(1));
  const { logout } = desk.mustGetRuntime().app.getSnapshot().children;
  const store = desk.mustGetStore();
  logout?.send({ type: 'logout.requested', uid: 'u_me', store, hasDrafts: () => false });
  await screen.findByRole('textbox', { name: 'Email' });
  notify('found');
  await userEvent.click(await screen.findByRole('button', { name: 'Reload' }));
  await waitFor(() => expect(done).toEqual(['activate']));
  notify('replaced');
  await waitFor(() => expect(done).toEqual(['activate', 'reload']));
});

test('a new version waits for a draft that cannot be stored, and the prompt reports it', async () => {
  await start();
  const store = desk.mustGetStore();
  Object.assign(store, { saveDrafts: () => Promise.resolve(fail({ kind: 'quota' })) });
  notify('found');
  await userEvent.click(await screen.findByRole('button', { name: 'Reload' }));
  await screen.findByText('The update installs after your message is sent.');
  expect(done).toEqual([]);
  await userEvent.clear(screen.getByRole('textbox', { name: 'Message' }));
  await waitFor(() => expect(done).toEqual(['activate']));
});

/** Begins a sign-out that waits until a message is sent, which fails. */
const beginSignOut = async () => {
  await start();
  desk.world.engine.fail('publish', { kind: 'server', status: 503 });
  await userEvent.keyboard('{Enter}');
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
  await waitFor(() => expect(field.value).toBe(''));
  const { logout } = desk.mustGetRuntime().app.getSnapshot().children;
  const store = desk.mustGetStore();
  logout?.send({ type: 'logout.requested', uid: 'u_me', store, hasDrafts: () => false });
  await waitFor(() => expect(logout?.getSnapshot().value).toBe('asking'));
  logout?.send({ type: 'send.chosen' });
  return logout;
};

test('a part that is lost reloads the page, but not while a sign-out is in progress', async () => {
  const logout = await beginSignOut();
  const reload = vi.spyOn(window.location, 'reload').mockReturnValue(undefined);
  reloadOnLostPart();
  const lose = (): boolean =>
    window.dispatchEvent(new Event('vite:preloadError', { cancelable: true }));
  lose();
  const { prepareReload } = desk.mustGetRuntime().ports.engineUser;
  expect(await prepareReload?.()).toBe(false);
  expect(reload).not.toHaveBeenCalled();
  logout?.send({ type: 'logout.cancelled' });
  lose();
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

test('a version accepted in another tab waits for a sign-out in progress here', async () => {
  const logout = await beginSignOut();
  vi.useFakeTimers({ toFake: ['setInterval', 'performance'] });
  notify('replaced');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(done).toEqual([]);
  logout?.send({ type: 'logout.cancelled' });
  await vi.advanceTimersByTimeAsync(3000);
  vi.useRealTimers();
  await waitFor(() => expect(done).toEqual(['reload']));
});

test('a page checks for a new version once the server is back', async () => {
  await start();
  const { engine } = desk.world;
  await waitFor(() => expect(engine.openStreams).toBe(1));
  engine.fail('stream', { kind: 'unreachable' });
  act(() => engine.signal({ type: 'ended', error: { kind: 'unreachable' } }));
  const again = await screen.findByRole('button', { name: 'Try now' });
  expect(done).toEqual([]);
  engine.heal();
  await userEvent.click(again);
  await waitFor(() => expect(done).toEqual(['check']));
});
