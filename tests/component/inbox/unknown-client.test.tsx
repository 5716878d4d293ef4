import 'fake-indexeddb/auto';

import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';

import { navigate } from '#src/ui/address.tsx';
import { createDeskPage } from '#tests/support/scenes/desk-page.tsx';

import { withoutLayout } from '../prepare-page.ts';

withoutLayout();

it('“Show all clients” also shows those that a filter hides', async () => {
  createDeskPage().open('/chat/c_001/team');
  fireEvent.click(await screen.findByRole('button', { name: 'Expand clients' }));
  const unread = await screen.findByRole('radio', { name: 'Unread' });
  fireEvent.click(unread);
  act(() => navigate('/chat/c_999/team'));
  const clients = screen.getByRole('navigation', { name: 'Clients' });
  await within(clients).findByText(/^Nothing unread/);
  fireEvent.click(await screen.findByRole('link', { name: 'Show all clients' }));
  expect(window.location.pathname).toBe('/chat');
  await within(clients).findByRole('link', { name: 'Maya Okafor' });
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'All' }).checked).toBe(true);
});

it('“Show all clients” also ends a search', async () => {
  createDeskPage().open('/chat/c_001/team');
  fireEvent.click(await screen.findByRole('button', { name: 'Search clients' }));
  const field = await screen.findByRole('searchbox', { name: 'Search clients' });
  fireEvent.change(field, { target: { value: 'zzz' } });
  act(() => navigate('/chat/c_999/team'));
  const clients = screen.getByRole('navigation', { name: 'Clients' });
  await within(clients).findByText(/^No clients match/);
  fireEvent.click(await screen.findByRole('link', { name: 'Show all clients' }));
  expect(window.location.pathname).toBe('/chat');
  await within(clients).findByRole('link', { name: 'Maya Okafor' });
});
