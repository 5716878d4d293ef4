import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';

import { createDeskPage } from '#tests/support/scenes/desk-page.tsx';

import { findMessage, PATH, ROOM, wire, withoutLayout } from '../prepare-page.ts';

withoutLayout();

it('a time in the past is refused, and announced again when it is chosen again', async () => {
  const page = createDeskPage();
  page.world.engine.write(ROOM, wire('one', 'one'));
  page.open(PATH);
  await findMessage('one');
  await userEvent.click(await screen.findByRole('button', { name: /^Follow up/ }));
  const submit = await screen.findByRole('button', { name: 'Remind me' });
  await userEvent.click(submit);
  const first = await screen.findByText('Choose a time in the future.');
  await userEvent.click(submit);
  await waitFor(() => expect(screen.getByText('Choose a time in the future.')).not.toBe(first));
});
