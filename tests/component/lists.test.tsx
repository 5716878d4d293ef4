import 'fake-indexeddb/auto';

import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';

import { fail } from '#domain/result.ts';
import { createDeskPage } from '#tests/support/scenes/desk-page.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it('the clients are ordered as chosen, even if the choice cannot be stored', async () => {
  const page = createDeskPage();
  page.open('/chat/c_001/team');
  const store = await waitFor(() => page.mustGetStore());
  const keep = vi.spyOn(store, 'keepInboxPreferences').mockResolvedValue(fail({ kind: 'quota' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Expand clients' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Order by name' }));
  await screen.findByRole('button', { name: 'Order by last activity' });
  expect(keep).toHaveBeenCalledTimes(1);
});
