import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';

import { createDeskPage } from '#tests/support/scenes/desk-page.tsx';

import { findMessage, PATH, ROOM, wire, withoutLayout } from './prepare-room.ts';

withoutLayout();

const press = async (button: HTMLElement): Promise<void> => {
  button.focus();
  await userEvent.keyboard('{Enter}');
};
const button = (name: string) => screen.findByRole('button', { name });
const thread = () => screen.getByRole('region', { name: 'Messages' });

it('the thread gets the focus of “Fetch more” when there is no more to fetch', async () => {
  const page = createDeskPage();
  for (let n = 1; n <= 30; n += 1) page.world.engine.write(ROOM, wire(`m${n}`, `text ${n}.`));
  page.open(PATH);
  await findMessage('text 30.');
  await press(await button('Fetch more'));
  await screen.findByText('This is the start of the conversation.');
  await waitFor(() => expect(document.activeElement).toBe(thread()));
});

it('the thread gets the focus of “Try again” once its messages are loaded', async () => {
  const page = createDeskPage();
  page.world.engine.write(ROOM, wire('one', 'one'));
  page.world.engine.fail('history', { kind: 'rejected', status: 400 });
  page.open(PATH);
  const retry = await button('Try again');
  page.world.engine.heal();
  await press(retry);
  await findMessage('one');
  await waitFor(() => expect(document.activeElement).toBe(thread()));
  expect(screen.queryByRole('alert')).toBeNull();
});
