import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, onTestFinished, vi } from 'vitest';

import { fail } from '#domain/result.ts';
import { fromEpochMs } from '#domain/timetoken.ts';
import { closeToast, listToasts, showToast } from '#src/ui/toasts/toast-store.ts';
import { createDeskPage } from '#tests/support/scenes/desk-page.tsx';

import { composer, findMenuItem, findMessage, PATH, ROOM, withoutLayout } from './prepare-page.ts';

withoutLayout();

/** Turns a phone: the width decides on the layout. */
const setWidth = (width: number): void => {
  const { happyDOM } = window as typeof window & {
    readonly happyDOM: { setViewport(size: { width: number }): void };
  };
  happyDOM.setViewport({ width });
};

const MAR_1 = fromEpochMs(Date.parse('2026-03-01'));

const press = async (name: string): Promise<void> => {
  (await screen.findByRole('button', { name })).focus();
  await userEvent.keyboard('{Enter}');
};

const requestSignOut = (page: ReturnType<typeof createDeskPage>, hasDrafts = false) => {
  const { logout } = page.mustGetRuntime().app.getSnapshot().children;
  const store = page.mustGetStore();
  act(() =>
    logout?.send({ type: 'logout.requested', uid: 'u_me', store, hasDrafts: () => hasDrafts }),
  );
  return logout;
};

it('the question before a sign-out keeps the focus while it sends', async () => {
  const page = createDeskPage();
  page.world.engine.fail('publish', { kind: 'server', status: 503 });
  page.open(PATH);
  await userEvent.type(await composer(), 'unsent{Enter}');
  await findMessage('unsent');
  requestSignOut(page);
  const dialog = await screen.findByRole('dialog', { name: 'Sign out?' });
  const status = within(dialog).getByRole('status');
  expect(document.getElementById(dialog.getAttribute('aria-describedby') ?? '')).toBe(status);
  await press('Send first');
  const stay = await screen.findByRole('button', { name: 'Stay signed in' });
  await waitFor(() => expect(document.activeElement).toBe(stay));
  // The same element: screen readers announce only its changes.
  expect(within(dialog).getByRole('status')).toBe(status);
});

it('the question before a sign-out continues when the last message is sent meanwhile', async () => {
  const page = createDeskPage();
  page.world.engine.hold();
  page.open(PATH);
  await userEvent.type(await composer(), 'unsent{Enter}');
  await findMessage('unsent');
  requestSignOut(page);
  const send = await screen.findByRole('button', { name: 'Send first' });
  await waitFor(() => expect(document.activeElement).toBe(send));
  act(() => page.world.engine.release());
  await screen.findByRole('button', { name: 'Sign out' });
  // Enter may already be on its way to the button that disappeared.
  const cancel = screen.getByRole('button', { name: 'Cancel' });
  await waitFor(() => expect(document.activeElement).toBe(cancel));
  expect(screen.getByText('Nothing is waiting to be sent.').role).toBe('status');
});

it('the question before a sign-out that loses drafts begins with the focus at Cancel', async () => {
  const page = createDeskPage();
  page.open(PATH);
  await composer();
  requestSignOut(page, true);
  await screen.findByText(/^Drafts can't be kept/);
  const cancel = screen.getByRole('button', { name: 'Cancel' });
  await waitFor(() => expect(document.activeElement).toBe(cancel));
});

it('a sign-out that waits for changes to be shared shows it, and can be cancelled', async () => {
  const page = createDeskPage();
  page.world.engine.fail('staff', { kind: 'unreachable' });
  page.open(PATH);
  await composer();
  await page.mustGetStore().recordMarks([{ kind: 'done', room: ROOM, value: MAR_1 }]);
  const logout = requestSignOut(page);
  await screen.findByRole('dialog', { name: 'Signing out' });
  // "Back" closes other dialogs.
  fireEvent.popState(window);
  expect(logout?.getSnapshot().value).toBe('sharing');
  await press('Stay signed in');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(logout?.getSnapshot().value).toBe('idle');
});

it('the toasts of a user do not outlast the session', async () => {
  const page = createDeskPage();
  page.open(PATH);
  await composer();
  act(() => showToast('error', 'Not sent to Maya Okafor'));
  await screen.findByText('Not sent to Maya Okafor');
  act(() => page.signElsewhere('out'));
  await screen.findByRole('button', { name: 'Sign In' });
  expect(screen.queryByText('Not sent to Maya Okafor')).toBeNull();
});

it('a sign-out that failed is reported once, also if the phone is turned then', async () => {
  const page = createDeskPage();
  page.open(PATH);
  await composer();
  await press('User menu');
  vi.spyOn(page.mustGetStore(), 'listUnsent').mockResolvedValueOnce(
    fail({ kind: 'storage', detail: 'refused' }),
  );
  await userEvent.click(await findMenuItem('Logout'));
  await waitFor(() => expect(listToasts()).toHaveLength(1));
  for (const { id } of listToasts()) act(() => closeToast(id));
  act(() => setWidth(390));
  onTestFinished(() => setWidth(1024));
  await press('User menu');
  await findMenuItem('Logout');
  expect(listToasts()).toEqual([]);
});
