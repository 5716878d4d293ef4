import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';

import { toRoomKey } from '#domain/rooms.ts';
import { at, received } from '#tests/support/facts.ts';
import { createDeskPage } from '#tests/support/scenes/desk-page.tsx';

import { withoutLayout } from '../prepare-page.ts';

withoutLayout();

it('the open client keeps its place once it no longer waits, and the others keep their order', async () => {
  const page = createDeskPage();
  page.world.server.teams = ['c_001', 'c_002', 'c_003'].map((client_id) => {
    return { client_id, client: { first_name: 'Client', last_name: client_id } };
  });
  page.open('/chat/c_003/general');
  fireEvent.click(await screen.findByRole('button', { name: 'Expand clients' }));
  const store = await waitFor(() => page.mustGetStore());
  const write = (n: number, clientId: string, publisher = `client:${clientId}`) =>
    act(() => store.append([received(at(n), { room: toRoomKey(clientId, 'general'), publisher })]));
  for (const [n, clientId] of ['c_003', 'c_001', 'c_002'].entries()) await write(n + 1, clientId);
  fireEvent.click(await screen.findByRole('radio', { name: 'Needs reply' }));
  const shown = () =>
    [...document.querySelectorAll('nav[aria-label="Clients"] a')].map((link) =>
      link.getAttribute('href')?.split('/').at(2),
    );
  const all = ['c_003', 'c_001', 'c_002'];
  // The longest waiting first, unlike the order by activity.
  await waitFor(() => expect(shown()).toEqual(all));
  await write(4, 'c_003', 'u_me');
  await waitFor(() => {
    expect(document.querySelector('nav[aria-label="Clients"] li')?.textContent).toContain('You: ');
  });
  expect(shown()).toEqual(all);
});
