import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';

import { requestReminder } from '#src/chat/follow-up/reminder-request.ts';
import { createDeskPage } from '#tests/support/scenes/desk-page.tsx';

import { findMessage, PATH, ROOM, wire, withoutLayout } from '../prepare-page.ts';

withoutLayout();

/** Opens a room with messages of its client that were not seen, and watches its read position. */
const openUnread = async () => {
  const page = createDeskPage();
  for (const n of [1, 2, 3]) page.world.engine.write(ROOM, wire(`m${n}`, `Message ${n}`));
  page.open(PATH);
  await findMessage('Message 3');
  await waitFor(() => expect(page.world.engine.openStreams).toBe(1));
  // The dialogs close at once in a room without a known last message.
  await screen.findByRole('button', { name: /^Follow up/ });
  return { read: vi.spyOn(page.mustGetStore(), 'findRead') };
};

const chooseHour = async (): Promise<void> => {
  await userEvent.click(await screen.findByRole('button', { name: /^In 1 hour/ }));
  await screen.findByText(/reminder set for/);
};

it('a reminder of one message leaves the later ones unread', async () => {
  const { read } = await openUnread();
  // As the menu of the message does.
  act(() => requestReminder({ room: ROOM, at: undefined, line: 'Message 1', button: null }));
  await chooseHour();
  expect(read).not.toHaveBeenCalled();
});

it('a reminder of a room marks it as read', async () => {
  const { read } = await openUnread();
  await userEvent.click(await screen.findByRole('button', { name: /^Follow up/ }));
  await chooseHour();
  expect(read).toHaveBeenCalledTimes(1);
});
