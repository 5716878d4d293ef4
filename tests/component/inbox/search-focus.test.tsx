import 'fake-indexeddb/auto';

import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';

import { createDeskPage } from '#tests/support/scenes/desk-page.tsx';

import { composer, withoutLayout } from '../prepare-page.ts';

withoutLayout();

it('a room opened by a key during a search of clients gets the focus', async () => {
  createDeskPage().open('/chat/c_001/team');
  const before = await composer();
  fireEvent.click(screen.getByRole('button', { name: 'Search clients' }));
  const search = await screen.findByRole('searchbox', { name: 'Search clients' });
  await waitFor(() => expect(document.activeElement).toBe(search));
  await waitFor(() => {
    fireEvent.keyDown(search, { key: 'ArrowDown', altKey: true });
    expect(window.location.pathname).not.toBe('/chat/c_001/team');
  });
  const after = await composer();
  expect(after).not.toBe(before);
  await waitFor(() => expect(document.activeElement).toBe(after));
});
