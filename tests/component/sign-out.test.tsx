import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';

import { fromEpochMs } from '#domain/timetoken.ts';
import { createDeskPage } from '#tests/support/scenes/desk-page.tsx';

import { composer, findMessage, PATH, ROOM, withoutLayout } from './prepare-page.ts';

withoutLayout();

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

/** Asks before a sign-out while a message is unsent, which is sent once “Send first” has the focus. */
const sendWhileAsked = async (hasDrafts = false): Promise<void> => {
  const page = createDeskPage();
  page.world.engine.hold();
  page.open(PATH);
  await userEvent.type(await composer(), 'unsent{Enter}');
  await findMessage('unsent');
  requestSignOut(page, hasDrafts);
  const send = await screen.findByRole('button', { name: 'Send first' });
  await waitFor(() => expect(document.activeElement).toBe(send));
  act(() => page.world.engine.release());
};

it('the question before a sign-out keeps the focus while it sends', async () => {
  const page = createDeskPage();
  page.world.engine.fail('publish', { kind: 'server', status: 503 });
  page.open(PATH);
  await userEvent.type(await composer(), 'unsent{Enter}');
  await findMessage('unsent');
  requestSignOut(page);
  await press('Send first');
  const stay = await screen.findByRole('button', { name: 'Stay signed in' });
  await waitFor(() => expect(document.activeElement).toBe(stay));
});

it('the question before a sign-out continues when the last message is sent meanwhile', async () => {
  await sendWhileAsked();
  const leave = await screen.findByRole('button', { name: 'Sign out' });
  await waitFor(() => expect(document.activeElement).toBe(leave));
  expect(screen.getByText('Everything has been sent.').role).toBe('status');
});

it('the question before a sign-out that loses drafts never moves the focus to it', async () => {
  await sendWhileAsked(true);
  await screen.findByRole('button', { name: 'Sign out' });
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
  await press('Stay signed in');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(logout?.getSnapshot().value).toBe('idle');
});
